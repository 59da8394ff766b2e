// Below the table's histogram: objects are classified by cut-offs on the column that is described, typed or dragged, with what share each class has.
import { Button, SegmentedControl, Slider } from '@mantine/core'
import { useEffect, useState } from 'react'
import {
  classesOfCuts,
  hScoreOf,
  isSpatialColumn,
  leastCutStep,
  membraneLimits,
  movedCut,
  type RunStatus,
  type TableView,
} from '../../../app/contract'
import { binAxis } from '../../arithmetic/binAxis'
import { sharesByLimits, sharesCounted } from '../../arithmetic/classShares'
import { cutScale } from '../../arithmetic/cutScale'
import { firstCuts, isOfRecipe, setCuts } from '../../store/objects/classActions'
import { changeable, setRule } from '../../store/objects/objectActions'
import { runCommand } from '../../store/commands/commands'
import { useStore } from '../../store/store'
import { NumberField } from '../../widgets/NumberField'
import { Swatch } from '../../widgets/Swatch'
import { words } from '../../words'
import { OtherLimits } from './OtherLimits'
import { titled } from '../../words/named'

type Kind = 'recipe' | 'one' | 'three'

/** What is above each cut-off is called. */
const names = (count: number): readonly string[] => (count === 1 ? [words.classRule.positiveAbove] : words.classRule.above)

export function ClassRule({ view }: { readonly view: TableView }) {
  const run = useStore(changeable)
  const describe = useStore((state) => state.table.describe)
  const column = view.columns.find(({ key }) => key === describe)
  if (!run || !column || isSpatialColumn(column.key)) return null
  return <Rule key={`${run.runId}/${describe}`} run={run} view={view} column={column} />
}

interface Props {
  readonly run: RunStatus
  readonly view: TableView
  readonly column: TableView['columns'][number]
}

function Rule({ run, view, column: { key, unit } }: Props) {
  const isDensity = unit === 'OD'
  // The recipe's stain of positive cells: its scores have names.
  const isMarker = useStore(() => isOfRecipe(key))
  const isMembrane = run.membraneColumn === key
  const cuts = run.cuts?.column === key ? run.cuts : null
  const kind: Kind = run.rule?.column !== key ? 'recipe' : run.rule.limits.length === 1 ? 'one' : 'three'
  const kept = cuts?.limits ?? []
  const known = kept.join()
  const [limits, setLimits] = useState<readonly number[]>(kept)
  // What the engine says takes the place of what the hand held.
  useEffect(() => setLimits(known === '' ? [] : known.split(',').map(Number)), [known])
  const and = run.rule?.column === key ? (run.rule.and ?? []) : []
  const commit = (next: readonly number[]): void => void setCuts(key, next, next.length === 1 ? and : [])
  const choose = (next: string): void => {
    if (next === 'recipe') return void setRule(null)
    const s = view.statistics
    if (isDensity) return commit(firstCuts(key, next === 'one' ? 'one' : 'three'))
    if (isMembrane && next === 'three') return commit(membraneLimits)
    if (!s) return
    const from = next === 'one' ? [s.median] : [s.lowerQuartile, s.median, s.upperQuartile]
    // They have to rise, also where many objects have one value.
    const step = Math.max((s.max - s.min) / 1000, Number.EPSILON * Math.max(1, Math.abs(s.max)))
    commit(from.reduce<number[]>((all, value) => [...all, all.length > 0 ? Math.max(value, all.at(-1)! + step) : value], []))
  }
  return (
    <div className="class-rule" data-testid="class-rule">
      <span className="rule-title">{words.classRule.title}</span>
      <SegmentedControl
        size="xs"
        orientation="vertical"
        fullWidth
        aria-label={words.classRule.byColumn}
        value={kind}
        onChange={choose}
        data={[
          {
            value: 'recipe',
            label:
              run.rule && run.rule.column !== key
                ? words.classRule.byAnother
                : run.ownCuts
                  ? words.classRule.byRecipe
                  : words.names.none,
          },
          { value: 'one', label: isMarker ? words.classRule.positiveShare : words.classRule.twoClasses },
          {
            value: 'three',
            label: isMembrane ? words.classRule.membrane : isMarker ? words.classRule.scores : words.classRule.fourClasses,
          },
        ]}
      />
      {kind === 'recipe' && run.cuts && !cuts && (
        <p className="note">{words.classRule.classesNow(words.shares.cuts(run.cuts))}</p>
      )}
      {limits.map((_, at) => (
        <Cut key={at} at={at} limits={limits} isDensity={isDensity} unit={unit} view={view} onMove={setLimits} onSet={commit} />
      ))}
      {kind === 'one' && limits.length === 1 && <OtherLimits run={run} view={view} column={key} limit={limits[0]!} and={and} />}
      {limits.length > 0 && <Outcome run={run} view={view} limits={limits} isMoving={limits.join() !== known} />}
      {limits.length > 0 && and.length === 0 && <Basis run={run} column={key} isDensity={isDensity} isMembrane={isMembrane} />}
    </div>
  )
}

