// A script of the tests' as one file that Node runs as it is: what needs the engine in a process of its own.
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** `entry`: from the repository's root on. As deep below build/ as a test: it finds the addon from where it lies. The caller removes it. */
export async function builtScript(entry: string): Promise<string> {
  const outfile = join(root, 'build', 'test', 'project', `${basename(entry, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['sharp', 'libsql', '*.node'],
    banner: { js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)" },
    define: { __filename: 'import.meta.url' },
    logLevel: 'error',
  })
  return outfile
}
