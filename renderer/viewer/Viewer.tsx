// The slide on screen: joins the OpenSeadragon viewer, the overlay canvases and the store.
import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react'
import { stainsWord, tilePaths } from '../../app/contract'
import { api } from '../api'
import { brushed, brushWheels, dabbed } from '../store/objects/brushActions'
import { keyNamed } from '../store/base/commandKeys'
import { dropWatch, endWatch } from '../store/base/latency'
import { clicked, dragged, hovered } from '../store/document/projectActions'
import { isBrush, isClicked } from '../store/slices/projectSlice'
import { pointed } from '../store/document/pointActions'
import { addObjectAt } from '../store/objects/redrawActions'
import { cutDragged } from '../store/objects/reshapeActions'
import { currentSpec, valuesOf } from '../store/slices/recipeSlice'
import { viewSettled } from '../store/runs/previewActions'
import { segment } from '../store/runs/runActions'
import { shown } from '../store/runs/runEnds'
import { openMenuAt, openMenuOfSelected } from '../store/commands/slideMenuActions'
import { tileIsGone } from '../store/runs/runList'
import { selectAt } from '../store/selection/selectionActions'
import { getState, patch, useStore } from '../store/store'
import { stretchFound } from '../store/slide/toneActions'
import { keepWand, wandHovered, wandStrokes, wandWalks } from '../store/objects/wandActions'
import { askWhy, whyHovered } from '../store/recipe/whyActions'
import { regionOfCorners, toImage, type Point, type View } from '../arithmetic/geometry'
import { setLayerProbe } from '../store/base/probe'
import { setPictureMaker, setViewer } from '../store/base/viewerHandle'
import { words } from '../words'
import { useChannelPainter } from './tiles/useChannelPainter'
import { CutLayer } from './layers/CutLayer'
import { drawerChoice } from './drawer'
import { GridLayer } from './layers/GridLayer'
import type { OsdEvents } from './osd/osdTypes'
import { OsdViewer } from './osd/osdViewer'
import { OverlayCanvas } from './overlayCanvas'
import { lookOfSlide } from './slideLook'
import { slideUrl, useProfile } from './slideUrls'
import { clickedRegion } from './regions/ManyRegions'
import { drawingHow, RegionLayer, selectsMore } from './regions/RegionLayer'
import { publishHooks } from './testHooks'
import { useOverlay } from './useOverlay'
import { SlideMenu } from './SlideMenu'
import { clipOf, SplitBar } from './second/SplitBar'
import { ToneFilter, toneFilter } from './ToneFilter'
import { ViewerFrame } from './ViewerFrame'
import { viewPicture } from './viewPicture'
import { HotSpotLayer } from './layers/HotSpotLayer'
import { WandLayer } from './layers/WandLayer'
import { WhyLayer } from './layers/WhyLayer'

/** A rectangle below this many screen px is a slip of the hand. */
const smallestDragPx = 8

function onDrag(from: Point, to: Point, finished: boolean): void {
  const { slide, ui } = getState()
  if (!slide.info || !ui.view) return
  const region = regionOfCorners(from, to, slide.info.widthPx, slide.info.heightPx)
  if (!finished) return patch('ui', { drawn: region })
  const longEnough = Math.hypot(to.x - from.x, to.y - from.y) * ui.view.zoom >= smallestDragPx
  if (region && longEnough) segment(region)
  else patch('ui', { drawn: null })
}

/** A tool that draws a region by dragging has the drag; of those that click the slide has it. */
const dragTool = (): boolean => {
  const { tool } = getState().project
  return tool !== null && !isClicked(tool) && tool !== 'points' && tool !== 'add'
}

const paints = (): boolean => isBrush(getState().project.tool)

/** Who draws or clicks on the slide has left the control that was used before: its keys are the page's again. */
function takesKeyboard({ target }: PointerEvent<HTMLElement>): void {
  const { activeElement: held } = document
  const isControl = target instanceof Element && target.closest('button, input, label, a[href], [role="separator"]') !== null
  if (!isControl && held instanceof HTMLElement && !held.contains(target as Node)) held.blur()
}

/** Whether the Menu key or Shift+F10 asks for a menu. Where the page has answered the key itself, Windows still sends this when it is let go. */
const isOfKey = ({ button, ctrlKey, pointerType }: globalThis.MouseEvent & { readonly pointerType?: string }): boolean =>
  button !== 2 && !ctrlKey && pointerType !== 'touch' && pointerType !== 'pen'

