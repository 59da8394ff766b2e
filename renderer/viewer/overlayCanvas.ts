// The canvases over the slide: an intermediate image, the results, and crisp vectors; drawn in step with the viewer's frames.
import { isOver, tilePaths, type ObjectDetails, type Region, type RunStatus } from '../../app/contract'
import { api } from '../api'
import { endWatch } from '../store/latency'
import { resultTiles } from '../store/resultTiles'
import type { OverlayState } from '../store/uiSlice'
import { intersect, toScreen, visibleBox, type Point, type View } from '../arithmetic/geometry'
import { loadBitmap, TileCache, TileGone } from './tileCache'
import { reloadMs, TileLayer, type Drawn, type Plane, type Surface } from './tileLayer'

export interface Scene {
  /** The topmost last. */
  readonly runs: readonly RunStatus[]
  /** The run for keeps whose figures are shown. */
  readonly chosen: string | null
  readonly overlay: OverlayState
  /** The intermediate image on show, or null. */
  readonly layer: string | null
  readonly selected: ObjectDetails | null
  readonly clickedAt: Point | null
  readonly drawn: Region | null
  readonly crosshair: boolean
}

const colours = {
  halo: 'rgba(8, 11, 14, 0.85)',
  selected: '#ffd34d',
  region: '#3ecfb2',
  other: 'rgba(62, 207, 178, 0.55)',
  stopped: '#f0b429',
  drawn: '#ffffff',
}

class CanvasSurface implements Surface<ImageBitmap> {
  constructor(private readonly context: CanvasRenderingContext2D) {}
  clear(left: number, top: number, width: number, height: number): void {
    this.context.clearRect(left, top, width, height)
  }
  draw(
    bitmap: ImageBitmap,
    source: { x: number; y: number; width: number; height: number },
    target: { x: number; y: number; width: number; height: number },
    smooth: boolean,
  ): void {
    this.context.imageSmoothingEnabled = smooth
    this.context.imageSmoothingQuality = 'medium'
    this.context.drawImage(
      bitmap,
      source.x,
      source.y,
      source.width,
      source.height,
      target.x,
      target.y,
      target.width,
      target.height,
    )
  }
}

function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('expected a 2D canvas but the browser gave none')
  return context
}

const percentOf = ({ tilesDone, tilesTotal }: RunStatus): string =>
  `${tilesTotal > 0 ? Math.round((100 * tilesDone) / tilesTotal) : 0} %`

interface Raster {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
  readonly layer: TileLayer<ImageBitmap>
  readonly cache: TileCache<ImageBitmap>
}

const urlOf = (runId: string, plane: Plane, revision: number, level: number, x: number, y: number): string =>
  api().tileUrl(
    plane.startsWith('layer:')
      ? tilePaths.layer(runId, plane.slice('layer:'.length), revision, level, x, y)
      : tilePaths.overlay(runId, plane === 'filled' ? 'filled' : 'outline', revision, level, x, y),
  )

/** A coarse tile of a run for keeps that is not complete must not hide what lies under the part of it that is still to come. */
function whereDone(run: RunStatus): RunStatus {
  if (run.purpose === 'preview' || run.state === 'done') return run
  const box = resultTiles.box(run.runId, run.grid)
  const region = box && intersect(box, run.region)
  return region ? { ...run, region } : run
}

const runOfUrl = (url: string): string => /\/(?:overlay|layer)\/([^/]+)\//.exec(url)?.[1] ?? ''

export class OverlayCanvas {
  private readonly layerRaster: Raster
  private readonly overlayRaster: Raster
  private readonly vectors: CanvasRenderingContext2D
  private scratch: CanvasRenderingContext2D | null = null
  private view: View | null = null
  private scene: Scene | null = null
  private frame = 0
  private lastSelected: ObjectDetails | null = null
  private later: ReturnType<typeof setTimeout> | undefined
  tilesOnScreen = 0

