// A step of history as a row: its commands as JSON, deflated, made and read in one place. What a document is once it is loaded.
import { HistoryStep, keptSteps, mostStepBytes } from '../../../app/contract'
import type { DocumentCommand, DocumentSlide } from '../../../app/contract'
import type { Content } from '../document'
import { checked } from './check'
import type { Kind } from './kind'

/** A step of history without its commands. */
export interface Step {
  readonly seq: number
  readonly at: number
  readonly name: string
  readonly undone: boolean
  /** The run that it is about. */
  readonly run: string | null
}
export interface NewStep {
  readonly at: number
  readonly name: string
  readonly forward: DocumentCommand
  readonly inverse: DocumentCommand
  /** The run that it is about. */
  readonly run?: string | null
}
export interface Loaded {
  readonly content: Content
  readonly slides: ReadonlyMap<string, DocumentSlide>
  readonly steps: readonly Step[]
  readonly revision: number
}

/** A step with its commands as they lie on the disk. */
export interface PackedStep extends Step {
  readonly forward: Buffer
  readonly inverse: Buffer
}

/** As it is listed: its commands are read when they are asked for. */
export const stepColumns = {
  seq: 'number',
  at: 'number',
  name: 'text',
  undone: 'number',
  run: 'text?',
  forward: 'size',
  inverse: 'size',
} as const
/** One more that can be done again for each that can be taken back. */
export const mostStepRows = 2 * keptSteps

export function stepOf({ seq, at, name, undone, run }: Record<keyof HistoryStep, unknown>): Step {
  const step = checked(HistoryStep, { seq, at, name, undone, run })
  return { ...step, undone: step.undone === 1 }
}

const columns = { ...stepColumns, forward: 'blob', inverse: 'blob' } as const
export const steps: Kind<PackedStep, typeof columns> = {
  table: 'history',
  columns,
  key: 'seq',
  most: mostStepRows,
  mostBytes: mostStepBytes,
  // None is in memory before it is asked for.
  mostWeight: Infinity,
  tooHeavy: '',
  words: () => 'this step',
  row: ({ seq, at, name, undone, run, forward, inverse }) => {
    const step = checked(HistoryStep, { seq, at, name, undone: undone ? 1 : 0, run })
    for (const bytes of [forward, inverse]) if (bytes.length > mostStepBytes) throw new Error('it is too large')
    return { ...step, forward, inverse }
  },
  record: ({ forward, inverse, ...row }) => ({ ...stepOf(row), forward, inverse }),
  weight: () => 0,
}

/** What a step is called: whole letters, no more than a row takes. */
export const stepName = (name: string): string => name.slice(0, 600).replace(/\p{Cs}/gu, '\ufffd')
