// A second view beside the first: the same slide with another layer or result, or another slide. It goes along with the first, or by itself.
import { Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { stainsWord, tilePaths } from '../../../app/contract'
import { api } from '../../api'
import { toScreen, type View } from '../../arithmetic/geometry'
import { across, placeAcross, reversed } from '../../arithmetic/linkedViews'
import { currentSpec, valuesOf } from '../../store/slices/recipeSlice'
import { resultTiles } from '../../store/runs/resultTiles'
import { secondRuns } from '../../store/slices/secondSlice'
import { getState, useStore, type State } from '../../store/store'
import { layerOf } from '../../store/slices/uiSlice'
import { viewer } from '../../store/base/viewerHandle'
import { words } from '../../words'
import { OsdViewer } from '../osd/osdViewer'
import { OverlayCanvas } from '../overlayCanvas'
import { sceneOf, type Scene } from '../scene'
import { slideUrl, useProfile } from '../slideUrls'
import { useChannelPainter } from '../tiles/useChannelPainter'
import { SecondBar } from './SecondBar'
import { toneFilter } from '../ToneFilter'
import { drawerChoice } from '../drawer'

/** Which of the two the hand has: it leads, and the other goes along. Keys are the first's. */
let leader: 'first' | 'second' = 'first'

function sceneOfSecond(state: State): Scene {
  const { second, selection } = state
  return {
    ...sceneOf(state, false),
    runs: secondRuns(second, state.runs),
    chosen: null,
    compared: null,
    overlay: { ...state.overlay, visible: second.results !== 'none' },
    layer: layerOf(second.layer),
    selected: second.slide ? null : selection.object,
    clickedAt: null,
    drawn: null,
  }
}

/** Where the mouse is over the first view. */
function Pointer({ view }: { readonly view: View }) {
  const pointer = useStore((state) => state.ui.pointer)
  const link = useStore((state) => state.second.link)
  if (!pointer || !link) return null
  const { x, y } = toScreen(view, across(link, pointer))
  const path = `M${x - 9} ${y}H${x - 3}M${x + 3} ${y}H${x + 9}M${x} ${y - 9}V${y - 3}M${x} ${y + 3}V${y + 9}`
  return (
    <svg className="fill through" aria-hidden>
      <path d={path} className="pointer-halo" />
      <path d={path} className="pointer-line" />
    </svg>
  )
}

export function SecondView() {
  const root = useRef<HTMLElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const canvases = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)] as const
  const osd = useRef<OsdViewer | null>(null)
  const [view, setView] = useState<View | null>(null)
  const info = useStore((state) => state.second.slide ?? state.slide.info)
  const opening = useStore((state) => state.second.opening !== null)
  const layer = useStore((state) => state.second.layer)
  const filter = useStore((state) => toneFilter(state.tone))
  const stains = useStore(({ recipe }) => {
    const spec = currentSpec(recipe)
    return spec ? stainsWord(spec, valuesOf(recipe)) : 'h-e'
  })
  const [layerCanvas, overlayCanvas, vectorCanvas] = canvases
  const painter = useChannelPainter(info, osd)

  useEffect(() => {
    if (!host.current || !layerCanvas.current || !overlayCanvas.current || !vectorCanvas.current) return
    const nothing = (): void => undefined
    // What scales go from and to is the first view's to say.
    const canvas = new OverlayCanvas(layerCanvas.current, overlayCanvas.current, vectorCanvas.current, nothing, nothing, nothing)
    const follow = (): void => {
      const { second, ui } = getState()
      if (leader === 'first' && second.link && ui.view) made.follow(placeAcross(second.link, ui.view))
    }
    let placed = false
    const made = new OsdViewer(host.current, null, drawerChoice(), {
      onFrame(now) {
        canvas.setView(now)
        setView(now)
        const { link } = getState().second
        if (!placed) {
          placed = true
          follow()
        } else if (leader === 'second' && link) viewer()?.follow(placeAcross(reversed(link), now))
      },
      onSettled: nothing,
      onFirstTile: nothing,
      onTileFailed: nothing,
      onUnreadable: nothing,
      onSampled: nothing,
      onClick: nothing,
      onPointer: nothing,
      wantsDrag: () => false,
      clicksToo: () => false,
      onDrag: nothing,
      onWheel: () => false,
    })
    osd.current = made
    const show = (state: State): void => canvas.setScene(sceneOfSecond(state))
    show(getState())
    const offStore = useStore.subscribe((state, before) => {
      if (state.ui.view !== before.ui.view || state.second.link !== before.second.link) follow()
      const same = state.runs === before.runs && state.overlay === before.overlay && state.second === before.second
      if (!same || state.selection !== before.selection) show(state)
    })
    const offTiles = resultTiles.onChange(() => canvas.schedule())
    const lead = ({ target, type }: Event): void => {
      const own = type !== 'keydown' && target instanceof Node && host.current?.contains(target)
      leader = own ? 'second' : 'first'
    }
    const kinds = ['pointerdown', 'wheel', 'keydown'] as const
    for (const kind of kinds) window.addEventListener(kind, lead, { capture: true, passive: true })
    leader = 'first'
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, lead, { capture: true })
      offStore()
      offTiles()
      made.destroy()
      canvas.destroy()
      osd.current = null
    }
    // Refs stay the same as long as it is mounted.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  const byProfile = useProfile(info)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const keepView = info !== null && shown.current === info.slideId
    shown.current = info?.slideId ?? null
    if (!info) return osd.current?.open(null, null, false)
    const { widthPx, heightPx, viewer: shape } = info
    const url = slideUrl(info, byProfile)
    osd.current?.open({ widthPx, heightPx, ...shape, url, ...(painter && { painter }) }, info.bounds, keepView)
    osd.current?.label(words.viewer.secondSlide(info.name))
  }, [info, painter, byProfile])

  useEffect(() => {
    if (!info) return
    const channel = layer.startsWith('stain:') ? Number(layer.slice('stain:'.length)) : null
    osd.current?.showStain(
      channel === null ? null : (k, x, y) => api().tileUrl(tilePaths.stain(info.slideId, stains, channel, k, x, y)),
    )
  }, [info, layer, stains])

  return (
    <section ref={root} className="viewer second" aria-label={words.secondView.title} data-testid="second-view">
      <div ref={host} style={{ filter }} className="fill" />
      <canvas ref={layerCanvas} className="fill through crisp" data-testid="second-layer" aria-hidden />
      <canvas ref={overlayCanvas} className="fill through crisp" data-testid="second-overlay" aria-hidden />
      <canvas ref={vectorCanvas} className="fill through" aria-hidden />
      {view && <Pointer view={view} />}
      <SecondBar view={view} />
      {opening && <Loader className="switching" size="sm" />}
    </section>
  )
}
