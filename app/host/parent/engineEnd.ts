// What an engine's end says: whether it came from outside or from its own work, and in words for the user.

export interface EngineEnd {
  /** "it crashed while …". */
  why: string
  /** Its own work ended it, so the same slide may do so again. */
  crash: boolean
}

const crashed = 'it crashed while reading or analysing the slide'
const crashes: Readonly<Record<string, string>> = {
  SIGSEGV: crashed,
  SIGBUS: crashed,
  SIGABRT: crashed,
  SIGTRAP: crashed,
  SIGFPE: crashed,
  SIGSYS: crashed,
  SIGILL: 'it crashed, or this processor lacks an instruction that it needs',
}
const crashNumbers: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  11: 'SIGSEGV',
  31: 'SIGSYS',
}
/** Someone else ended it: the system that needs memory, a person, a supervisor. It closes in good order on SIGTERM. */
const outside: Readonly<Record<string, string>> = {
  SIGKILL: 'it was killed, which is what the system does when memory runs out',
  SIGTERM: 'it was told to end',
  SIGINT: 'it was told to end',
  SIGHUP: 'it was told to end',
  'exit code 0': 'it was told to end',
}

/** `how`: a signal's name, "exit code n", or why a process could not be started. `isProject`: it was opening a project, and looked at no slide. */
export function engineEnd(how: string, isProject = false): EngineEnd {
  const told = outside[how]
  if (told !== undefined) return { why: told, crash: false }
  const code = Number(/^exit code (\d+)$/.exec(how)?.[1] ?? NaN)
  // A shell between gives a signal as 128 and its number; Windows gives exceptions as codes from 0xC0000000.
  const signal = crashNumbers[code - 128] ?? how
  const found = crashes[signal] ?? (code >= 0xc0000000 ? crashed : undefined)
  const why = isProject && found === crashed ? 'it crashed while opening a project' : found
  return { why: why ? `${why} (${signal})` : `it ended with ${how}`, crash: true }
}