interface CutProps extends Pick<Props, 'view'> {
  readonly at: number
  readonly limits: readonly number[]
  readonly unit: string
  readonly isDensity: boolean
  readonly onMove: (limits: readonly number[]) => void
  readonly onSet: (limits: readonly number[]) => void
}

/** One cut-off: its slider under the histogram, and the number itself. */
function Cut({ at, limits, unit, isDensity, view, onMove, onSet }: CutProps) {
  const value = limits[at]!
  const [note, setNote] = useState<string | null>(null)
  const scale = cutScale(view.histogram, isDensity)
  const moved = (to: number): number[] => movedCut(limits, at, to, isDensity ? leastCutStep : scale.leastStep)
  const name = names(limits.length)[at]!
  const shown = String(Number(value.toPrecision(6)))
  return (
    <div className="rule-cut">
      <span>{name}</span>
      <Slider
        size={4}
        thumbSize={14}
        min={scale.min}
        max={scale.max}
        step={scale.step}
        disabled={!scale.spans}
        value={scale.placeOf(value)}
        onChange={(place) => onMove(moved(scale.valueOf(place)))}
        onChangeEnd={(place) => onSet(moved(scale.valueOf(place)))}
        label={(place) => String(Number(scale.valueOf(place).toPrecision(4)))}
        thumbLabel={name}
        data-testid={`rule-slider-${at}`}
      />
      <NumberField
        label={words.classRule.limit(name, unit || words.classRule.value)}
        value={value}
        text={shown}
        step={isDensity ? leastCutStep : scale.leastStep}
        invalid={false}
        testId={`rule-limit-${at}`}
        problemOf={(next) => (Number.isFinite(next) ? null : words.problems.number)}
        nearest={() => null}
        onProblem={() => undefined}
        onNote={(text) => setNote(text)}
        onChange={(next, final) => final && next !== value && onSet(moved(next))}
      />
      <span className="unit">{unit}</span>
      {note !== null && <span className="note">{note}</span>}
    </div>
  )
}

interface OutcomeProps {
  readonly run: RunStatus
  readonly view: TableView
  readonly limits: readonly number[]
  readonly isMoving: boolean
}

/** At rest what was counted, as the figures have it: classes by hand too. What moved cut-offs would give is only known by themselves. */
function Outcome({ run, view, limits, isMoving }: OutcomeProps) {
  const axis = binAxis(view.histogram)
  const classes = classesOfCuts({ title: '', ...run.cuts, limits: [...limits] })
  const bins = limits.map((limit) => Math.max(0, Math.min(view.histogram.all.length, axis.binOf(limit))))
  const counted = run.classes ?? []
  const ids = classes.map(({ id }) => id)
  // What this column's histogram says of several columns together is nothing.
  if (isMoving && run.cuts?.and) return null
  const shares = isMoving ? sharesByLimits(view.histogram.all, bins) : sharesCounted(ids, counted, run.objects)
  const score = isMoving ? null : hScoreOf(counted, run.cuts)
  return (
    <p className="rule-shares num" data-testid="rule-shares">
      {classes.map(({ id, label, color }, i) => (
        <span key={id}>
          <Swatch colour={`rgb(${color.join(' ')})`} name={titled(label)} isSaid />
          {titled(label)} {isMoving ? '≈ ' : ''}
          {(100 * (shares[i] ?? 0)).toFixed(isMoving ? 0 : 1)} %
        </span>
      ))}
      {score !== null && <b data-testid="rule-score">{words.classRule.hScore(score)}</b>}
    </p>
  )
}

/** What the cut-offs hold for, and what they do not mean. */
interface BasisProps {
  readonly run: RunStatus
  readonly column: string
  readonly isDensity: boolean
  readonly isMembrane: boolean
}
function Basis({ run, column, isDensity, isMembrane }: BasisProps) {
  const several = useStore(({ cohort }) => cohort.slides.length > 1)
  const inRecipe = useStore(() => isOfRecipe(column))
  if (isMembrane) return <p className="note">{words.classRule.membraneByHand}</p>
  if (!isDensity) return <p className="note">{words.classRule.fromThisResult}</p>
  if (!run.cuts?.ofStain) return <p className="note">{words.classRule.needsDensity}</p>
  if (!inRecipe) return <p className="note">{words.classRule.thisResultOnly}</p>
  return (
    <p className="note" data-testid="rule-basis">
      {words.classRule.recipeToo}
      {several && (
        <Button size="compact-xs" variant="default" onClick={() => runCommand('runSlides')} data-testid="rule-all-slides">
          {words.classRule.onAllSlides}
        </Button>
      )}
    </p>
  )
}
