// The only importer of OpenSeadragon: one slide, its view, and gestures in level-0 px.
import OpenSeadragon from 'openseadragon'
import type { Region } from '../../../app/contract'
import type { ViewerHandle } from '../../store/base/viewerHandle'
import { rightOf, toImage, type Point, type View } from '../../arithmetic/geometry'
import type { Place } from '../../arithmetic/linkedViews'
import type { OsdEvents, Source } from './osdTypes'
import { osdOptions } from './osdOptions'
import { PictureCache } from '../tiles/pictureCache'
import type { DrawerChoice } from './osdOptions'
import { Repainter } from '../tiles/repainter'
import { restFrames, rousedBy } from '../tiles/restingFrames'
import { retryAfterMs } from '../tiles/retry'

type Load = (url: string, tile: OpenSeadragon.Tile, k: number, signal: AbortSignal) => Promise<ImageBitmap>

class Halvings extends OpenSeadragon.TileSource {
  private readonly looks = new WeakMap<OpenSeadragon.Tile, object>()

  constructor(
    private readonly from: Source,
    private readonly load: Load,
  ) {
    super({
      width: from.widthPx,
      height: from.heightPx,
      tileSize: from.tileSizePx,
      tileOverlap: 0,
      minLevel: 0,
      maxLevel: from.maxLevel,
    })
  }
  override getTileUrl(level: number, x: number, y: number): string {
    return this.from.url(this.maxLevel - level, x, y)
  }
  /** By fetch: an image element hides the answer's headers, and goes on loading what nobody waits for. */
  override downloadTileStart(job: OpenSeadragon.ImageJob): void {
    const abort = new AbortController()
    job.userData = abort
    this.bitmapOf(job.tile, job.src, abort.signal).then(
      // Of a job that was taken back nobody takes it.
      (bitmap) => (abort.signal.aborted ? bitmap.close() : job.finish(bitmap, null, 'imageBitmap')),
      (error: unknown) => job.fail(String(error), null),
    )
  }
  /** null: as it was loaded it has the look that is asked for. */
  async repainted(tile: OpenSeadragon.Tile): Promise<ImageBitmap | null> {
    const look = this.from.painter?.look()
    if (!look || this.looks.get(tile) === look) return null
    return this.load(tile.getUrl(), tile, this.maxLevel - tile.level, new AbortController().signal)
  }
  private async bitmapOf(tile: OpenSeadragon.Tile, url: string, signal: AbortSignal): Promise<ImageBitmap> {
    const look = this.from.painter?.look()
    const bitmap = await this.load(url, tile, this.maxLevel - tile.level, signal)
    if (look) this.looks.set(tile, look)
    return bitmap
  }
  override downloadTileAbort(job: OpenSeadragon.ImageJob): void {
    if (job.userData instanceof AbortController) job.userData.abort()
  }
}

// The library drops pictures without closing them: their pixels would be given back when JavaScript's heap is next cleaned up, which is small and seldom is.
OpenSeadragon.converter.learnDestroy('imageBitmap', (bitmap: ImageBitmap) => bitmap.close())

export class OsdViewer implements ViewerHandle {
  private readonly osd: OpenSeadragon.Viewer
  private readonly navigatorPlace: HTMLElement | null
  private source: Source | null = null
  private bounds: Region | null = null
  private dragFrom: Point | null = null
  private firstTile: 'none' | 'loaded' | 'drawn' = 'none'
  private baseItem: OpenSeadragon.TiledImage | null = null
  private stainCount = 0
  /** The stain that was asked for last has loaded: nothing of the slide's colours is seen behind it. */
  private stainCovers = false
  /** Left of it, as a share of the width, a stain leaves the slide's colours; null: nowhere. */
  private split: number | null = null
  /** Where a fit is on its way to. */
  private fitting: OpenSeadragon.Rect | null = null
  private readonly pictures = new PictureCache()
  private readonly repainter: Repainter<OpenSeadragon.Tile>
  private readonly failures = new WeakMap<OpenSeadragon.Tile, number>()

