// What the places of an array are called: "A-1", by letters or numbers, counted from any of its corners. Pure.
import * as z from '../zod'

export const CoreSigns = z.enum(['letters', 'numbers'])
export type CoreSigns = z.infer<typeof CoreSigns>
export const CoreCorner = z.enum(['top-left', 'top-right', 'bottom-left', 'bottom-right'])
export type CoreCorner = z.infer<typeof CoreCorner>

export interface CoreNaming {
  readonly rows: CoreSigns
  readonly columns: CoreSigns
  /** Where the first row and the first column are. */
  readonly first: CoreCorner
}
/** As QuPath does it first. */
export const usualNaming: CoreNaming = { rows: 'letters', columns: 'numbers', first: 'top-left' }

/** A, B, … Z, AA, AB, …; or 1, 2, … `at`: from 0. */
export function signOf(at: number, signs: CoreSigns): string {
  if (signs === 'numbers') return String(at + 1)
  return (at >= 26 ? signOf(Math.floor(at / 26) - 1, 'letters') : '') + String.fromCharCode(65 + (at % 26))
}

export function coreName(
  { row, column }: { readonly row: number; readonly column: number },
  { rows, columns }: { readonly rows: number; readonly columns: number },
  naming: CoreNaming,
): string {
  const r = naming.first.startsWith('bottom') ? rows - 1 - row : row
  const c = naming.first.endsWith('right') ? columns - 1 - column : column
  return `${signOf(r, naming.rows)}-${signOf(c, naming.columns)}`
}

/** The naming that all of them are called by; null: people gave them other names, or there are none. */
export function namingOf(
  cores: readonly { readonly name: string; readonly core: { readonly row: number; readonly column: number } }[],
  size: { readonly rows: number; readonly columns: number },
): CoreNaming | null {
  const all = CoreCorner.options.flatMap((first) =>
    CoreSigns.options.flatMap((rows) => CoreSigns.options.map((columns): CoreNaming => ({ rows, columns, first }))),
  )
  const isSo = (naming: CoreNaming): boolean => cores.every(({ name, core }) => name === coreName(core, size, naming))
  return cores.length === 0 ? null : ([usualNaming, ...all].find(isSo) ?? null)
}
