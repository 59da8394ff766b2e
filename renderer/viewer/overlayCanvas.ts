// The canvases over the slide, in step with the viewer's frames: tiles of an intermediate image and of the results, and vectors on top.
import { tilePaths, type ObjectDetails, type RunStatus } from '../../app/contract'
import { api } from '../api'
import { endWatch } from '../store/latency'
import { resultTiles } from '../store/resultTiles'
import { intersect, visibleBox, type View } from '../arithmetic/geometry'
import { clearCanvas } from './clear'
import type { Scene } from './scene'
import { loadBitmap, TileCache, TileGone } from './tileCache'
import { reloadMs, TileLayer, type Drawn, type Plane, type Surface } from './tileLayer'
import { Vectors } from './vectors'

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
  private readonly vectors: Vectors
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
    this.vectors = new Vectors(context2d(vectorCanvas))
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
    this.vectors.draw(view, scene, ratio)
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
    clearCanvas(raster.context)
    raster.cache.want([])
    return null
  }

  private drawTiles(raster: Raster, view: View, ratio: number, runs: readonly RunStatus[], plane: Plane): Drawn {
    const { canvas, context } = raster
    clearCanvas(context)
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
}