  constructor(
    element: HTMLElement,
    navigatorPlace: HTMLElement | null,
    drawer: DrawerChoice,
    private readonly events: OsdEvents,
  ) {
    // OpenSeadragon takes the element out of its parent and wraps it: React must not own it.
    const navigatorElement = document.createElement('div')
    navigatorElement.className = 'overview-view'
    navigatorPlace?.replaceChildren(navigatorElement)
    this.navigatorPlace = navigatorPlace
    const frames = restFrames(OpenSeadragon)
    // The default gets translucent colours wrong.
    const webgl: OpenSeadragon.WebGLDrawerOptions = { unpackWithPremultipliedAlpha: true }
    const places = { element, navigatorElement, showNavigator: navigatorPlace !== null }
    this.osd = OpenSeadragon({ ...osdOptions(drawer), ...places, drawerOptions: { webgl } })
    // Keys are the whole window's affair (see keys.ts): two owners would move the view twice.
    this.osd.setKeyboardNavEnabled(false)
    rousedBy(this.osd, frames)
    this.repainter = new Repainter(this.osd, (source) => (source instanceof Halvings ? source : null))
    this.listen()
  }

  /** `keepView`: the same slide came back, perhaps in a new engine. `firstField`: what is shown at first, else `bounds`, else all. */
  open(source: Source | null, bounds: Region | null, keepView: boolean, firstField: Region | null = null): void {
    const view =
      keepView && this.source ? { center: this.osd.viewport.getCenter(false), zoom: this.osd.viewport.getZoom(false) } : null
    this.source = source
    this.bounds = bounds
    this.firstTile = 'none'
    this.stainCount++
    this.osd.world.removeAll()
    this.pictures.clear()
    this.fitting = null
    if (!source) return
    this.osd.addTiledImage({
      tileSource: new Halvings(source, this.loadFor(source)),
      success: (event: unknown) => {
        if (this.source !== source) return
        this.baseItem = (event as { item: OpenSeadragon.TiledImage }).item
        if (view) {
          this.osd.viewport.zoomTo(view.zoom, undefined, true)
          this.osd.viewport.panTo(view.center, true)
        } else {
          this.osd.viewport.setRotation(0, true)
          this.osd.viewport.setFlip(false)
          if (firstField) this.fitBox(firstField, true)
          else this.fit(true)
        }
        this.osd.forceRedraw()
      },
    })
  }

  /** A stain channel instead of the slide's colours; the slide stays until the channel has loaded. */
  showStain(url: Source['url'] | null): void {
    const count = ++this.stainCount
    this.stainCovers = false
    this.layStains()
    // The one before stays, as long as it takes; of several that were asked for one after the other all do.
    const dropStains = (but?: OpenSeadragon.TiledImage): void => {
      for (const item of this.stains()) if (item !== but) this.osd.world.removeItem(item)
    }
    if (!url || !this.source) return dropStains()
    const { painter: _, ...plain } = this.source
    const stain = { ...plain, url }
    this.osd.addTiledImage({
      tileSource: new Halvings(stain, this.loadFor(stain, this.source)),
      success: (event: unknown) => {
        const item = (event as { item: OpenSeadragon.TiledImage }).item
        if (count !== this.stainCount) return this.osd.world.removeItem(item)
        this.layStains()
        item.whenFullyLoaded(() => {
          if (count !== this.stainCount) return
          dropStains(item)
          this.stainCovers = true
          this.layStains()
        })
      },
    })
  }
  setSplit(share: number | null): void {
    this.split = share
    this.layStains()
  }

  /** The view rests, and its tiles are there. */
  get isDrawn(): boolean {
    const { viewport, world } = this.osd
    const rests = viewport.getZoom(true) === viewport.getZoom(false) && viewport.getCenter(true).equals(viewport.getCenter(false))
    return rests && (world.getItemCount() === 0 || this.osd.getFullyLoaded())
  }

