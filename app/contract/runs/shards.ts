// A part of a run that one of several machines computes, and what it says of that.
import { SlideKey } from '../base/ids'
import * as z from '../zod'

/** More than anybody has nodes. */
export const mostShards = 10_000
/** One of so many parts of a run's tiles, which machines compute apart; counted from 1. */
export const ShardRef = z
  .strictObject({ shard: z.number().int().min(1), of: z.number().int().min(1).max(mostShards) })
  .refine(({ shard, of }) => shard <= of, 'expected a shard of those that there are')
export type ShardRef = z.infer<typeof ShardRef>

/** Who computed a shard, and when. */
export const ShardRecord = z.object({
  shard: z.number(),
  of: z.number(),
  /** Names the slide by what its files hold: a copy has the same. */
  slideKey: SlideKey,
  /** The machine's name. */
  node: z.string().max(300),
  program: z.string().max(200),
  device: z.string().max(1000),
  threads: z.number(),
  startedAt: z.string().max(100),
  endedAt: z.string().max(100),
  elapsedMs: z.number(),
  /** Of the process and its threads, in this attempt. */
  cpuMs: z.number(),
  peakRssBytes: z.number(),
  tiles: z.number(),
  /** Of these, what an attempt before had left. */
  resumedTiles: z.number(),
  objects: z.number(),
})
export type ShardRecord = z.infer<typeof ShardRecord>
