// A number in a dialog: what cannot be used is said beneath it and never replaced in silence.
import { NumberInput } from '@mantine/core'
import { words } from '../words'

export interface NumberRange {
  readonly min: number
  readonly max: number
  readonly integer?: boolean
  /** May be left empty. */
  readonly optional?: boolean
}

/** What the contract takes as µm/px. */
export const mppRange = { min: 0.01, max: 100 } as const

/** Why an entry cannot be used, or null; NaN: what was typed is no number. */
export function entryProblem(value: number | null, { min, max, integer, optional }: NumberRange): string | null {
  if (value === null) return optional ? null : words.numberField.needed(min, max)
  if (Number.isNaN(value)) return words.numberField.notNumber
  if (value < min || value > max) return words.numberField.outside(value, min, max)
  return integer && !Number.isInteger(value) ? words.numberField.notWhole(value) : null
}

interface Props extends NumberRange {
  readonly label: string
  readonly value: number | null
  readonly step: number
  readonly width?: number
  readonly placeholder?: string
  readonly testId?: string
  readonly autoFocus?: boolean
  readonly onChange: (value: number | null) => void
}

export function NumberEntry({ label, value, step, width, placeholder, testId, autoFocus, onChange, ...range }: Props) {
  return (
    <NumberInput
      size="xs"
      label={label}
      // Clamping would change what was typed while nobody looks.
      clampBehavior="none"
      min={range.min}
      max={range.max}
      step={step}
      // Without a decimal point, 12.5 would become 125: it is said instead that a whole number is needed.
      decimalScale={6}
      value={value === null || Number.isNaN(value) ? '' : value}
      error={entryProblem(value, range)}
      onChange={(next) => onChange(typeof next === 'number' ? next : next.trim() === '' ? null : Number(next))}
      {...(width === undefined ? {} : { w: width })}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(testId === undefined ? {} : { 'data-testid': testId })}
      {...(autoFocus ? { 'data-autofocus': true } : {})}
    />
  )
}