  /** The painter's look has changed. */
  repaint(): void {
    this.repainter.repaint()
  }
  fit(immediately = false): void {
    const { source, bounds } = this
    if (!source) return
    const box = bounds ?? { x: 0, y: 0, width: source.widthPx, height: source.heightPx }
    this.fitBox(box, immediately)
  }
  fitRegion(region: Region): void {
    this.fitBox(region, false)
  }
  zoomTo(perLevel0Px: number): void {
    if (!this.source) return
    this.arrive()
    this.osd.viewport.zoomTo((perLevel0Px * this.source.widthPx) / this.osd.viewport.getContainerSize().x)
    this.osd.viewport.applyConstraints()
  }
  zoomBy(factor: number): void {
    this.arrive()
    this.osd.viewport.zoomBy(factor)
    this.osd.viewport.applyConstraints()
  }
  panBy(dxPx: number, dyPx: number): void {
    this.arrive()
    const right = this.osd.viewport.getFlip() ? -dxPx : dxPx
    this.osd.viewport.panBy(this.osd.viewport.deltaPointsFromPixels(new OpenSeadragon.Point(right, dyPx)))
    this.osd.viewport.applyConstraints()
  }
  rotateBy(degrees: number): void {
    // The flip comes after the turn: what turns clockwise on the screen turns the other way before it.
    const turn = this.osd.viewport.getFlip() ? -degrees : degrees
    this.osd.viewport.setRotation(this.osd.viewport.getRotation(false) + turn)
  }
  flip(): void {
    this.osd.viewport.toggleFlip()
  }
  turnUpright(): void {
    this.osd.viewport.setRotation(0)
    this.osd.viewport.setFlip(false)
  }
  /** Where another view leads it: at once, as that one moves. */
  follow({ center, zoom, rotation, flipped }: Place): void {
    const { source, osd } = this
    if (!source || !this.baseItem) return
    this.fitting = null
    osd.viewport.setFlip(flipped)
    osd.viewport.setRotation(rotation, true)
    osd.viewport.zoomTo((zoom * source.widthPx) / osd.viewport.getContainerSize().x, undefined, true)
    osd.viewport.panTo(new OpenSeadragon.Point(center.x / source.widthPx, center.y / source.widthPx), true)
  }
  focus(): void {
    this.osd.canvas.focus({ preventScroll: true })
  }
  label(text: string): void {
    this.osd.canvas.setAttribute('aria-label', text)
    this.osd.canvas.setAttribute('role', 'application')
  }
  destroy(): void {
    this.source = null
    this.osd.destroy()
    this.navigatorPlace?.replaceChildren()
  }

  private loadFor(source: Source, of = source): Load {
    return async (url, { x, y }, k, signal) => {
      const { bitmap, unreadable, reason, sampledEvery } = await (source.painter
        ? source.painter.paint(k, x, y, signal)
        : this.pictures.bitmap(url, signal))
      if (this.source !== of) return bitmap
      if (unreadable > 0) this.events.onUnreadable(unreadable, reason)
      if (sampledEvery > 1) this.events.onSampled(k, sampledEvery)
      return bitmap
    }
  }

  /** The library never asks again for a tile that failed; an engine that was busy or away answers later. */
  private revive({ tile, tiledImage: item }: OpenSeadragon.TileLoadFailedEvent, viewer: OpenSeadragon.Viewer): void {
    const failures = (this.failures.get(tile) ?? 0) + 1
    this.failures.set(tile, failures)
    setTimeout(() => {
      tile.exists = true
      if (!this.source) return
      // An image whose last tiles have failed counts as loaded, and is not looked through again before it changes or moves: its clip does, to
      // what it was.
      if (item && viewer.world.getIndexOfItem(item) >= 0) item.setClip(item.getClip())
      viewer.forceRedraw()
    }, retryAfterMs(failures))
  }

  /** Whatever lies over the slide's own picture. */
  private stains(): OpenSeadragon.TiledImage[] {
    const { world } = this.osd
    return Array.from({ length: Math.max(0, world.getItemCount() - 1) }, (_, i) => world.getItemAt(i + 1))
  }

  /** Where stains are seen, and whether the slide's colours are: again for every frame of a moving view, before it is drawn. */
  private layStains(): void {
    this.baseItem?.setOpacity(this.stainCovers && this.split === null ? 0 : 1)
    const view = this.split === null ? null : this.view()
    for (const item of this.stains()) {
      if (!view) item.resetCroppingPolygons()
      else item.setCroppingPolygons([rightOf(view, this.split!).map(({ x, y }) => new OpenSeadragon.Point(x, y))])
    }
  }

