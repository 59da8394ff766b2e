// One parameter: slider and number with unit, range, help, reset, and its error beneath.
import { Checkbox, Select } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { unitSymbols } from '../../../app/contract'
import type { ParamSpec } from '../../../app/contract'
import { isDirty, nearestValue, paramId, problemOf, snapToStep, valueOf } from '../../store/slices/recipeSlice'
import { resetParam, setParam } from '../../store/recipe/recipeActions'
import { cutMoves, lookAtCuts } from '../../store/recipe/cutsActions'
import { effectOf } from '../../store/recipe/effects'
import { slideMpp } from '../../store/slices/slideSlice'
import { patch, update, useStore } from '../../store/store'
import { formatParam } from '../../arithmetic/format'
import { HelpButton } from '../../widgets/HelpButton'
import { NumberField } from '../../widgets/NumberField'
import { RangeInput } from '../../widgets/RangeInput'
import { words } from '../../words'
import { CutHistogram } from './CutHistogram'
import { titled } from '../../words/named'

interface Props {
  readonly stage: string
  readonly param: ParamSpec
}

function setProblem(id: string, problem: string | null): void {
  update('recipe', (recipe) => {
    if (problem !== null) return { ...recipe, errors: { ...recipe.errors, [id]: problem } }
    if (!(id in recipe.errors)) return recipe
    return { ...recipe, errors: Object.fromEntries(Object.entries(recipe.errors).filter(([other]) => other !== id)) }
  })
}

/** "0.65 · 1 (default) · 1.75": of the picture's parts, from the left. */
function Effect({ stage, param }: { readonly stage: string; readonly param: Extract<ParamSpec, { kind: 'number' }> }) {
  const spec = useStore((state) => state.recipe.specId)
  const found = effectOf(spec, stage, param.key)
  if (!found) return null
  const { less, more } = found
  const values = [
    ...(less === null ? [] : [formatParam(less, param.step)]),
    words.param.default(formatParam(param.default, param.step)),
    ...(more === null ? [] : [formatParam(more, param.step)]),
  ].join(' · ')
  return (
    <>
      <img className="tip-effect" src={found.url} alt={words.param.effectAlt(values)} />
      <span className="tip-range">{words.param.effect(values)}</span>
    </>
  )
}

function Help({ stage, param }: Props) {
  const uncalibrated = useStore((state) => state.slide.info !== null && slideMpp(state.slide.info) === null)
  const inUm = param.kind === 'number' && (param.unit === 'um' || param.unit === 'um2')
  const range = param.kind === 'number' ? words.param.range(param.min, param.max, titled(unitSymbols[param.unit])).trim() : null
  const more = (
    <>
      {range && (
        <span className="tip-range">{words.param.rangeAndDefault(range, param.kind === 'number' ? param.default : '')}</span>
      )}
      {param.kind === 'number' && <Effect stage={stage} param={param} />}
      {inUm && uncalibrated && <span className="tip-range">{words.param.uncalibrated}</span>}
    </>
  )
  return <HelpButton label={param.label} help={param.help} more={more} />
}

export function ParamControl({ stage, param }: Props) {
  const id = paramId(stage, param.key)
  const value = useStore((state) => valueOf(state.recipe, stage, param))
  const dirty = useStore((state) => isDirty(state.recipe, stage, param))
  const error = useStore((state) => state.recipe.errors[id])
  const errorId = useId()
  const root = useRef<HTMLDivElement>(null)
  const wanted = useStore(({ ui }) => ui.paramWanted === id)
  useEffect(() => {
    if (!wanted) return
    patch('ui', { paramWanted: null })
    root.current?.scrollIntoView({ block: 'nearest' })
    root.current?.querySelector<HTMLElement>('input, [role="combobox"]')?.focus()
  }, [wanted])
  const [note, setNote] = useState<{ text: string; value: number } | null>(null)
  // It tells of the value that it came with, and of no other.
  const noteText = note !== null && note.value === value ? note.text : ''
  const meaning = param.kind === 'number' && value === 0 ? (param.zero ?? null) : null
  const testId = `param-${stage}-${param.key}`
  const reset = (
    <button
      type="button"
      className="reset"
      aria-label={words.param.reset(param.label)}
      title={words.param.resetTip}
      disabled={!dirty}
      onClick={() => resetParam(stage, param.key)}
      data-testid={`${testId}-reset`}
    >
      <IconRestore size={13} aria-hidden />
    </button>
  )
  return (
    <div ref={root} className={`param ${dirty ? 'dirty' : ''} ${error ? 'bad' : ''}`}>
      <div className="param-head">
        {param.kind === 'toggle' ? (
          <Checkbox
            size="xs"
            label={param.label}
            checked={value === true}
            onChange={(event) => setParam(stage, param.key, event.currentTarget.checked, true)}
            data-testid={testId}
          />
        ) : (
          <span className="param-label">{param.label}</span>
        )}
        <Help stage={stage} param={param} />
        <span className="grow" />
        {reset}
        {param.kind === 'number' && typeof value === 'number' && (
          <>
            <NumberField
              label={param.label}
              value={value}
              text={meaning === null ? formatParam(value, param.step) : '0'}
              step={param.step}
              describedBy={errorId}
              invalid={error !== undefined}
              testId={testId}
              problemOf={(next) => problemOf(param, next)}
              nearest={(next) => nearestValue(param, next)}
              onNote={(text, at) => setNote(text === null ? null : { text, value: at })}
              onProblem={(problem) => setProblem(id, problem)}
              onChange={(next, final) => setParam(stage, param.key, next, final)}
            />
            <span className={meaning === null ? 'unit' : 'unit meaning'}>{meaning ?? titled(unitSymbols[param.unit])}</span>
          </>
        )}
      </div>
      {param.kind === 'number' && typeof value === 'number' && (
        <div
          className="param-slider"
          onPointerEnter={() => void lookAtCuts(stage, param.key)}
          onFocus={() => void lookAtCuts(stage, param.key)}
        >
          <RangeInput
            label={words.param.slider(param.label)}
            min={param.min}
            max={param.max}
            step={param.step}
            value={value}
            mark={param.default}
            valueText={meaning ?? `${formatParam(value, param.step)} ${titled(unitSymbols[param.unit])}`}
            testId={`${testId}-slider`}
            onChange={(next, final) => {
              cutMoves(stage, param.key, final)
              setParam(stage, param.key, snapToStep(param, next), final)
            }}
          />
          <CutHistogram id={id} param={param} value={value} />
        </div>
      )}
      {param.kind === 'choice' && (
        <Select
          aria-label={param.label}
          data={param.choices}
          value={String(value)}
          onChange={(next) => next !== null && setParam(stage, param.key, next, true)}
          data-testid={testId}
        />
      )}
      <div id={errorId} className="param-error" role={error ? 'alert' : undefined}>
        {error}
      </div>
      <div className="param-note" role="status" data-testid={`${testId}-note`}>
        {noteText}
      </div>
    </div>
  )
}
