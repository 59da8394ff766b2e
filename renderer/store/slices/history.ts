// What can be undone, of whatever slice: named steps that hold a part of it before and after, checked before it is put back. Pure.

/** How a slice takes part. */
export interface Undoable<Slice, Part> {
  readonly partOf: (slice: Slice) => Part
  readonly same: (a: Part, b: Part) => boolean
  /** null: it cannot be put back any more, as what it speaks of is gone. */
  readonly withPart: (slice: Slice, part: Part) => Slice | null
}
export type Undoables<State, Parts> = { readonly [K in keyof Parts & keyof State]: Undoable<State[K], Parts[K]> }

export interface Step<Parts, K extends keyof Parts = keyof Parts> {
  readonly slice: K
  /** In the words of the control. */
  readonly name: string
  readonly before: Parts[K]
  readonly after: Parts[K]
  /** When it was done, ms: the document has a history of its own, in the engine. */
  readonly at?: number
}

export interface History<Parts> {
  readonly past: readonly Step<Parts>[]
  readonly future: readonly Step<Parts>[]
  /** The control being dragged or typed into: its many values make one step. */
  readonly editing: string | null
}
export const noHistory = { past: [], future: [], editing: null } as const

/** What a control says of itself; `final`: the user let go. */
export interface Edit {
  readonly id: string
  readonly final: boolean
}

const longest = 200

export function record<Parts>(history: History<Parts>, step: Step<Parts>, edit: Edit | null): History<Parts> {
  const last = history.past.at(-1)
  const goesOn = edit !== null && edit.id === history.editing && last?.slice === step.slice
  return {
    past: goesOn ? history.past.with(-1, { ...last, after: step.after }) : [...history.past, step].slice(-longest),
    future: [],
    editing: edit === null || edit.final ? null : edit.id,
  }
}

/** Nothing was changed by what the control said last. */
export const pause = <Parts>(history: History<Parts>, edit: Edit | null): History<Parts> =>
  edit?.final && history.editing !== null ? { ...history, editing: null } : history

export interface Moved<State, Parts> {
  readonly history: History<Parts>
  /** null: no step was left that could be taken. */
  readonly to: { readonly slice: keyof Parts & keyof State; readonly value: State[keyof Parts & keyof State] } | null
}

/** Takes the newest step back that can be ('past'), or again ('future'); those that cannot are dropped. */
export function move<State, Parts>(
  history: History<Parts>,
  from: 'past' | 'future',
  state: State,
  undoables: Undoables<State, Parts>,
): Moved<State, Parts> {
  const steps = [...history[from]] as Step<Parts, keyof Parts & keyof State>[]
  for (let step = steps.pop(); step; step = steps.pop()) {
    const value = undoables[step.slice].withPart(state[step.slice], from === 'past' ? step.before : step.after)
    if (value === null) continue
    const next =
      from === 'past' ? { past: steps, future: [...history.future, step] } : { past: [...history.past, step], future: steps }
    return { history: { ...next, editing: null }, to: { slice: step.slice, value } }
  }
  return { history: { ...history, [from]: [], editing: null }, to: null }
}