  constructor(
    layerCanvas: HTMLCanvasElement,
    overlayCanvas: HTMLCanvasElement,
    private readonly vectorCanvas: HTMLCanvasElement,
    private readonly onShown: (runId: string) => void,
    /** The engine says that a tile of the run is not there. */
    private readonly onGone: (runId: string) => void,
  ) {
    const raster = (canvas: HTMLCanvasElement): Raster => {
      const load = (url: string, signal: AbortSignal) =>
        loadBitmap(url, signal).catch((error: unknown) => {
          if (error instanceof TileGone) this.onGone(runOfUrl(url))
          throw error
        })
      const cache = new TileCache<ImageBitmap>(load, () => this.schedule())
      const revision = (runId: string, level: number, x: number, y: number) => resultTiles.revision(runId, level, x, y)
      return { canvas, context: context2d(canvas), cache, layer: new TileLayer({ cache, revision, url: urlOf }) }
    }
    this.layerRaster = raster(layerCanvas)
    this.overlayRaster = raster(overlayCanvas)
    this.vectors = context2d(vectorCanvas)
  }

  setScene(scene: Scene): void {
    if (this.scene && this.scene.runs !== scene.runs) {
      const ids = new Set(scene.runs.map((run) => run.runId))
      const gone = (key: string) => !ids.has(key.slice(0, key.indexOf('|')))
      this.layerRaster.cache.dropWhere(gone)
      this.overlayRaster.cache.dropWhere(gone)
    }
    this.scene = scene
    this.overlayRaster.canvas.style.opacity = String(scene.overlay.opacity)
    this.overlayRaster.canvas.style.visibility = scene.overlay.visible ? 'visible' : 'hidden'
    this.schedule()
  }

  /** Draws at once: called within the viewer's own frame, so that overlay and slide move together. */
  setView(view: View): void {
    this.view = view
    this.drawNow()
  }

  schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.drawNow())
  }

  destroy(): void {
    cancelAnimationFrame(this.frame)
    clearTimeout(this.later)
    for (const { cache } of [this.layerRaster, this.overlayRaster]) cache.dropWhere(() => true)
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frame)
    this.frame = 0
    const { view, scene } = this
    if (!view || !scene) return
    const ratio = window.devicePixelRatio || 1
    const width = Math.round(view.width * ratio)
    const height = Math.round(view.height * ratio)
    for (const canvas of [this.layerRaster.canvas, this.overlayRaster.canvas, this.vectorCanvas]) {
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
    }
    const previews = scene.runs.filter((run) => run.purpose === 'preview')
    const layer = scene.layer
      ? this.drawTiles(this.layerRaster, view, ratio, previews, `layer:${scene.layer}`)
      : this.clear(this.layerRaster)
    const overlay = this.drawTiles(this.overlayRaster, view, ratio, scene.runs.map(whereDone), scene.overlay.style)
    this.tilesOnScreen = overlay.tiles
    this.drawVectors(view, scene, ratio)
    this.report(scene, overlay, layer)
    if (overlay.later || layer?.later) this.drawLater()
  }

  /** Some tiles may be asked for again, but not yet. */
  private drawLater(): void {
    this.later ??= setTimeout(() => {
      this.later = undefined
      this.schedule()
    }, reloadMs / 2)
  }

  private clear(raster: Raster): null {
    raster.context.clearRect(0, 0, raster.canvas.width, raster.canvas.height)
    raster.cache.want([])
    return null
  }

  private drawTiles(raster: Raster, view: View, ratio: number, runs: readonly RunStatus[], plane: Plane): Drawn {
    const { canvas, context } = raster
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, canvas.width, canvas.height)
    if (view.rotation === 0) return raster.layer.draw(new CanvasSurface(context), view, ratio, runs, plane)
    // Rotated tiles would show their antialiased edges: put them together upright, then turn the whole.
    const box = visibleBox(view)
    const flat = this.flat(Math.ceil(box.width * view.zoom * ratio), Math.ceil(box.height * view.zoom * ratio))
    const drawn = raster.layer.draw(new CanvasSurface(flat), view, ratio, runs, plane)
    context.translate(canvas.width / 2, canvas.height / 2)
    context.rotate((view.rotation * Math.PI) / 180)
    context.imageSmoothingEnabled = view.rotation % 90 !== 0
    context.drawImage(flat.canvas, (-box.width * view.zoom * ratio) / 2, (-box.height * view.zoom * ratio) / 2)
    return drawn
  }

  private flat(width: number, height: number): CanvasRenderingContext2D {
    this.scratch ??= context2d(document.createElement('canvas'))
    const { canvas } = this.scratch
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
    } else this.scratch.clearRect(0, 0, width, height)
    return this.scratch
  }

  /** Tells who waits: a new run's first tile, a finished run that is all on screen, the clicked outline. */
  private report(scene: Scene, overlay: Drawn, layer: Drawn | null): void {
    // The watch knows which run it waits for.
    for (const drawn of [overlay, layer]) for (const id of drawn?.runs ?? []) endWatch('param-to-first-tile', id)
    // While a new click is looked up, the object before it stays on screen.
    if (scene.selected && scene.selected !== this.lastSelected) endWatch('click-to-outline')
    this.lastSelected = scene.selected
    for (const run of scene.runs) {
      const layerComplete = layer === null || run.purpose === 'run' || layer.complete.has(run.runId)
      if (run.state === 'done' && overlay.complete.has(run.runId) && layerComplete && scene.runs.length > 1)
        queueMicrotask(() => this.onShown(run.runId))
    }
  }

  private drawVectors(view: View, scene: Scene, ratio: number): void {
    const v = this.vectors
    v.setTransform(ratio, 0, 0, ratio, 0, 0)
    v.clearRect(0, 0, view.width, view.height)
    v.lineJoin = 'round'
    for (const run of scene.runs) this.outlineRun(view, run, run.runId === scene.chosen)
    if (scene.drawn) this.box(view, scene.drawn, colours.drawn, [5, 4], 1.5)
    if (scene.selected) this.outline(view, scene.selected)
    else if (scene.clickedAt) this.mark(toScreen(view, scene.clickedAt))
    if (scene.crosshair) this.cross({ x: view.width / 2, y: view.height / 2 })
  }

  /** Around what a run for keeps has done: of one that was ended before its end, that is less than what it was asked for. */
  private outlineRun(view: View, run: RunStatus, chosen: boolean): void {
    const going = !isOver(run)
    if (run.purpose === 'preview') {
      if (going) this.box(view, run.region, 'rgba(62, 207, 178, 0.5)', [2, 4], 1)
      return
    }
    const stopped = run.state === 'cancelled' || run.state === 'failed'
    const done = stopped ? resultTiles.box(run.runId, run.grid) : run.region
    const region = done && intersect(done, run.region)
    if (!region) return
    const colour = stopped ? colours.stopped : chosen ? colours.region : colours.other
    this.box(view, region, colour, going ? [6, 4] : [], 1)
    if (!stopped && !(chosen && going)) return
    const words = { cancelled: 'cancelled', failed: 'failed', queued: 'queued', running: percentOf(run), done: '' }[run.state]
    this.label(toScreen(view, region), `${run.name}: ${words}`, colour)
  }

  private label(at: Point, text: string, colour: string): void {
    const v = this.vectors
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
    const v = this.vectors
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

  private outline(view: View, object: ObjectDetails): void {
    const v = this.vectors
    v.beginPath()
    for (const ring of object.outline) {
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
    const v = this.vectors
    for (const [style, width] of [[colours.halo, 4] as const, [colours.selected, 1.75] as const]) {
      v.beginPath()
      v.arc(p.x, p.y, 6, 0, 2 * Math.PI)
      v.strokeStyle = style
      v.lineWidth = width
      v.stroke()
    }
  }

  private cross(p: Point): void {
    const v = this.vectors
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
