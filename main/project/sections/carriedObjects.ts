// A run's objects as they lie on another slide: their outlines, mapped, come in as those of a file do.
import type { Affine } from '../../../app/contract'
import { noClass, traceOutlines } from '../../../native/index'
import type { Draft } from '../../run/analysis/analysis'
import { regionFor } from '../../run/request/extent'
import type { Run } from '../../run/run'
import { hexOf } from '../geojsonFile/features'
import { outlineOf } from '../importing/features/outline'
import type { Gathered } from '../importing/gathered'
import { ImportedOutlines } from '../importing/objects'
import type { FoundClass } from '../importing/objects'
import type { Found, Reading } from '../importing/reading'
import { applied } from './affine'

/** Traced at once. */
const objectsAtOnce = 4096

export class CarriedObjects implements Reading {
  readonly comeShare = 0
  readonly #run: Run
  readonly #map: Affine
  readonly #draft: Draft
  readonly #breathe: () => Promise<void>
  #gathered: Gathered | null = null

  /** `map`: of level-0 px of the run's slide to those of the draft's. */
  constructor(run: Run, map: Affine, draft: Draft, breathe: () => Promise<void>) {
    this.#run = run
    this.#map = map
    this.#draft = draft
    this.#breathe = breathe
  }

  take(): Promise<void> {
    return Promise.resolve()
  }

  async end(onRead: (share: number) => void): Promise<Found> {
    const { grid } = this.#draft
    const outlines = new ImportedOutlines(grid, regionFor(this.#draft, 'whole'), this.#run.status().name, 'object')
    this.#gathered = outlines.gathered
    const list = this.#run.objects.left()
    const { scale } = this.#run.draft.grid
    for (let first = 0; first < list.length; first += objectsAtOnce) {
      const objects = Array.from({ length: Math.min(objectsAtOnce, list.length - first) }, (_, i) => list.at(first + i))
      const offsets = new Int32Array(objects.length + 1)
      objects.forEach(({ runs }, i) => (offsets[i + 1] = offsets[i]! + runs.length / 3))
      const runs = new Int32Array(3 * offsets[objects.length]!)
      objects.forEach((object, i) => runs.set(object.runs, 3 * offsets[i]!))
      const traced = await traceOutlines(runs, offsets)
      for (const [i, object] of objects.entries()) {
        await this.#breathe()
        const [outer, holes]: Position[][][] = [[], []]
        for (let ring = traced.objectOffsets[i]!; ring < traced.objectOffsets[i + 1]!; ring++) {
          const points: Position[] = []
          for (let p = traced.ringOffsets[ring]!; p < traced.ringOffsets[ring + 1]!; p++)
            points.push(applied(this.#map, [traced.xy[2 * p]! * scale, traced.xy[2 * p + 1]! * scale]))
          ;(traced.holes[ring] === 1 ? holes : outer)!.push(points)
        }
        // A hole cuts nothing out of a piece that it does not lie in.
        const coordinates = outer!.map((ring) => [ring, ...holes!])
        outlines.addOutline(outlineOf({ type: 'MultiPolygon', coordinates }, null), null, this.#classOf(object.id))
      }
      await outlines.gathered.relieve()
      onRead((first + objects.length) / list.length)
    }
    return outlines
  }

  regions(): null {
    return null
  }

  unread(): string[] {
    return []
  }

  notes(): string[] {
    return []
  }

  async dispose(): Promise<void> {
    await this.#gathered?.dispose()
  }

  /** By hand: what the run's rule says is of its own slide's stain. */
  #classOf(id: number | undefined): FoundClass | null {
    const { marks } = this.#run.objects
    const at = id === undefined ? noClass : (marks?.classAt?.[id] ?? noClass)
    const known = marks && at !== noClass && at >= marks.always ? marks.classes[at] : undefined
    return known ? { name: known.label, color: hexOf(known.color) } : null
  }
}

type Position = [number, number]
