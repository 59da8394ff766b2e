// What the stripes over a slide mean, and that a view from afar is coarse: neither is shown without words.
import { pictureLevel } from '../../arithmetic/geometry'
import { activeRun } from '../../store/slices/runSlice'
import { useStore, type State } from '../../store/store'
import { words } from '../../words'
import { said } from '../../words/named'

function Line({ of: kind, children }: { readonly of: 'file' | 'run' | 'coarse'; readonly children: string }) {
  return (
    <div className="hatch-line">
      {kind !== 'coarse' && <span className={`hatch-swatch ${kind}`} title={children} aria-hidden />}
      <span>{children}</span>
    </div>
  )
}

/** Of every n × n squares of the file one is on screen; 1: all of them. */
export function sampledOnScreen({ slide, ui }: Pick<State, 'slide' | 'ui'>, deviceRatio: number): number {
  if (!slide.info || !ui.view || ui.sampled?.slideId !== slide.info.slideId) return 1
  return ui.sampled.everyByLevel[pictureLevel(ui.view.zoom * deviceRatio, slide.info.viewer.maxLevel)] ?? 1
}

export function HatchLegend() {
  const slideId = useStore((state) => state.slide.info?.slideId)
  const hatched = useStore((state) => state.ui.hatched)
  const tiles = useStore((state) => (state.overlay.visible ? (activeRun(state.runs)?.unreadableTiles ?? 0) : 0))
  const every = useStore((state) => sampledOnScreen(state, window.devicePixelRatio || 1))
  const ofFile = hatched !== null && hatched.slideId === slideId ? hatched : null
  if (!ofFile && tiles === 0 && every === 1) return null
  return (
    <div className="hatch-legend" role="status" data-testid="hatch-legend">
      {ofFile && (
        <Line of="file">{ofFile.reason ? words.hatching.unreadableWhy(said(ofFile.reason)) : words.hatching.unreadable}</Line>
      )}
      {every > 1 && <Line of="coarse">{words.hatching.coarse(every)}</Line>}
      {tiles > 0 && <Line of="run">{words.hatching.tiles(tiles)}</Line>}
    </div>
  )
}
