// Below the classes: the hot spot's share with its interval, the field that it is looked for in, and what can be done with it.
import { IconFocus2, IconSquarePlus } from '@tabler/icons-react'
import { useEffect } from 'react'
import { hScoreOf, positiveShareOf, shareIntervalOf, usualHotSpot, type RunStatus } from '../../../app/contract'
import { keepHotSpot, lookForHotSpot, setHotSpotField, showHotSpot } from '../../store/objects/hotSpotActions'
import { hotSpotKey } from '../../store/slices/hotSpotSlice'
import { useStore } from '../../store/store'
import { IconButton } from '../../widgets/IconButton'
import { NumberField } from '../../widgets/NumberField'
import { words } from '../../words'

const ranges = { diameterUm: { min: 100, max: 20_000, step: 50 }, leastObjects: { min: 1, max: 1_000_000, step: 10 } } as const

function Field({ of }: { readonly of: keyof typeof ranges }) {
  const field = useStore((state) => state.ui.settings?.hotSpot ?? usualHotSpot)
  const { min, max, step } = ranges[of]
  return (
    <NumberField
      label={words.hotSpot.fields[of]}
      value={field[of]}
      text={String(field[of])}
      step={step}
      invalid={false}
      testId={`hot-spot-${of}`}
      problemOf={(next) =>
        next >= min && next <= max && (of === 'diameterUm' || Number.isInteger(next)) ? null : words.numberField.needed(min, max)
      }
      nearest={() => null}
      onProblem={() => undefined}
      onNote={() => undefined}
      onChange={(next, final) => final && next !== field[of] && void setHotSpotField({ [of]: next })}
    />
  )
}

export function HotSpotFacts({ run }: { readonly run: RunStatus }) {
  const field = useStore((state) => state.ui.settings?.hotSpot)
  const { key, found, looking } = useStore((state) => state.hotSpot)
  const wanted = hotSpotKey(run, field)
  useEffect(() => void lookForHotSpot(run), [run, wanted])
  const spot = key === wanted && !looking ? found : null
  const classes = spot?.measure.classes ?? []
  const [share, interval, score] = [positiveShareOf(classes), shareIntervalOf(classes), hScoreOf(classes, spot?.measure.cuts)]
  return (
    <div className="hot-spot" data-testid="hot-spot" data-settled={key === wanted && !looking}>
      <dl className="facts">
        <div>
          <dt title={words.hotSpot.tip}>{words.hotSpot.title}</dt>
          <dd className="num">
            {share !== null && interval ? (
              <>
                <b>{(100 * share).toFixed(1)} %</b> ({words.shares.interval(interval)}){' '}
                {words.hotSpot.of(spot?.measure.objects ?? 0)}
                {score !== null && `, ${words.classRule.hScore(score)}`}
              </>
            ) : (
              words.hotSpot.noneShort
            )}
          </dd>
        </div>
      </dl>
      <div className="hot-spot-field">
        <span>{words.hotSpot.circle}</span>
        <Field of="diameterUm" />
        <span>{words.hotSpot.ofAtLeast}</span>
        <Field of="leastObjects" />
        <span className="grow" />
        <IconButton size={22} label={words.hotSpot.show} disabled={!spot} onClick={showHotSpot} testId="hot-spot-show">
          <IconFocus2 size={14} />
        </IconButton>
        <IconButton size={22} label={words.hotSpot.keep} disabled={!spot} onClick={keepHotSpot} testId="hot-spot-keep">
          <IconSquarePlus size={14} />
        </IconButton>
      </div>
    </div>
  )
}
