// What the stripes over a slide mean: an unreadable part is never hatched without words.
import { activeRun } from '../store/runSlice'
import { useStore } from '../store/store'
import { formatCount } from '../arithmetic/format'

function Line({ of: kind, children }: { readonly of: 'file' | 'run'; readonly children: string }) {
  return (
    <div className="hatch-line">
      <span className={`hatch-swatch ${kind}`} aria-hidden />
      <span>{children}</span>
    </div>
  )
}

export function HatchLegend() {
  const slideId = useStore((state) => state.slide.info?.slideId)
  const hatched = useStore((state) => state.ui.hatched)
  const tiles = useStore((state) => (state.overlay.visible ? (activeRun(state.runs)?.unreadableTiles ?? 0) : 0))
  const ofFile = hatched !== null && hatched.slideId === slideId ? hatched : null
  if (!ofFile && tiles === 0) return null
  return (
    <div className="hatch-legend" role="status" data-testid="hatch-legend">
      {ofFile && <Line of="file">{`The file cannot be read there${ofFile.reason ? `: ${ofFile.reason}` : '.'}`}</Line>}
      {tiles > 0 && <Line of="run">{`${formatCount(tiles)} tile${tiles > 1 ? 's' : ''} of the run could not be read.`}</Line>}
    </div>
  )
}
