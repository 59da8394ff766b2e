// The header of NumPy's .npy, versions 1 to 3, read as text by its own three entries: nothing in it is evaluated.
import { EngineError } from './errors'

export interface NpyHead {
  /** NumPy's type, as "<u2". */
  readonly descr: string
  readonly fortran: boolean
  readonly shape: readonly number[]
  /** Of the first number, in bytes. */
  readonly dataAt: number
}

const refused = (path: string, why: string): EngineError => new EngineError('INVALID_PARAMETER', `${path} ${why}`)

/** `file`: its first bytes, in which the header must end. Throws INVALID_PARAMETER, by `path`. */
export function npyHeadOf(path: string, file: Buffer): NpyHead {
  if (file.length < 10 || file.toString('latin1', 0, 6) !== '\x93NUMPY') throw refused(path, 'is not a .npy file')
  const version = file[6]!
  if (version < 1 || version > 3) throw refused(path, `is of .npy version ${version}: expected 1, 2 or 3`)
  const wide = version >= 2
  if (wide && file.length < 12) throw refused(path, 'is incomplete')
  const start = wide ? 12 : 10
  const dataAt = start + (wide ? file.readUInt32LE(8) : file.readUInt16LE(8))
  if (dataAt > file.length) throw refused(path, 'is incomplete')
  const text = file.toString(version === 3 ? 'utf8' : 'latin1', start, dataAt)
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1]
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1]
  const shape = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(text)?.[1]
  if (descr === undefined) throw refused(path, 'holds records or no type at all: expected one integer type')
  if (order === undefined || shape === undefined) throw refused(path, 'has a broken header')
  const sizes = shape
    .split(',')
    .map((part) => part.trim().replace(/L$/, ''))
    .filter(Boolean)
    .map(Number)
  return { descr, fortran: order === 'True', shape: sizes, dataAt }
}
