// Below the table's histogram: objects are classified by limits on the column that is described, with what share each class has, or would have.
import { RangeSlider, SegmentedControl, Slider } from '@mantine/core'
import { useEffect, useState } from 'react'
import { histogramBins, intensityClasses, positiveClasses, type ObjectRule, type TableView } from '../../app/contract'
import { binAxis } from '../arithmetic/binAxis'
import { sharesByLimits, sharesCounted } from '../arithmetic/classShares'
import { formatMeasure } from '../arithmetic/format'
import { changeable, setRule } from '../store/objectActions'
import { useStore } from '../store/store'

type Kind = 'recipe' | 'one' | 'three'

/** Limits are so much finer than the histogram's bins. */
const step = 0.25

/** What all three sliders are alike in. */
const scale = { size: 4, thumbSize: 14, min: step, step, max: histogramBins - step } as const

/** Limits that stay a step apart: the middle one gives way to the others. */
const apart = (low: number, middle: number, high: number): [number, number, number] => [
  low,
  Math.min(Math.max(middle, low + step), high - step),
  high,
]

export function ClassRule({ view }: { readonly view: TableView }) {
  const run = useStore(changeable)
  const describe = useStore((state) => state.table.describe)
  const rule = run?.rule
  const isHere = rule?.column === describe
  const kind: Kind = !rule || !isHere ? 'recipe' : rule.limits.length === 1 ? 'one' : 'three'
  const axis = binAxis(view.histogram)
  const { valueOf } = axis
  const binOf = (value: number): number =>
    axis.spans ? Math.max(step, Math.min(histogramBins - step, Math.round(axis.binOf(value) / step) * step)) : step
  const kept = isHere ? rule.limits.map(binOf) : []
  const known = kept.join()
  const [bins, setBins] = useState<readonly number[]>(kept)
  // What the engine says takes the place of what the hand held.
  useEffect(() => setBins(known === '' ? [] : known.split(',').map(Number)), [known])
  if (!run) return null
  const commit = (next: readonly number[]): void => {
    const limits = [...new Set(next)].sort((a, b) => a - b).map(valueOf)
    if (limits.length === next.length) void setRule({ column: describe, limits } satisfies ObjectRule)
    else setBins(kept)
  }
  const choose = (next: string): void => {
    if (next === 'recipe') return void setRule(null)
    const { statistics: s } = view
    if (!s || !axis.spans) return
    const from = next === 'one' ? [s.median] : [s.lowerQuartile, s.median, s.upperQuartile]
    // Apart by a step at least, as limits have to rise.
    const places = from.map(binOf)
    for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i]!, places[i - 1]! + step)
    commit(places)
  }
  const classes = bins.length === 3 ? intensityClasses : positiveClasses
  const moving = bins.join() !== known
  // At rest what was counted, as the figures have it: classes set by hand too. What limits would give is only known by themselves.
  const shares = moving
    ? sharesByLimits(view.histogram.all, bins)
    : sharesCounted(
        classes.map(({ id }) => id),
        run.classes ?? [],
        run.objects,
      )
  return (
    <div className="class-rule" data-testid="class-rule">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Classes by this column"
        value={kind}
        onChange={choose}
        data={[
          { value: 'recipe', label: run.rule && !isHere ? 'By another' : 'No limit' },
          { value: 'one', label: '− / +' },
          { value: 'three', label: '0 1+ 2+ 3+' },
        ]}
      />
      {bins.length === 1 && (
        <Slider
          {...scale}
          value={bins[0]!}
          onChange={(bin) => setBins([bin])}
          onChangeEnd={(bin) => commit([bin])}
          label={(bin) => formatMeasure(valueOf(bin))}
          thumbLabel="Positive above"
          data-testid="rule-limit"
        />
      )}
      {bins.length === 3 && (
        <>
          <RangeSlider
            {...scale}
            minRange={2 * step}
            value={[bins[0]!, bins[2]!]}
            onChange={([a, c]) => setBins(apart(a, bins[1]!, c))}
            onChangeEnd={([a, c]) => commit(apart(a, bins[1]!, c))}
            label={(bin) => formatMeasure(valueOf(bin))}
            thumbFromLabel="1+ above"
            thumbToLabel="3+ above"
          />
          <Slider
            {...scale}
            value={bins[1]!}
            onChange={(bin) => setBins(apart(bins[0]!, bin, bins[2]!))}
            onChangeEnd={(bin) => commit(apart(bins[0]!, bin, bins[2]!))}
            label={(bin) => formatMeasure(valueOf(bin))}
            thumbLabel="2+ above"
          />
        </>
      )}
      {bins.length > 0 && (
        <p className="rule-shares num" data-testid="rule-shares">
          {classes.map(({ id, label, color }, i) => (
            <span key={id}>
              <i className="class-mark" style={{ background: `rgb(${color.join(' ')})` }} aria-hidden />
              {label} {moving ? '≈ ' : ''}
              {(100 * (shares[i] ?? 0)).toFixed(moving ? 0 : 1)} %
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
