// Which object each pixel of a tile shows, with what objects are coloured by; and, from afar, how many there are in each cell.
import {
  densityCells,
  inUnits,
  measurementKeys,
  measurements,
  objectColumns,
  objectMarginPx,
  stainSets,
  unreadableId,
  valuesPerObject,
} from '../../app/contract'
import type { DensityTile, MeasurementKey, ObjectColumn, ObjectsTile } from '../../app/contract'
import { CHANNEL_FIGURES, paintIds as nativePaintIds, tokenOf } from '../../native/index'
import type { PaintWindow } from '../../native/index'
import { grown } from '../base/rect'
import type { PixelRect } from '../base/rect'
import { classIn } from '../run/objects/marks'
import { measuredChannels } from '../slide/measuredChannels'
import type { Grid } from '../run/plan/plan'
import type { RunObject } from '../run/objects/result'
import type { Run } from '../run/run'

type Shown = Pick<Run, 'draft' | 'objects' | 'unreadable' | 'uncertain' | 'changed'>

/** Objects whose runs are handed to a thread at once: bounds the copy, and how long the engine's own thread is kept. */
const batchSize = 2000

/**
 * Which object each pixel of a window shows, by their numbers from 1: painted in the native engine's threads. Of several objects a pixel shows
 * the last in the list. null where there is none.
 */
export async function paintIds(
  objects: readonly Pick<RunObject, 'runs'>[],
  window: PaintWindow,
  signal?: AbortSignal,
): Promise<Int32Array<ArrayBuffer> | null> {
  const token = signal && tokenOf(signal)
  let painted: Int32Array<ArrayBuffer> | null = null
  for (let start = 0; start < objects.length; start += batchSize) {
    signal?.throwIfAborted()
    const batch = objects.slice(start, start + batchSize)
    const each = batch.map(({ runs }) => runs)
    const runs = new Int32Array(each.reduce((sum, own) => sum + own.length, 0))
    const runOffsets = new Int32Array(batch.length + 1)
    let at = 0
    for (const [i, own] of each.entries()) {
      runs.set(own, at)
      at += own.length
      runOffsets[i + 1] = at / 3
    }
    const ids = Int32Array.from(batch, (_, i) => start + i + 1)
    const part = await nativePaintIds(runs, runOffsets, ids, window, token)
    if (!painted) painted = part
    else for (let i = 0; i < part.length; i++) if (part[i] !== 0) painted[i] = part[i]!
  }
  return painted
}

/** An object as a tile has it, of which run's draft it is, and its class's colour. */
export interface PaintedObject {
  readonly object: RunObject
  readonly draft: Run['draft']
  readonly color: readonly [number, number, number] | undefined
}

/** A pixel of the tile stands for 2^level × 2^level analysed px, and shows an object if any of them belongs to it. */
export async function objectsTile(run: Shown, level: number, x: number, y: number, signal?: AbortSignal): Promise<ObjectsTile> {
  const { draft } = run
  const isKnown = run.changed.revisionOf(level, x, y) > 0
  const area = shownArea(draft.grid.tileSizePx, level, x, y)
  const objects = isKnown ? run.objects.inRect(grown(area, Math.ceil(draft.cells?.reachPx ?? 0))) : []
  const colorOf = (object: RunObject) => classIn(draft.classes, run.objects.marks, object)?.color
  const painted = objects.map((object) => ({ object, draft, color: colorOf(object) }))
  return tileOf(painted, draft.grid, level, x, y, signal)
}

