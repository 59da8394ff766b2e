// A run's classes on one line: how many are of which, the share or the H-score, and the cut-offs that it stands on.
import { allredOf, counted, cutWords, hScoreOf, intervalText, positiveShareOf, shareIntervalOf } from '../../contract'
import type { HotSpot, RunStatus } from '../../contract'

const percent = (count: number, all: number): string => `${((100 * count) / all).toFixed(1)} %`

/** ": 165 negative, 120 positive (42.1 % positive, 95 % interval 36.5 to 47.9 %; DAB mean above 0.2 OD)"; nothing where the objects have no classes. */
export function classWords({ classes, cuts, objects }: Pick<RunStatus, 'classes' | 'cuts' | 'objects'>): string {
  if (!classes || objects === 0) return ''
  const basis = [...figuresOf(classes, cuts), ...(cuts ? [cutWords(cuts)] : [])].join('; ')
  const counts = classes.map(({ id, label, objects: count }) =>
    cuts?.and ? `${count} ${label} (${percent(count, objects)})` : `${count} ${id}`,
  )
  return `: ${counts.join(', ')}${basis && ` (${basis})`}`
}

/** Objects by class: by its id, and of several limits by its label, as an id says nothing there. */
export const classCounts = ({ classes = [], cuts }: Pick<RunStatus, 'classes' | 'cuts'>): Record<string, number> =>
  Object.fromEntries(classes.map(({ id, label, objects }) => [cuts?.and ? label : id, objects]))

function figuresOf(classes: NonNullable<RunStatus['classes']>, cuts: RunStatus['cuts']): string[] {
  const [score, allred, share, interval] = [
    hScoreOf(classes, cuts),
    allredOf(classes, cuts),
    positiveShareOf(classes),
    shareIntervalOf(classes),
  ]
  return [
    ...(score === null ? [] : [`H-score ${score.toFixed(0)}`]),
    ...(allred ? [`Allred ${allred.score} (${allred.proportion} + ${allred.intensity})`] : []),
    ...(share === null || !interval ? [] : [`${(100 * share).toFixed(1)} % positive, 95 % interval ${intervalText(interval)}`]),
  ]
}

/** "hot spot: 62.1 % positive, 95 % interval 57.8 to 66.2 %, of 512 in a circle of 500 µm around 10432, 8120 (level-0 px)". */
export function hotSpotWords({ diameterUm, shape, measure: { classes = [], objects, cuts } }: HotSpot): string {
  const box = shape.kind === 'polygon' ? null : shape
  const at = box ? ` around ${Math.round(box.x + box.width / 2)}, ${Math.round(box.y + box.height / 2)} (level-0 px)` : ''
  return `hot spot: ${figuresOf(classes, cuts).join('; ')}, of ${counted(objects ?? 0, 'object')} in a circle of ${diameterUm} µm${at}`
}
