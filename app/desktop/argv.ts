// What the desktop app takes from its command line, from its first start and from later ones that hand over to it.
import { resolve } from 'node:path'

/**
 * The slide of a command line, as an absolute path, or null. Before it come the program and, where Electron runs a folder
 * (`isDefaultApp`), that folder; switches, which Chromium also adds by itself, may stand anywhere.
 */
export function slideOfCommandLine(argv: readonly string[], cwd: string, isDefaultApp: boolean): string | null {
  const [, ...rest] = argv
  const plain = rest.filter((arg) => arg !== '' && !arg.startsWith('-'))
  const path = plain[isDefaultApp ? 1 : 0]
  return path === undefined ? null : resolve(cwd, path)
}

/** What a second start hands to the first; it comes from another process, so it is checked. */
export function slideOfHandover(data: unknown): string | null {
  const slide = (data as { slide?: unknown } | null)?.slide
  return typeof slide === 'string' && slide !== '' ? slide : null
}

/** --drawer=canvas|webgl, or '' to let the viewer choose. */
export function drawerOfSwitch(value: string): string {
  return value === 'canvas' || value === 'webgl' ? value : ''
}

/** --page-answers-within=SECONDS, from 2 on: a page that answers nothing for longer is loaded again. undefined: as pageWatch.ts has it. */
export function answersWithin(value: string): number | undefined {
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : 0
  return seconds >= 2 ? seconds : undefined
}
