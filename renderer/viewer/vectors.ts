// What is drawn over the slide in crisp lines: runs' frames and their words, the selected object, a rectangle, the crosshair.
import { isOver, type ObjectDetails, type Region, type RunStatus } from '../../app/contract'
import { intersect, toScreen, type Point, type View } from '../arithmetic/geometry'
import { resultTiles } from '../store/runs/resultTiles'
import { words } from '../words'
import { smoothRing } from './tiles/borders'
import { clearCanvas } from './clear'
import type { Scene } from './scene'

const colours = {
  halo: 'rgba(8, 11, 14, 0.85)',
  selected: '#ffd34d',
  region: '#3ecfb2',
  other: 'rgba(62, 207, 178, 0.55)',
  stopped: '#f0b429',
  drawn: '#ffffff',
}

const percentOf = ({ tilesDone, tilesTotal }: RunStatus): string =>
  `${tilesTotal > 0 ? Math.round((100 * tilesDone) / tilesTotal) : 0} %`

type Rings = readonly (readonly (readonly [number, number])[])[]
const smoothed = new WeakMap<ObjectDetails, { step: number; rings: Rings }>()

/** As tiles have it: the line through the middles of pixels' edges. `step`: of a pixel, level-0 px. */
function smoothOutline(object: ObjectDetails, step: number): Rings {
  const known = smoothed.get(object)
  if (known?.step === step) return known.rings
  const rings = object.outline.map((ring) => smoothRing(ring, step))
  smoothed.set(object, { step, rings })
  return rings
}

/** All of a run that its frame and its words say; a preview that has ended has none. */
function seenOf(run: RunStatus): unknown {
  const going = !isOver(run)
  if (run.purpose === 'preview') return going && run.region
  const stopped = run.state === 'cancelled' || run.state === 'failed'
  return [
    run.runId,
    run.name,
    run.state,
    run.settling,
    percentOf(run),
    run.region,
    run.withinPx,
    stopped && resultTiles.box(run.runId, run.grid),
  ]
}

/** Of a result so much under a newer one, frame in frame, that its own would say nothing but hide the slide: of forty fields, a few px apart. */
const mostUnder = 0.8

/** The runs that have a frame, by their ids: those that go on or were ended, the chosen one, and results that no newer one with a frame lies over. O(runs · frames). */
export function framed(runs: readonly RunStatus[], chosen: string | null): ReadonlySet<string> {
  const frames = new Set<string>()
  const over: Region[] = []
  const areaOf = (region: Region | null): number => (region ? region.width * region.height : 0)
  for (const run of runs.toReversed()) {
    const isResult = run.purpose === 'run' && run.state === 'done'
    const isUnder = isResult && over.some((region) => areaOf(intersect(region, run.region)) >= mostUnder * areaOf(run.region))
    if (isUnder && run.runId !== chosen) continue
    frames.add(run.runId)
    // Of regions of interest only what lies in them is there.
    if (isResult && run.withinPx === undefined) over.push(run.region)
  }
  return frames
}

export class Vectors {
  /** What the canvas shows. */
  private key = ''
  private selected: ObjectDetails | null = null
  constructor(private readonly context: CanvasRenderingContext2D) {}

  /** What is on the canvas is not what was drawn there. */
  forget(): void {
    this.key = ''
  }

  draw(view: View, scene: Scene, ratio: number): void {
    const v = this.context
    const { selected, chosen, drawn, clickedAt, crosshair } = scene
    const key = JSON.stringify([
      view,
      ratio,
      v.canvas.width,
      v.canvas.height,
      scene.runs.map(seenOf),
      chosen,
      drawn,
      clickedAt,
      crosshair,
    ])
    if (key === this.key && selected === this.selected) return
    this.key = key
    this.selected = selected
    clearCanvas(v)
    v.setTransform(ratio, 0, 0, ratio, 0, 0)
    v.lineJoin = 'round'
    const frames = framed(scene.runs, chosen)
    for (const run of scene.runs) if (frames.has(run.runId)) this.outlineRun(view, run, run.runId === chosen)
    if (scene.drawn) this.box(view, scene.drawn, colours.drawn, [5, 4], 1.5)
    if (scene.selected) this.outline(view, smoothOutline(scene.selected, scene.selectedStep))
    else if (scene.clickedAt) this.mark(toScreen(view, scene.clickedAt))
    if (scene.crosshair) this.cross({ x: view.width / 2, y: view.height / 2 })
  }

