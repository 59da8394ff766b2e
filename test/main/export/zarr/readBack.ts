// Zarrs read back by programs that are not ours: zarrita, and Python's zarr where the machine has it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { FileSystemStore } from '@zarrita/storage'
import { get, open, root } from 'zarrita'

/** What zarrita reads of an array of numbers. */
export async function numbersOf(folder: string, path: string): Promise<{ shape: number[]; data: Uint32Array }> {
  const array = await open.v2(root(new FileSystemStore(folder)).resolve(path), { kind: 'array' })
  return (await get(array)) as unknown as { shape: number[]; data: Uint32Array }
}

const script = fileURLToPath(new URL('readBack.py', import.meta.url))
/** null: no Python with zarr is there. */
export const python = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, ['-c', 'import zarr']).status === 0) ?? null

export interface PythonNode {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly members?: Readonly<Record<string, PythonNode>>
  readonly shape?: readonly number[]
  readonly dtype?: string
  readonly texts?: readonly string[]
  readonly bytes?: string
}
export interface PythonRead {
  readonly tree: PythonNode
  readonly anndata: {
    readonly shape: readonly [number, number]
    readonly obs: Readonly<Record<string, string>>
    readonly index: readonly string[]
    readonly var: readonly string[]
    readonly categories: Readonly<Record<string, readonly string[]>>
    readonly spatial: readonly number[]
    readonly region: string
    readonly slide: string
    readonly umPerPx: number
  } | null
}

/** `table`: of AnnData within it, and the same as `h5ad`, with which Python compares it: it throws where they differ. */
export function readByPython(folder: string, table?: { readonly path: string; readonly h5ad: string }): PythonRead {
  const args = [script, folder, ...(table ? [table.path, table.h5ad] : [])]
  const { stdout, stderr, status } = spawnSync(python!, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as PythonRead
}
