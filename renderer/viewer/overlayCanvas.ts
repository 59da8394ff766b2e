// The canvases over the slide, in step with the viewer's frames: tiles of an intermediate image and of the results, and vectors on top.
import { deepestObjectLevel, tilePaths, type ObjectDetails, type RunStatus, type Shape } from '../../app/contract'
import { endWatch } from '../store/base/latency'
import { resultTiles } from '../store/runs/resultTiles'
import { showsLayer } from '../store/slices/runSlice'
import { pathOf } from '../arithmetic/regionShapes'
import { intersect, levelForZoom, tileSpan, visibleBox, type Point, type View } from '../arithmetic/geometry'
import type { ScaleRange } from '../store/slices/uiSlice'
import { clearCanvas } from './clear'
import type { Scene } from './scene'
import { columnRangeOf, densityTopOf, differs, lookOf, outlineWidth, planeRangeOf } from './look'
import type { Look } from './tiles/paintTile'
import { TileGone, tileLoader } from './tiles/loadTiles'
import { RecordedFrame } from './tiles/recordedFrame'
import { TileCache, type LoadedTile } from './tiles/tileCache'
import { reloadMs, TileLayer, tileKey, type Box, type Drawn, type Plane } from './tiles/tileLayer'
import { TilePictures } from './tiles/tilePictures'
import { Vectors } from './vectors'

function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('expected a 2D canvas but the browser gave none')
  return context
}

type DrawnTiles = Drawn & { readonly shown: ReadonlySet<LoadedTile> }

interface FoundRanges {
  range?: ScaleRange
  layerRange?: ScaleRange
  densityTop?: number | null
}

interface Raster {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
  readonly layer: TileLayer<LoadedTile>
  readonly cache: TileCache<LoadedTile>
  /** What the canvas shows; null: nothing. */
  last: RecordedFrame | null
}

const addressOf = (runId: string, plane: Plane, revision: number, level: number, x: number, y: number): string =>
  plane.startsWith('compared:')
    ? tilePaths.compared(plane.endsWith(':density') ? 'density' : 'objects', Number(plane.split(':')[1]), level, x, y)
    : plane.startsWith('layer:')
      ? tilePaths.layer(runId, plane.slice('layer:'.length), revision, level, x, y)
      : tilePaths[plane === 'density' ? 'density' : 'objects'](runId, revision, level, x, y)

/** Tiles that come within so long of what was drawn last wait for each other. */
const togetherMs = 40

/** Below 2×, where a nucleus is a pixel or two, how many there are is all that can be seen; and where objects have no tiles. */
const farthestUmPerPx = 5
const umPerScreenPx = (view: View, runs: readonly RunStatus[]): number =>
  Math.min(...runs.map(({ grid, analysedMpp, nominalMpp }) => (analysedMpp ?? nominalMpp) / grid.scale / view.zoom), Infinity)
function isFar(view: View, ratio: number, runs: readonly RunStatus[]): boolean {
  const isBeyond = ({ grid }: RunStatus) => levelForZoom(view.zoom * ratio, grid.scale, grid.maxLevel) > deepestObjectLevel
  return runs.length > 0 && (umPerScreenPx(view, runs) > farthestUmPerPx || runs.some(isBeyond))
}

/** A coarse tile of a full run that is not complete must not hide what lies under the part of it that is still to come. */
function whereDone(run: RunStatus): RunStatus {
  if (run.purpose === 'preview' || run.state === 'done') return run
  const box = resultTiles.box(run.runId, run.grid)
  const region = box && intersect(box, run.region)
  return region ? { ...run, region } : run
}

/** Of others each tile of a layer would be computed anew. */
const layerRuns = ({ runs, layer }: Scene): RunStatus[] => runs.filter((run) => layer !== null && showsLayer(run, layer))

const runOfPath = (path: string): string => /\/(?:objects|density|layer)\/([^/]+)\//.exec(path)?.[1] ?? ''

