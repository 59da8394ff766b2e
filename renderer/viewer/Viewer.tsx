// The slide on screen: joins the OpenSeadragon viewer, the overlay canvases and the store.
import { useEffect, useRef, useState } from 'react'
import { tilePaths } from '../../app/contract'
import { api } from '../api'
import { dropWatch, endWatch } from '../store/latency'
import { currentSpec } from '../store/recipeSlice'
import { viewSettled } from '../store/previewActions'
import { segment } from '../store/runActions'
import { shown } from '../store/runEnds'
import { tileIsGone } from '../store/runList'
import { selectAt } from '../store/selectionActions'
import { getState, patch, useStore } from '../store/store'
import { regionOfCorners, type Point, type View } from '../arithmetic/geometry'
import { setViewer } from '../store/viewerHandle'
import { OsdViewer, type OsdEvents } from './osdViewer'
import { OverlayCanvas } from './overlayCanvas'
import { looksDark } from './slideLook'
import { publishHooks } from './testHooks'
import { useOverlay } from './useOverlay'
import { ViewerFrame } from './ViewerFrame'

/** A rectangle below this many screen px is a slip of the hand. */
const smallestDragPx = 8

const drawerChoice = () => (new URLSearchParams(window.location.search).get('drawer') === 'canvas' ? 'canvas' : 'webgl')

function onDrag(from: Point, to: Point, finished: boolean): void {
  const { slide, ui } = getState()
  if (!slide.info || !ui.view) return
  const region = regionOfCorners(from, to, slide.info.widthPx, slide.info.heightPx)
  if (!finished) return patch('ui', { drawn: region })
  const longEnough = Math.hypot(to.x - from.x, to.y - from.y) * ui.view.zoom >= smallestDragPx
  if (region && longEnough) segment(region)
  else patch('ui', { drawn: null })
}

const sameView = (a: View | null, b: View): boolean =>
  a !== null &&
  a.zoom === b.zoom &&
  a.rotation === b.rotation &&
  a.width === b.width &&
  a.height === b.height &&
  a.center.x === b.center.x &&
  a.center.y === b.center.y

export function Viewer() {
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
  const stainSet = useStore((state) => currentSpec(state.recipe)?.stainSet ?? 'h-e')
  const tool = useStore((state) => state.ui.tool)

  useEffect(() => {
    if (!host.current || !navigator.current || !layerCanvas.current || !overlayCanvas.current || !vectorCanvas.current) return
    const canvas = new OverlayCanvas(layerCanvas.current, overlayCanvas.current, vectorCanvas.current, shown, tileIsGone)
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
      onClick: (at) => void selectAt(at),
      onPointer: (pointer) => patch('ui', { pointer }),
      wantsDrag: () => getState().ui.tool === 'rectangle',
      onDrag,
    }
    const made = new OsdViewer(host.current, navigator.current, drawerChoice(), events)
    osd.current = made
    setViewer(made)
    publishHooks(() => canvas.tilesOnScreen)
    return () => {
      setViewer(null)
      made.destroy()
      canvas.destroy()
      osd.current = null
      overlay.current = null
    }
  }, [])

  const path = useRef<string | null>(null)
  useEffect(() => {
    const keepView = info !== null && path.current === info.path
    path.current = info?.path ?? null
    if (!info) return osd.current?.open(null, null, false)
    const { slideId, widthPx, heightPx, viewer } = info
    const url = (k: number, x: number, y: number) => api().tileUrl(tilePaths.slide(slideId, k, x, y))
    osd.current?.open({ widthPx, heightPx, ...viewer, url }, info.bounds, keepView)
    osd.current?.label(
      `Slide ${info.name}. Arrow keys pan, plus and minus zoom, Space segments the visible field, C selects the object at the centre.`,
    )
  }, [info])

  useEffect(() => {
    if (!info) return
    const abort = new AbortController()
    void looksDark(info, abort.signal).then((dark) => {
      if (dark !== null && !abort.signal.aborted) patch('slide', { look: { slideId: info.slideId, dark } })
    })
    return () => abort.abort()
  }, [info])

  useEffect(() => {
    if (!info) return
    const channel = layer.startsWith('stain:') ? Number(layer.slice('stain:'.length)) : null
    osd.current?.showStain(
      channel === null ? null : (k, x, y) => api().tileUrl(tilePaths.stain(info.slideId, stainSet, channel, k, x, y)),
    )
  }, [info, layer, stainSet])

  useOverlay(overlay, byKeyboard)

  return (
    <main className={`viewer ${tool === 'rectangle' ? 'drawing' : ''}`} data-testid="viewer" aria-label="Slide viewer">
      <div
        ref={host}
        className="fill"
        onFocus={(event) => setByKeyboard(event.target.matches(':focus-visible'))}
        onBlur={() => setByKeyboard(false)}
        onPointerDown={() => setByKeyboard(false)}
      />
      <canvas ref={layerCanvas} className="fill through crisp" data-testid="layer-canvas" aria-hidden />
      <canvas ref={overlayCanvas} className="fill through crisp" data-testid="overlay-canvas" aria-hidden />
      <canvas ref={vectorCanvas} className="fill through" data-testid="vector-canvas" aria-hidden />
      <ViewerFrame navigator={<div ref={navigator} className="overview" aria-label="Overview of the slide" />} />
    </main>
  )
}
