// The page of exit codes and error codes, with what to do next.
import { errorCodes } from '../../../app/contract'
import type { ErrorCode } from '../../../app/contract'
import { byErrorCode, exitCodeRows } from '../../../app/cli/exitCodes'
import { words } from '../../../renderer/words'
import type { MadePage } from './pages'
import { cell, code, page, sentence, table } from './text'

/** Where the window has no advice, as each message there says its own. */
const nextSteps = {
  NOT_FOUND: 'The message names what is missing: a file, a folder, a result. Check the path, and that the drive is there.',
  GPU_UNAVAILABLE: 'Run `npx morphoscope devices`: it says what this machine can compute with, and why a GPU is left out.',
  OUTPUT_EXISTS: 'Choose another folder, or allow the files to be replaced: `--overwrite`, or the button in the window.',
  CANCELLED: 'Nothing: somebody ended it. `run --resume` goes on where a run stopped.',
} as const satisfies Partial<Record<ErrorCode, string>>

export function nextStep(name: ErrorCode): string | null {
  return words.errors.advice[name] ?? (name in nextSteps ? nextSteps[name as keyof typeof nextSteps] : null)
}

export function codesPage(): MadePage {
  return {
    at: 'reference/codes.md',
    text: page(
      { title: 'Exit codes and error codes', order: 6 },
      '## Exit codes',
      'A command ends with one of these. Scripts can depend on them.',
      table(
        ['code', 'meaning'],
        exitCodeRows().map(([codes, meaning]) => [codes, cell(meaning)]),
      ),
      '## Error codes',
      '`--json`, `run.json` and the log name an error by its code. The message beside it names the file or the value.',
      table(
        ['code', 'what happened', 'what to do next', 'exit code'],
        errorCodes.map((name) => [
          code(name),
          cell(sentence(words.errors.headlines[name])),
          cell(nextStep(name) ?? ''),
          String(byErrorCode[name]),
        ]),
      ),
      'A full disk ends with 74, whatever could not be read or written on it.',
    ),
  }
}
