// A slider on the browser's own range input: arrows, Page keys and Home/End work, and a drag's end is known.
import { useEffect, useRef, type CSSProperties } from 'react'

interface Props {
  readonly label: string
  readonly min: number
  readonly max: number
  readonly step: number
  readonly value: number
  /** Marked on the track. */
  readonly mark?: number
  readonly valueText?: string
  readonly testId?: string
  /** `final`: the user let go. */
  readonly onChange: (value: number, final: boolean) => void
}

export function RangeInput({ label, min, max, step, value, mark, valueText, testId, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const report = useRef(onChange)
  useEffect(() => {
    report.current = onChange
  }, [onChange])

  // React's onChange is the native "input" event; the native "change" event, the end of a drag, has no React name.
  useEffect(() => {
    const element = input.current
    const done = () => element && report.current(Number(element.value), true)
    element?.addEventListener('change', done)
    return () => element?.removeEventListener('change', done)
  }, [])

  const part = (v: number) => (max > min ? Math.min(1, Math.max(0, (v - min) / (max - min))) : 0)
  const style = { '--part': part(value), '--mark': mark === undefined ? -1 : part(mark) } as CSSProperties
  return (
    <div className="range" style={style}>
      {mark !== undefined && <span className="range-mark" aria-hidden />}
      <input
        ref={input}
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        data-testid={testId}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value), false)}
      />
    </div>
  )
}
