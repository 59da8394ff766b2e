// Starts failingReads.ts with failReads.c preloaded, and gives what it said of each seed.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtScript } from '../built'
import type { FailingReads, OfSeed } from './failingReads'

const root = join(import.meta.dirname, '../..')
export const canFailReads = process.platform === 'linux' && existsSync('/usr/bin/cc')

export async function failingReads(asked: Omit<FailingReads, 'root' | 'folder' | 'slide'>): Promise<OfSeed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'failing-reads-'))
  const slide = join(root, 'assets/samples/CMU-1-Small-Region.svs')
  const script = await builtScript('test/stress/failingReads.ts')
  try {
    const shim = join(folder, 'failReads.so')
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/failReads.c'), '-ldl', '-lpthread'])
    const env = { ...process.env, LD_PRELOAD: shim, FAIL_FILE: '.svs', FAIL_SEED: '' }
    const arg = JSON.stringify({ ...asked, root, folder, slide })
    const { stdout } = await promisify(execFile)(process.execPath, [script, arg], { env, maxBuffer: 2 ** 26 })
    return stdout.trim().split('\n').map((line) => JSON.parse(line) as OfSeed) // oxfmt-ignore
  } finally {
    await rm(script, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}
