// What the engine's answers and events say, in the page's language: the one place of errors and of runs, whatever shows them. Titles and notes of
// other answers are put into it where they are shown (named.ts).
import type { AppEvent, CallName, CallValue, Result, RunEntry, RunStatus } from '../../app/contract'
import { errorSaid, recipeNamed, said } from './named'
import { runNamed } from './runNames'

const statusSaid = (status: RunStatus): RunStatus => ({
  ...status,
  name: runNamed(status.name),
  warnings: status.warnings.map(said),
  error: status.error && errorSaid(status.error),
})
const entrySaid = (entry: RunEntry): RunEntry => ({
  ...entry,
  status: statusSaid(entry.status),
  recipeName: recipeNamed(entry.recipeName),
})

const answers: { readonly [N in CallName]?: (value: CallValue<N>) => CallValue<N> } = {
  'run:start': statusSaid,
  'run:cancel': statusSaid,
  'run:pause': statusSaid,
  'run:continue': statusSaid,
  'run:status': statusSaid,
  'run:resume': statusSaid,
  'journal:resume': statusSaid,
  'run:list': (entries) => entries.map(entrySaid),
  'project:restore': (statuses) => statuses.map(statusSaid),
}

/** The value has the shape that its call says: who made it has checked that. */
export function answerHeard(name: CallName, result: Result<unknown>): Result<unknown> {
  if (!result.ok) return { ok: false, error: errorSaid(result.error) }
  const answer = answers[name] as ((value: unknown) => unknown) | undefined
  return answer ? { ok: true, value: answer(result.value) } : result
}

export function eventHeard(event: AppEvent): AppEvent {
  switch (event.type) {
    case 'run:progress':
    case 'run:end':
      return { ...event, status: statusSaid(event.status) }
    case 'engine:lost':
      return { ...event, message: said(event.message) }
    case 'runs:changed':
      return event.message === undefined ? event : { ...event, message: said(event.message) }
    default:
      return event
  }
}