/** Nothing has the focus: the key means the slide. */
function opensMenuByKey(event: globalThis.MouseEvent): void {
  if (event.target !== document.body || !isOfKey(event) || getState().ui.dialog !== null || getState().start.shown) return
  event.preventDefault()
  openMenuOfSelected()
}

/** On the slide, not on what stands over it. */
function opensMenu(event: MouseEvent<HTMLElement>): void {
  const { view } = getState().ui
  const { target, currentTarget, clientX, clientY } = event
  // The menu that is open is the answer: the browser has none to add.
  if (target instanceof Element && target.closest('[role="menu"]')) return event.preventDefault()
  if (!view || !(target instanceof Element) || target.closest('button, input, section, [role="toolbar"], .overview')) return
  event.preventDefault()
  if (isOfKey(event.nativeEvent)) return openMenuOfSelected()
  const box = currentTarget.getBoundingClientRect()
  void openMenuAt(toImage(view, { x: clientX - box.left, y: clientY - box.top }))
}

const sameView = (a: View | null, b: View): boolean =>
  a !== null &&
  a.zoom === b.zoom &&
  a.rotation === b.rotation &&
  a.flipped === b.flipped &&
  a.width === b.width &&
  a.height === b.height &&
  a.center.x === b.center.x &&
  a.center.y === b.center.y