export class OverlayCanvas {
  private readonly layerRaster: Raster
  private readonly overlayRaster: Raster
  private readonly vectors: Vectors
  private readonly pictures = new TilePictures()
  private readonly paths = new WeakMap<Shape, Path2D>()
  private scratch: CanvasRenderingContext2D | null = null
  private view: View | null = null
  private scene: Scene | null = null
  private frame = 0
  private lastSelected: ObjectDetails | null = null
  private later: ReturnType<typeof setTimeout> | undefined
  private together: ReturnType<typeof setTimeout> | undefined
  /** When tiles were last drawn anew. */
  private drawnAtMs = Number.NEGATIVE_INFINITY
  tilesOnScreen = 0

  constructor(
    layerCanvas: HTMLCanvasElement,
    overlayCanvas: HTMLCanvasElement,
    private readonly vectorCanvas: HTMLCanvasElement,
    private readonly onShown: (runId: string) => void,
    /** The engine says that a tile of the run is not there. */
    private readonly onGone: (runId: string) => void,
    /** What is in view decides what scales go from and to, where nobody chose. */
    private readonly onRanges: (ranges: FoundRanges) => void,
  ) {
    const raster = (canvas: HTMLCanvasElement): Raster => {
      const loadTile = tileLoader()
      const load = (path: string, signal: AbortSignal) =>
        loadTile(path, signal).catch((error: unknown) => {
          if (error instanceof TileGone) this.onGone(runOfPath(path))
          throw error
        })
      const cache: TileCache<LoadedTile> = new TileCache<LoadedTile>(load, () => this.loaded(cache.busy))
      const revision = (runId: string, level: number, x: number, y: number) => resultTiles.revision(runId, level, x, y)
      const made = {
        canvas,
        context: context2d(canvas),
        cache,
        layer: new TileLayer({ cache, revision, url: addressOf }),
        last: null,
      }
      canvas.addEventListener('contextrestored', this.onRestored)
      return made
    }
    this.layerRaster = raster(layerCanvas)
    this.overlayRaster = raster(overlayCanvas)
    this.vectors = new Vectors(context2d(vectorCanvas))
    vectorCanvas.addEventListener('contextrestored', this.onRestored)
  }

  /** The browser took a canvas' picture away, and gives an empty one. */
  private readonly onRestored = (): void => {
    for (const raster of [this.layerRaster, this.overlayRaster]) raster.last = null
    this.vectors.forget()
    this.schedule()
  }

  setScene(scene: Scene): void {
    if (this.scene && this.scene.runs !== scene.runs) {
      const ids = new Set(scene.runs.map((run) => run.runId))
      const gone = (key: string) => !ids.has(key.slice(0, key.indexOf('|')))
      this.layerRaster.cache.dropWhere(gone)
      this.overlayRaster.cache.dropWhere(gone)
    }
    this.scene = scene
    this.overlayRaster.canvas.style.visibility = scene.overlay.visible ? 'visible' : 'hidden'
    // An empty canvas is put together with the others all the same, each frame.
    this.layerRaster.canvas.style.visibility = scene.layer === null ? 'hidden' : 'visible'
    this.schedule()
  }

  /** Draws at once: called within the viewer's own frame, so that overlay and slide move together. */
  setView(view: View): void {
    this.view = view
    this.drawNow()
  }

  /** What has changed is asked for now, not with the next frame: up to 16 ms of what a slider waits. Nobody looks at a hidden page. */
  tilesChanged(): void {
    if (document.hidden) this.schedule()
    else this.drawNow()
  }

  /** The first tile is shown at once and so is the last; of those between some at a time, as each frame of a field takes a core for a while. */
  private loaded(moreComes: boolean): void {
    const rest = this.drawnAtMs + togetherMs - performance.now()
    if (!moreComes || rest <= 0) {
      this.schedule()
      return
    }
    this.together ??= setTimeout(() => this.schedule(), rest)
  }

  /** Nothing is to be loaded or drawn for what is shown. */
  get isDrawn(): boolean {
    const isLoading = this.layerRaster.cache.busy || this.overlayRaster.cache.busy
    return this.frame === 0 && this.together === undefined && !isLoading
  }

  schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.drawNow())
  }

  destroy(): void {
    cancelAnimationFrame(this.frame)
    clearTimeout(this.later)
    clearTimeout(this.together)
    for (const { cache, canvas } of [this.layerRaster, this.overlayRaster]) {
      cache.dropWhere(() => true)
      canvas.removeEventListener('contextrestored', this.onRestored)
    }
    this.vectorCanvas.removeEventListener('contextrestored', this.onRestored)
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frame)
    this.frame = 0
    clearTimeout(this.together)
    this.together = undefined
    const { view, scene } = this
    if (!view || !scene) return
    const ratio = window.devicePixelRatio || 1
    const width = Math.round(view.width * ratio)
    const height = Math.round(view.height * ratio)
    for (const canvas of [this.layerRaster.canvas, this.overlayRaster.canvas, this.vectorCanvas]) {
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
    }
    const umPerPx = umPerScreenPx(view, scene.runs)
    const look = lookOf(scene.overlay, umPerPx)
    const layer = scene.layer
      ? this.drawTiles(this.layerRaster, view, ratio, layerRuns(scene), `layer:${scene.layer}`, look)
      : this.clear(this.layerRaster)
    const { compared } = scene
    const runs = compared ? [compared.run] : scene.runs.map(whereDone)
    const far = isFar(view, ratio, runs)
    const kind = far ? 'density' : 'objects'
    const plane = compared ? `compared:${compared.comparison}:${kind}` : kind
    const overlay = this.drawTiles(this.overlayRaster, view, ratio, runs, plane, look)
    this.findRanges(scene, overlay, layer, far)
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
    if (raster.last) clearCanvas(raster.context)
    raster.last = null
    raster.cache.want([])
    return null
  }

  private drawTiles(raster: Raster, view: View, ratio: number, runs: readonly RunStatus[], plane: Plane, look: Look): DrawnTiles {
    const { canvas, context } = raster
    const outlinePx = outlineWidth(this.scene?.overlay.widthPx ?? 1, umPerScreenPx(view, runs)) * ratio
    const isTurned = view.rotation !== 0 || view.flipped
    const box = visibleBox(view)
    const width = box.width * view.zoom * ratio
    const height = box.height * view.zoom * ratio
    const turn = isTurned ? `${view.rotation}|${view.flipped}|${width}|${height}` : ''
    const known = runs.filter(({ runId }) => this.scene?.shapes[runId]).map(({ runId }) => runId)
    const frame = new RecordedFrame([look.key, outlinePx, canvas.width, canvas.height, turn, ...known].join('|'))
    const drawn = { ...raster.layer.draw(frame, view, ratio, runs, plane), shown: frame.tiles }
    if (frame.looksLike(raster.last)) return drawn
    raster.last = frame
    this.drawnAtMs = performance.now()
    clearCanvas(context)
    const place = { x: box.x, y: box.y, scale: view.zoom * ratio }
    if (!isTurned) {
      this.paint(context, frame, look, outlinePx, place)
      return drawn
    }
    // Turned tiles would show their antialiased edges: put them together upright, then turn the whole.
    const flat = this.flat(Math.ceil(width), Math.ceil(height))
    this.paint(flat, frame, look, outlinePx, place)
    context.translate(canvas.width / 2, canvas.height / 2)
    if (view.flipped) context.scale(-1, 1)
    context.rotate((view.rotation * Math.PI) / 180)
    context.imageSmoothingEnabled = view.rotation % 90 !== 0
    context.drawImage(flat.canvas, -width / 2, -height / 2)
    return drawn
  }

  private paint(
    context: CanvasRenderingContext2D,
    { steps }: RecordedFrame,
    look: Look,
    outlinePx: number,
    place: { readonly x: number; readonly y: number; readonly scale: number },
  ): void {
    for (const { tile, source, target, within } of steps) {
      if (!tile || !source) {
        if (within === null) context.clearRect(target.x, target.y, target.width, target.height)
        else this.clearWithin(context, target, within, place)
        continue
      }
      const { canvas, factor } = this.pictures.of(tile, look, target.width / source.width, outlinePx)
      // Smooth lines stay so where they are enlarged; pixels of an intermediate image stay pixels.
      context.imageSmoothingEnabled = factor > 1 || target.width < source.width * factor
      context.imageSmoothingQuality = 'medium'
      const from = [source.x * factor, source.y * factor, source.width * factor, source.height * factor] as const
      context.drawImage(canvas, ...from, target.x, target.y, target.width, target.height)
    }
  }

  /** Before the engine has told a run's shapes nothing is cleared: what is older shows through for a moment. */
  private clearWithin(
    context: CanvasRenderingContext2D,
    { x, y, width, height }: Box,
    runId: string,
    place: { readonly x: number; readonly y: number; readonly scale: number },
  ): void {
    for (const shape of this.scene?.shapes[runId] ?? []) {
      context.save()
      const { scale } = place
      context.setTransform(scale, 0, 0, scale, -place.x * scale, -place.y * scale)
      context.clip(this.pathOf(shape), 'evenodd')
      context.resetTransform()
      context.clearRect(x, y, width, height)
      context.restore()
    }
  }

  /** Level-0 px. */
  private pathOf(shape: Shape): Path2D {
    let path = this.paths.get(shape)
    if (!path) this.paths.set(shape, (path = new Path2D(pathOf(shape))))
    return path
  }

  /** Found once from the first tiles, so that nothing is drawn on a scale that shows nothing, and once more from all that is in view. */
  private findRanges({ overlay: state, runs }: Scene, overlay: DrawnTiles, layer: DrawnTiles | null, far: boolean): void {
    const isAll = (drawn: DrawnTiles) =>
      drawn.complete.size >= runs.length || [...drawn.runs].every((id) => drawn.complete.has(id))
    const found: FoundRanges = {}
    if (far && overlay.shown.size > 0) {
      const top = densityTopOf(overlay.shown)
      if (top !== null && top !== state.densityTop) found.densityTop = top
    } else if (!far && state.densityTop !== null) found.densityTop = null
    if (!far && state.column !== null && !state.range?.settled && overlay.shown.size > 0) {
      const range = columnRangeOf(overlay.shown, state.column)
      if (range) found.range = { ...range, settled: isAll(overlay) }
    }
    if (layer && !state.layerRange?.settled && layer.shown.size > 0) {
      const range = planeRangeOf(layer.shown)
      if (range) found.layerRange = { ...range, settled: isAll(layer) }
    }
    const isNew =
      found.densityTop !== undefined || differs(state.range, found.range) || differs(state.layerRange, found.layerRange)
    if (isNew) queueMicrotask(() => this.onRanges(found))
  }

  /** What the intermediate image on screen holds at a point of level 0: 0 … 255. */
  layerValueAt(at: Point): number | null {
    const { view, scene } = this
    if (!view || !scene?.layer) return null
    for (const run of layerRuns(scene).reverse()) {
      const { grid, runId } = run
      const level = levelForZoom(view.zoom * (window.devicePixelRatio || 1), grid.scale, grid.maxLevel)
      const span = tileSpan(grid, level)
      const tile = { level, x: Math.floor(at.x / span), y: Math.floor(at.y / span) }
      const data = this.layerRaster.cache.get(tileKey(runId, `layer:${scene.layer}`, tile))?.bitmap?.data
      if (!data || data.kind === 'objects' || data.kind === 'density') continue
      const px = Math.floor(((at.x - tile.x * span) / span) * data.sidePx)
      const py = Math.floor(((at.y - tile.y * span) / span) * data.sidePx)
      const value = data.values[py * data.sidePx + px] ?? 0
      if (value >= 256) return value - 256
    }
    return null
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
  private report(scene: Scene, overlay: DrawnTiles, layer: DrawnTiles | null): void {
    // The watch knows which run it waits for.
    for (const drawn of [overlay, layer]) for (const id of drawn?.runs ?? []) endWatch('param-to-first-tile', id)
    // While a new click is looked up, the object before it stays on screen.
    if (scene.selected && scene.selected !== this.lastSelected) endWatch('click-to-outline')
    this.lastSelected = scene.selected
    for (const run of scene.runs) {
      if (run.state === 'done' && overlay.complete.has(run.runId)) endWatch('param-to-field', run.runId)
      const layerComplete = layer === null || run.purpose === 'run' || layer.complete.has(run.runId)
      if (run.state === 'done' && overlay.complete.has(run.runId) && layerComplete && scene.runs.length > 1)
        queueMicrotask(() => this.onShown(run.runId))
    }
  }
}
