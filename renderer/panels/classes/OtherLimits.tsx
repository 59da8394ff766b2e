// Limits on other columns of the objects: with the first one's they part one class for each way to be above and below them all.
import { Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { mostOtherLimits, type ObjectRule, type RunStatus, type TableView } from '../../../app/contract'
import { medianOf, setCuts } from '../../store/objects/classActions'
import { IconButton } from '../../widgets/IconButton'
import { NumberField } from '../../widgets/NumberField'
import { words } from '../../words'
import { titled } from '../../words/named'

interface Props {
  readonly run: RunStatus
  readonly view: TableView
  /** The first one's. */
  readonly column: string
  readonly limit: number
  readonly and: NonNullable<ObjectRule['and']>
}

/** No measurements. */
const others = new Set(['id', 'class', 'x', 'y'])

export function OtherLimits({ run, view, column, limit, and }: Props) {
  const set = (next: NonNullable<ObjectRule['and']>): void => void setCuts(column, [limit], next)
  const add = async (key: string | null): Promise<void> => {
    const median = key === null ? null : await medianOf(run.runId, key)
    if (key !== null && median !== null) set([...and, { column: key, limit: median }])
  }
  const free = view.columns.filter(({ key }) => key !== column && !others.has(key) && and.every((each) => each.column !== key))
  return (
    <>
      {and.map((each, at) => {
        const { title, unit } = view.columns.find(({ key }) => key === each.column) ?? { title: each.column, unit: '' }
        const name = words.classRule.alsoAbove(titled(title))
        return (
          <div key={each.column} className="rule-other" data-testid={`rule-other-${at}`}>
            <span>{name}</span>
            <NumberField
              label={words.classRule.limit(name, unit || words.classRule.value)}
              value={each.limit}
              text={String(Number(each.limit.toPrecision(6)))}
              step={Number(Math.max(Math.abs(each.limit) / 100, 1e-6).toPrecision(1))}
              invalid={false}
              testId={`rule-other-limit-${at}`}
              problemOf={(next) => (Number.isFinite(next) ? null : words.problems.number)}
              nearest={() => null}
              onProblem={() => undefined}
              onNote={() => undefined}
              onChange={(value, final) => final && value !== each.limit && set(and.with(at, { ...each, limit: value }))}
            />
            <span className="unit">{unit}</span>
            <IconButton
              size={22}
              label={words.classRule.notBy(titled(title))}
              onClick={() => set(and.filter((one) => one !== each))}
              testId={`rule-other-remove-${at}`}
            >
              <IconX size={14} />
            </IconButton>
          </div>
        )
      })}
      {and.length < mostOtherLimits && (
        <Select
          size="xs"
          searchable
          aria-label={words.classRule.alsoBy}
          placeholder={words.classRule.alsoBy}
          data={free.map(({ key, title }) => ({ value: key, label: titled(title) }))}
          value={null}
          onChange={(key) => void add(key)}
          data-testid="rule-also"
        />
      )}
    </>
  )
}