export function Viewer() {
  const root = useRef<HTMLElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const navigator = useRef<HTMLDivElement>(null)
  const layerCanvas = useRef<HTMLCanvasElement>(null)
  const overlayCanvas = useRef<HTMLCanvasElement>(null)
  const vectorCanvas = useRef<HTMLCanvasElement>(null)
  const overlay = useRef<OverlayCanvas | null>(null)
  const osd = useRef<OsdViewer | null>(null)
  const [byKeyboard, setByKeyboard] = useState(false)
  const info = useStore((state) => state.slide.info)
  const layer = useStore((state) => state.ui.layer)
  const stains = useStore(({ recipe }) => {
    const spec = currentSpec(recipe)
    return spec ? stainsWord(spec, valuesOf(recipe)) : 'h-e'
  })
  const tool = useStore((state) => state.ui.tool)
  const regionTool = useStore((state) => state.project.tool)
  const split = useStore((state) => state.ui.split)
  const clip = clipOf(split)
  const wand = useStore((state) => state.wand.on)
  const filter = useStore((state) => toneFilter(state.tone))
  const painter = useChannelPainter(info, osd)

  useEffect(() => {
    if (!host.current || !navigator.current || !layerCanvas.current || !overlayCanvas.current || !vectorCanvas.current) return
    const canvas = new OverlayCanvas(
      layerCanvas.current,
      overlayCanvas.current,
      vectorCanvas.current,
      shown,
      tileIsGone,
      (ranges) => patch('overlay', ranges),
    )
    setLayerProbe((at) => canvas.layerValueAt(at))
    overlay.current = canvas
    let tilesFailed = 0
    const events: OsdEvents = {
      onFrame(view) {
        canvas.setView(view)
        if (!sameView(getState().ui.view, view)) patch('ui', { view })
      },
      onSettled: viewSettled,
      onFirstTile: () => endWatch('slide-first-tile'),
      onTileFailed() {
        if (++tilesFailed === 1) dropWatch('slide-first-tile')
      },
      onUnreadable(_parts, reason) {
        const slideId = getState().slide.info?.slideId
        if (slideId !== undefined && getState().ui.hatched?.slideId !== slideId) patch('ui', { hatched: { slideId, reason } })
      },
      onSampled(k, every) {
        const { slide, ui } = getState()
        const slideId = slide.info?.slideId
        if (slideId === undefined) return
        const known = ui.sampled?.slideId === slideId ? ui.sampled.everyByLevel : {}
        if (known[k] !== every) patch('ui', { sampled: { slideId, everyByLevel: { ...known, [k]: every } } })
      },
      onClick(at) {
        if (isClicked(getState().project.tool)) clicked(at, drawingHow())
        else if (getState().project.tool === 'points') pointed(at, drawingHow() === 'subtract')
        else if (getState().project.tool === 'brush') dabbed(at, drawingHow())
        else if (getState().project.tool === 'add') void addObjectAt(at)
        else if (getState().wand.on) void keepWand()
        else if (getState().why.on) askWhy(at)
        else if (!clickedRegion(at, selectsMore())) void selectAt(at)
      },
      onPointer(pointer) {
        patch('ui', { pointer })
        hovered(pointer)
        wandHovered(pointer)
        whyHovered(pointer)
      },
      wantsDrag: () => getState().ui.tool === 'rectangle' || dragTool() || getState().wand.on,
      clicksToo: () => getState().wand.on || paints(),
      onDrag(from, to, finished) {
        if (getState().wand.on) wandStrokes(from, to, finished)
        else if (paints()) brushed(from, to, finished, drawingHow())
        else if (getState().project.tool === 'cut') cutDragged(from, to, finished)
        else if (dragTool()) dragged(from, to, finished, drawingHow())
        else onDrag(from, to, finished)
      },
      onWheel: (notches) => wandWalks(notches) || brushWheels(notches),
    }
    const made = new OsdViewer(host.current, navigator.current, drawerChoice(), events)
    osd.current = made
    setViewer(made)
    setPictureMaker(() => viewPicture(root.current!))
    publishHooks(
      () => canvas.tilesOnScreen,
      () => made.isDrawn && canvas.isDrawn,
    )
    return () => {
      setViewer(null)
      setPictureMaker(null)
      setLayerProbe(null)
      made.destroy()
      canvas.destroy()
      osd.current = null
      overlay.current = null
    }
  }, [])

  useEffect(() => {
    window.addEventListener('contextmenu', opensMenuByKey)
    return () => window.removeEventListener('contextmenu', opensMenuByKey)
  }, [])

  const byProfile = useProfile(info)
  const path = useRef<string | null>(null)
  useEffect(() => {
    const keepView = info !== null && path.current === info.path
    path.current = info?.path ?? null
    if (!info) return osd.current?.open(null, null, false)
    const { widthPx, heightPx, viewer } = info
    const { firstField } = getState().slide
    const source = { widthPx, heightPx, ...viewer, url: slideUrl(info, byProfile), ...(painter && { painter }) }
    osd.current?.open(source, info.bounds, keepView, firstField)
    osd.current?.label(words.viewer.slide(info.name, keyNamed('segmentCenter')))
  }, [info, painter, byProfile])

  useEffect(() => {
    if (!info) return
    const abort = new AbortController()
    void lookOfSlide(info, abort.signal).then((look) => {
      if (look === null || abort.signal.aborted) return
      patch('slide', { look: { slideId: info.slideId, dark: look.dark } })
      // Channels have contrasts of their own.
      stretchFound(info.path, look.stretch, look.needsStretch && painter === null)
    })
    return () => abort.abort()
  }, [info, painter])

  useEffect(() => {
    if (!info) return
    const channel = layer.startsWith('stain:') ? Number(layer.slice('stain:'.length)) : null
    osd.current?.showStain(
      channel === null ? null : (k, x, y) => api().tileUrl(tilePaths.stain(info.slideId, stains, channel, k, x, y)),
    )
  }, [info, layer, stains])

  // Its pictures come of tiles that lie over the slide's own: no style clips one and leaves the other.
  useEffect(() => osd.current?.setSplit(split), [split])

  useOverlay(overlay, byKeyboard)

  return (
    <main
      ref={root}
      className={`viewer ${tool === 'rectangle' || regionTool || wand ? 'drawing' : ''}`}
      data-testid="viewer"
      aria-label={words.viewer.title}
      onPointerDownCapture={takesKeyboard}
      onContextMenu={opensMenu}
    >
      <div
        ref={host}
        style={{ filter }}
        className="fill"
        onFocus={(event) => setByKeyboard(event.target.matches(':focus-visible'))}
        onBlur={() => setByKeyboard(false)}
        onPointerDown={() => setByKeyboard(false)}
      />
      <canvas ref={layerCanvas} style={clip} className="fill through crisp" data-testid="layer-canvas" aria-hidden />
      <canvas ref={overlayCanvas} style={clip} className="fill through crisp" data-testid="overlay-canvas" aria-hidden />
      <canvas ref={vectorCanvas} style={clip} className="fill through" data-testid="vector-canvas" aria-hidden />
      <CutLayer />
      <RegionLayer />
      {info && <SplitBar />}
      <HotSpotLayer />
      <WandLayer />
      <WhyLayer />
      <GridLayer />
      <ToneFilter />
      <SlideMenu />
      <ViewerFrame
        navigator={
          <div ref={navigator} className="overview" style={{ filter }} role="group" aria-label={words.viewer.overview} />
        }
      />
    </main>
  )
}
