// Beneath a threshold's slider: how many px of the field turn at which of its values, and what share is above.
import type { ParamSpec } from '../../../app/contract'
import { shareAbove, silhouette, stepOf, stepsOf } from '../../store/slices/cutsSlice'
import { useStore } from '../../store/store'
import { words } from '../../words'

interface Props {
  readonly id: string
  readonly param: Extract<ParamSpec, { kind: 'number' }>
  readonly value: number
}

export function CutHistogram({ id, param, value }: Props) {
  const counts = useStore((state) => (state.cuts.param === id ? state.cuts.counts : null))
  const unread = useStore((state) => (state.cuts.param === id ? state.cuts.cuts?.unreadShare : undefined))
  if (!counts) return null
  const steps = stepsOf(param)
  const at = stepOf(param, value)
  const share = words.cutHistogram.share(shareAbove(counts, at))
  return (
    <div className="cut-histogram" data-testid="cut-histogram">
      <svg viewBox={`0 0 ${steps} 1`} preserveAspectRatio="none" role="img" aria-label={words.cutHistogram.title(share)}>
        <path className="below" d={silhouette(counts, steps, 0)} />
        <path className="above" d={silhouette(counts, steps, at)} />
      </svg>
      <span className="num">{share}</span>
      {unread !== undefined && <span className="num">{words.cutHistogram.unread(unread)}</span>}
    </div>
  )
}
