// A number typed or stepped: what can be used is taken at once, what cannot is said and not taken.
import { useState, type KeyboardEvent } from 'react'

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
  readonly onProblem: (problem: string | null) => void
  readonly onChange: (value: number, final: boolean) => void
}

export function NumberField({ label, value, text, step, describedBy, invalid, testId, problemOf, onProblem, onChange }: Props) {
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
    // A value that cannot be used goes away with its message: the last good one is what runs.
    if (!take(draft, true)) onProblem(null)
    setDraft(null)
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
    if (problemOf(next) === null) {
      onProblem(null)
      onChange(next, true)
    }
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
