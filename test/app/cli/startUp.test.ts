// What a short command loads: neither the image library nor the web server, and of zod what is used; each took longer than the command.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const sample = join(root, 'assets', 'samples', 'CMU-1-Small-Region.svs')

let directory: string
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'morphoscope-start-'))))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** The files that a command line loads, as V8 counts them. */
function loadedBy(...args: string[]): string[] {
  execFileSync(process.execPath, [program, ...args], { env: { ...process.env, NODE_V8_COVERAGE: directory }, stdio: 'pipe' })
  const found = readdirSync(directory, 'utf8')
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { result: { url: string }[] }
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
    })
  return found.map((url) => fileURLToPath(url))
}

it.skipIf(!existsSync(program))('info loads what it needs', () => {
  const files = loadedBy('info', sample)
  expect(files).toContain(program)
  expect(files.filter((file) => /node_modules|serve-/.test(file))).toEqual([])
  // 1.4 MB before; a schema library's unused parts would be 0.3 MB again. 863 kB on 2026-11-28: cores, sections, shards, bands, maps.
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(900_000)
})

it.skipIf(!existsSync(program))('what needs the image library loads it', () => {
  const image = join(root, 'assets', 'icons', 'icon.png')
  const files = loadedBy('op', 'stain', '--image', image, '--out', join(directory, 'out.png'))
  expect(files.filter((file) => file.includes('/node_modules/sharp/'))).not.toEqual([])
})
