// A number typed or stepped: what can be used is taken at once; of what cannot, it is said what was taken in its place.
// Not Mantine's NumberInput, as in dialogs (NumberEntry): it leaves letters out of what is typed in silence, so that 1e3 becomes 13, and its
// clamping, its arrow keys (no Shift for ten steps) and its blur would each be turned off and written anew here.
import { useState, type KeyboardEvent } from 'react'
import { words } from '../words'

interface Props {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly step: number
  readonly describedBy?: string
  readonly invalid: boolean
  readonly testId?: string
  /** Why a value cannot be used, or null. */
  readonly problemOf: (value: number) => string | null
  /** What is taken in place of a number that cannot be used, or null. */
  readonly nearest: (value: number) => number | null
  readonly onProblem: (problem: string | null) => void
  /** What became of a number that could not be used, for as long as `value` stays; null: nothing to say. */
  readonly onNote: (note: string | null, value: number) => void
  readonly onChange: (value: number, final: boolean) => void
}

/** Says what was typed, why it could not be used, and what counts now. */
export function noteOf(typed: string, problem: string, taken: number | null, kept: string): string {
  const reason = words.problems.short(problem)
  if (taken === null) return words.numberField.noNumber(typed.trim(), kept)
  return words.numberField.replaced(typed.trim(), reason, taken)
}

export function NumberField(props: Props) {
  const { label, value, text, step, describedBy, invalid, testId, problemOf, nearest, onProblem, onNote, onChange } = props
  /** What is being typed; null: the value is shown. */
  const [draft, setDraft] = useState<string | null>(null)

  const parse = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.')))
  const take = (typed: string, final: boolean): boolean => {
    const number = parse(typed)
    const problem = problemOf(number)
    onProblem(problem)
    if (problem === null) onChange(number, final)
    return problem === null
  }
  const finish = () => {
    if (draft === null) return
    setDraft(null)
    const typed = parse(draft)
    const problem = problemOf(typed)
    onProblem(null)
    if (problem === null) {
      onNote(null, typed)
      return onChange(typed, true)
    }
    // The field shows another number than was typed: in silence that would look as if nothing had happened.
    const taken = nearest(typed)
    if (taken !== null) onChange(taken, true)
    onNote(noteOf(draft, problem, taken, text), taken ?? value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') return finish()
    if (event.key === 'Escape') {
      onProblem(null)
      setDraft(null)
      event.stopPropagation()
      return
    }
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (direction === 0) return
    event.preventDefault()
    const next = Number((value + direction * step * (event.shiftKey ? 10 : 1)).toPrecision(12))
    setDraft(null)
    onProblem(null)
    const problem = problemOf(next)
    onNote(problem === null ? null : words.numberField.endOfRange(words.problems.short(problem)), value)
    if (problem === null) onChange(next, true)
  }
  return (
    <input
      className="number-field"
      type="text"
      inputMode="decimal"
      spellCheck={false}
      autoComplete="off"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      data-testid={testId}
      value={draft ?? text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        setDraft(event.currentTarget.value)
        take(event.currentTarget.value, false)
      }}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  )
}