  private fitBox(box: { x: number; y: number; width: number; height: number }, immediately: boolean): void {
    const w = this.source?.widthPx ?? 1
    const margin = 0.02 * Math.max(box.width, box.height)
    const rect = new OpenSeadragon.Rect(
      (box.x - margin) / w,
      (box.y - margin) / w,
      (box.width + 2 * margin) / w,
      (box.height + 2 * margin) / w,
    )
    this.fitting = immediately ? null : rect
    this.osd.viewport.fitBounds(rect, immediately)
  }

  /** Ends a fit that is under way: it moves about a point that may lie far off, and a zoom begun meanwhile would stay somewhere on that way. */
  private arrive(): void {
    if (this.fitting) this.osd.viewport.fitBounds(this.fitting, true)
    this.fitting = null
  }

  private view(): View | null {
    if (!this.source || !this.baseItem) return null
    const w = this.source.widthPx
    const center = this.osd.viewport.getCenter(true)
    const size = this.osd.viewport.getContainerSize()
    const turn = this.osd.viewport.getRotation(true) % 360
    return {
      center: { x: center.x * w, y: center.y * w },
      zoom: (this.osd.viewport.getZoom(true) * size.x) / w,
      rotation: (turn + 360) % 360,
      flipped: this.osd.viewport.getFlip(),
      width: size.x,
      height: size.y,
    }
  }

  private at(position: Point): Point | null {
    const view = this.view()
    return view && toImage(view, position)
  }

  private listen(): void {
    const { osd, events } = this
    // A flip is no change of the viewport's.
    for (const moved of ['viewport-change', 'flip'] as const) osd.addHandler(moved, () => this.split !== null && this.layStains())
    osd.addHandler('update-viewport', () => {
      const view = this.view()
      if (view) events.onFrame(view)
      if (this.firstTile !== 'loaded') return
      this.firstTile = 'drawn'
      events.onFirstTile()
    })
    osd.addHandler('animation-finish', () => {
      this.fitting = null
      events.onSettled()
    })
    osd.addHandler('canvas-scroll', (event) => {
      const { ctrlKey, metaKey } = event.originalEvent as WheelEvent
      if ((ctrlKey || metaKey) && events.onWheel(Math.sign(event.scroll))) event.preventDefaultAction = true
      else this.fitting = null
    })
    // The WebGL drawer does not tell of drawn tiles: the first frame after the first loaded tile is the same moment.
    osd.addHandler('tile-loaded', () => {
      if (this.firstTile === 'none') this.firstTile = 'loaded'
    })
    osd.addHandler('tile-load-failed', (event) => {
      this.revive(event, osd)
      events.onTileFailed()
    })
    // The small map loads its own.
    if (this.navigatorPlace) osd.navigator.addHandler('tile-load-failed', (event) => this.revive(event, osd.navigator))
    osd.addHandler('canvas-click', (event) => {
      // Of this event alone the library has flipped the place already.
      const { x, y } = event.position
      const at = this.at({ x: osd.viewport.getFlip() ? osd.viewport.getContainerSize().x - x : x, y })
      if (event.quick && at && (events.clicksToo() || !events.wantsDrag())) events.onClick(at)
    })
    osd.addHandler('canvas-press', (event) => {
      this.fitting = null
      this.dragFrom = events.wantsDrag() ? this.at(event.position) : null
    })
    osd.addHandler('canvas-drag', (event) => {
      const to = this.at(event.position)
      if (!this.dragFrom || !to) return
      event.preventDefaultAction = true
      events.onDrag(this.dragFrom, to, false)
    })
    osd.addHandler('canvas-drag-end', (event) => {
      const to = this.at(event.position)
      if (!this.dragFrom || !to) return
      event.preventDefaultAction = true
      events.onDrag(this.dragFrom, to, true)
      this.dragFrom = null
    })
    this.osd.canvas.addEventListener('pointermove', (event) => {
      const box = this.osd.canvas.getBoundingClientRect()
      events.onPointer(this.at({ x: event.clientX - box.left, y: event.clientY - box.top }))
    })
    this.osd.canvas.addEventListener('pointerleave', () => events.onPointer(null))
  }
}
