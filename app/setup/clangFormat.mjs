// The layout of C++ and CUDA files: checks it, or with --write puts it in place, by .clang-format at the root and a pinned clang-format (WASM).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProgram, output, root, runMain, say } from './shell.mjs'

const sources = ['*.cpp', '*.hpp', '*.cu', '*.cuh', '*.h', '*.c']

/** What git tracks or would track, but for the fixtures. */
function files() {
  const listed = output('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...sources], { cwd: root })
  if (listed === null) return null
  return listed.split('\0').filter((path) => path !== '' && !path.startsWith('test/fixtures/'))
}

/** The files whose layout differs, as sentences; with `write` they are changed, and named too. Null where this is no clone of git's. */
export async function unformatted({ write = false } = {}) {
  const paths = files()
  if (paths === null) return null
  // Loaded here, as this module is there before npm's packages are.
  const { format } = await import('@wasm-fmt/clang-format')
  const style = readFileSync(join(root, '.clang-format'), 'utf8')
  const found = []
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8')
    const wanted = format(text, path, style)
    if (wanted === text) continue
    found.push(path)
    if (write) writeFileSync(join(root, path), wanted)
  }
  return found
}

if (isProgram(import.meta.url))
  await runMain(async () => {
    const write = process.argv.includes('--write')
    const found = await unformatted({ write })
    if (found === null) return (say('clang-format: not checked, as this is no clone of git'), 0)
    for (const path of found)
      console.log(write ? `${path}: written` : `${path}: not laid out as .clang-format says (npm run format)`)
    return write || found.length === 0 ? 0 : 1
  })
