// What lies where in the folder of a slide whose run is computed in shards.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShardRef } from '../../app/contract'

/** What only the whole slide decides, for every shard. */
export const preparedName = 'prepared.json'
/** A shard's tiles and objects. */
const resultName = 'shard.run'
const folders = /^shard-(\d{1,5})-of-(\d{1,5})$/

const digits = (n: number): string => String(n).padStart(5, '0')

/** A shard's own: its journal lies there while it goes on. */
export const shardFolder = (folder: string, { shard, of }: ShardRef): string =>
  join(folder, `shard-${digits(shard)}-of-${digits(of)}`)

export const shardResult = (folder: string, ref: ShardRef): string => join(shardFolder(folder, ref), resultName)

/** The shards that have a folder here, whether they are finished or not, in order. */
export async function shardsIn(folder: string): Promise<ShardRef[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return names
    .flatMap((name): ShardRef[] => {
      const match = folders.exec(name)
      return match ? [{ shard: Number(match[1]), of: Number(match[2]) }] : []
    })
    .sort((a, b) => a.of - b.of || a.shard - b.shard)
}