  /** Around what a full run has done: of one that was ended before its end, that is less than what it was asked for. */
  private outlineRun(view: View, run: RunStatus, chosen: boolean): void {
    const going = !isOver(run)
    if (run.purpose === 'preview') {
      if (going) this.box(view, run.region, 'rgba(62, 207, 178, 0.5)', [2, 4], 1)
      return
    }
    // Its region of interest is drawn by itself.
    if (run.withinPx !== undefined && run.state === 'done') return
    const stopped = run.state === 'cancelled' || run.state === 'failed'
    const done = stopped ? resultTiles.box(run.runId, run.grid) : run.region
    const region = done && intersect(done, run.region)
    if (!region) return
    const colour = stopped ? colours.stopped : chosen ? colours.region : colours.other
    this.box(view, region, colour, going ? [6, 4] : [], 1)
    if (!stopped && !(chosen && going)) return
    const percent = percentOf(run)
    const state = {
      cancelled: words.runStates.cancelled,
      failed: words.runStates.failed,
      queued: words.runStates.queued,
      paused: run.settling ? words.runList.pausing(percent) : words.runList.paused(percent),
      running: percent,
      done: '',
    }[run.state]
    this.label(toScreen(view, region), words.runList.runOnCanvas(run.name, state), colour)
  }

  private label(at: Point, text: string, colour: string): void {
    const v = this.context
    v.font = '11px system-ui, sans-serif'
    const width = v.measureText(text).width + 10
    // Above the corner, or inside where the corner is at the top of the screen.
    const top = at.y >= 20 ? at.y - 18 : at.y + 2
    v.fillStyle = colours.halo
    v.fillRect(at.x - 1, top, width, 16)
    v.fillStyle = colour
    v.fillText(text, at.x + 4, top + 12)
  }

  private box(view: View, region: Region, colour: string, dash: number[], width: number): void {
    const v = this.context
    const corners = [
      { x: region.x, y: region.y },
      { x: region.x + region.width, y: region.y },
      { x: region.x + region.width, y: region.y + region.height },
      { x: region.x, y: region.y + region.height },
    ].map((p) => toScreen(view, p))
    v.beginPath()
    for (const p of corners) v.lineTo(p.x, p.y)
    v.closePath()
    v.setLineDash([])
    v.strokeStyle = colours.halo
    v.lineWidth = width + 2
    v.stroke()
    v.setLineDash(dash)
    v.strokeStyle = colour
    v.lineWidth = width
    v.stroke()
    v.setLineDash([])
  }

  private outline(view: View, rings: Rings): void {
    const v = this.context
    v.beginPath()
    for (const ring of rings) {
      ring.forEach(([x, y], i) => {
        const p = toScreen(view, { x, y })
        if (i === 0) v.moveTo(p.x, p.y)
        else v.lineTo(p.x, p.y)
      })
      v.closePath()
    }
    v.fillStyle = 'rgba(255, 211, 77, 0.14)'
    v.fill('evenodd')
    v.strokeStyle = colours.halo
    v.lineWidth = 4.5
    v.stroke()
    v.strokeStyle = colours.selected
    v.lineWidth = 2
    v.stroke()
  }

  private mark(p: Point): void {
    const v = this.context
    for (const [style, width] of [[colours.halo, 4] as const, [colours.selected, 1.75] as const]) {
      v.beginPath()
      v.arc(p.x, p.y, 6, 0, 2 * Math.PI)
      v.strokeStyle = style
      v.lineWidth = width
      v.stroke()
    }
  }

  private cross(p: Point): void {
    const v = this.context
    for (const [style, width] of [[colours.halo, 3] as const, ['#ffffff', 1] as const]) {
      v.beginPath()
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        v.moveTo(p.x + dx * 4, p.y + dy * 4)
        v.lineTo(p.x + dx * 13, p.y + dy * 13)
      }
      v.strokeStyle = style
      v.lineWidth = width
      v.stroke()
    }
  }
}