/** Where two lie on one pixel the later is seen. */
export async function tileOf(
  painted: readonly PaintedObject[],
  grid: Grid,
  level: number,
  x: number,
  y: number,
  signal?: AbortSignal,
): Promise<ObjectsTile> {
  const size = grid.tileSizePx
  const side = size + 2 * objectMarginPx
  const window = { left: x * size - objectMarginPx, top: y * size - objectMarginPx, level, width: side, height: side }
  const ids =
    (await paintIds(
      painted.map(({ object }) => object),
      window,
      signal,
    )) ?? new Int32Array(side * side)
  const cells = painted.some(({ draft }) => draft.cells)
    ? await paintIds(
        painted.map(({ object }) => ({ runs: object.cellRuns ?? noRuns })),
        window,
        signal,
      )
    : null
  const values = new Float32Array(painted.length * valuesPerObject)
  painted.forEach(({ object, draft, color }, i) => {
    const at = i * valuesPerObject
    const perPx = draft.resolution.analysedMpp ?? grid.scale
    const { factor } = stainSets[draft.spec.stainSet]
    objectColumns.forEach((column, c) => (values[at + c] = valueOf(object, column, perPx, factor)))
    values[at + objectColumns.length] = color ? color[0] * 65536 + color[1] * 256 + color[2] : -1
  })
  const figures = painted.map(({ object }) => object.channelFigures ?? [])
  // Of the slide's channels; behind them come figures of cells.
  const channelsOf = ({ slide, cells }: Run['draft'], own: readonly number[]): number =>
    cells ? measuredChannels(slide.info).length : own.length / CHANNEL_FIGURES.length
  const channels = Math.max(0, ...painted.map(({ draft }, i) => channelsOf(draft, figures[i]!)))
  const means = new Float32Array(painted.length * channels)
  figures.forEach((own, i) => {
    for (let c = 0; c < channels; c++) means[i * channels + c] = own[c * CHANNEL_FIGURES.length + meanAt] ?? NaN
  })
  return { kind: 'objects', sidePx: size, ids, ...(cells && { cells }), count: painted.length, values, channels, means }
}

const noRuns = new Int32Array(0)
const meanAt = CHANNEL_FIGURES.indexOf('Mean')

function valueOf(object: RunObject, column: ObjectColumn, perPx: number, stainFactor: number): number {
  if (!isMeasurement(column)) return object.stain('mean', Number(column.slice('stain'.length))) * stainFactor
  return inUnits(object[column], measurements[column].dimension, perPx)
}
const isMeasurement = (column: string): column is MeasurementKey => (measurementKeys as readonly string[]).includes(column)

/** The analysed px whose objects can show in the tile, its margin included. */
export function shownArea(sizePx: number, level: number, x: number, y: number): PixelRect {
  const step = 2 ** level
  const side = (sizePx + 2 * objectMarginPx) * step
  return { x: (x * sizePx - objectMarginPx) * step, y: (y * sizePx - objectMarginPx) * step, width: side, height: side }
}

/** Marks what the file could not give, over the objects, and what else that could change, around them. */
export function withUnreadable(tile: ObjectsTile, run: Shown, level: number, x: number, y: number): ObjectsTile {
  const side = tile.sidePx + 2 * objectMarginPx
  const perPx = run.draft.grid.scale * 2 ** level
  const rows = (part: PixelRect, mark: (from: number, to: number) => void): void => {
    const x0 = Math.max(0, Math.floor(part.x / perPx - x * tile.sidePx) + objectMarginPx)
    const y0 = Math.max(0, Math.floor(part.y / perPx - y * tile.sidePx) + objectMarginPx)
    const x1 = Math.min(side, Math.ceil((part.x + part.width) / perPx - x * tile.sidePx) + objectMarginPx)
    const y1 = Math.min(side, Math.ceil((part.y + part.height) / perPx - y * tile.sidePx) + objectMarginPx)
    for (let row = y0; row < y1 && x1 > x0; row++) mark(row * side + x0, row * side + x1)
  }
  for (const part of run.unreadable) rows(part, (from, to) => tile.ids.fill(unreadableId, from, to))
  for (const part of run.uncertain)
    rows(part, (from, to) => {
      for (let at = from; at < to; at++) tile.ids[at] ||= unreadableId
    })
  return tile
}

/** Every object counts once, in the cell that holds its first pixel, whatever the zoom. O(objects in the tile). */
export function densityOf(
  run: Pick<Shown, 'draft' | 'objects'>,
  level: number,
  x: number,
  y: number,
  isMeant: (id: number) => boolean = () => true,
): DensityTile {
  const size = run.draft.grid.tileSizePx
  const cellPx = (size / densityCells) * 2 ** level
  const side = densityCells + 2
  const counts = new Float32Array(side * side)
  const left = x * densityCells - 1
  const top = y * densityCells - 1
  run.objects.forEachFirstPixel(
    { x: left * cellPx, y: top * cellPx, width: side * cellPx, height: side * cellPx },
    (px, py, id) => {
      if (!isMeant(id)) return
      counts[(Math.floor(py / cellPx) - top) * side + Math.floor(px / cellPx) - left]! += 1
    },
  )
  const { analysedMpp } = run.draft.resolution
  const cellSide = (cellPx * (analysedMpp ?? run.draft.grid.scale)) / 1000
  return { kind: 'density', sidePx: size, counts, cellArea: Math.fround(cellSide * cellSide) }
}
