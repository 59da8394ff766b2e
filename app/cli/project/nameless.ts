// A command with an engine, and what it shows with the slides' names or without them: its errors too.
import type { Engine, JournalPlace } from '../../../main/engine'
import { asCliError, CliError } from '../exitCodes'
import { withEngine } from '../installation'
import type { Shown } from '../terminal'

export async function withShown<T>(shown: Shown, work: (engine: Engine) => Promise<T>, journal?: JournalPlace): Promise<T> {
  try {
    return await withEngine(work, shown.log, journal)
  } catch (error) {
    const { exitCode, message, detail } = asCliError(error)
    throw new CliError(exitCode, shown.hide(message), detail === undefined ? undefined : shown.hide(detail))
  }
}
