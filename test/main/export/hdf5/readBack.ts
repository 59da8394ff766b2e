// HDF5 files read back by the HDF Group's own library: compiled to WebAssembly, and through Python's h5py where the machine has it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as h5 from 'h5wasm/node'

type Value = string | number | boolean | null | Value[]
export interface ReadNode {
  readonly attributes: Readonly<Record<string, Value>>
  /** Of a group. */
  readonly members?: Readonly<Record<string, ReadNode>>
  readonly shape?: readonly number[]
  /** All its elements, by rows; NaN is null. */
  readonly values?: readonly Value[]
}

const plain = (value: unknown): Value => {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plain)
  if (Array.isArray(value)) return value.map(plain)
  return (value ?? null) as Value
}

function nodeOf(entity: h5.Group | h5.Dataset): ReadNode {
  const attributes = Object.fromEntries(Object.entries(entity.attrs).map(([name, { value }]) => [name, plain(value)]))
  if (entity instanceof h5.Group) {
    const names = entity.keys()
    return {
      attributes,
      members: Object.fromEntries(names.map((name) => [name, nodeOf(entity.get(name) as h5.Group | h5.Dataset)])),
    }
  }
  const shape = entity.shape!
  return { attributes, shape, values: shape.includes(0) ? [] : [plain(entity.value)].flat() }
}

export async function readBack(path: string): Promise<ReadNode> {
  await h5.ready
  const file = new h5.File(path, 'r')
  try {
    return nodeOf(file)
  } finally {
    file.close()
  }
}

const script = fileURLToPath(new URL('readBack.py', import.meta.url))
/** Of Python, and of what AnnData's own library finds; null: it is not there. */
const pythons = ['python3', '/usr/bin/python3']
export const python = pythons.find((each) => spawnSync(each, ['-c', 'import h5py']).status === 0) ?? null

export interface PythonRead {
  readonly tree: ReadNode
  /** What anndata makes of it; null: it is not there, or the file is no AnnData. */
  readonly anndata: {
    readonly shape: readonly [number, number]
    readonly obs: Readonly<Record<string, string>>
    readonly categories: Readonly<Record<string, readonly string[]>>
    readonly obsm: readonly string[]
    readonly colors: readonly string[]
  } | null
}

export function readByPython(path: string): PythonRead {
  const { stdout, stderr, status } = spawnSync(python!, [script, path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as PythonRead
}
