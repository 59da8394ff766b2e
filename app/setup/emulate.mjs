// The GPU's kernels in `npm test`: compiled for the CPU, compared with the CPU's operations, each launched at least once (test/gpu/emulate).
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildEmulation } from './build.mjs'
import { countEmulated, oneFailure, oneSkip } from './reports.mjs'
import { patience, root, run, tail } from './shell.mjs'

const label = "the GPU's kernels in emulation"

/** Why the kernels cannot be emulated here, or null. `folder`: where the native engine was built with its tests. */
export function whyNoEmulation(folder = join(root, 'build', 'native'), { platform, arch } = process) {
  if (platform === 'win32' || arch !== 'x64')
    return `threads change over as x86-64 on POSIX does, and this is ${arch} on ${platform}`
  return existsSync(join(folder, 'gpu_emulation')) ? null : 'Python 3 was not found, which translates them (Debian: python3)'
}

/** `results`: the folder for logs. Two processes, as a kernel's threads are one thread of the CPU's. */
export async function emulatedTests(results) {
  const reason = whyNoEmulation()
  if (reason !== null) return oneSkip(label, reason)
  let binary
  try {
    binary = await buildEmulation()
  } catch (error) {
    console.error(error.message)
    return oneFailure(`${label}: not built`)
  }
  const shares = [0, 1]
  const done = await Promise.all(
    shares.map((share) =>
      run(binary, ['--fixtures', 'test/fixtures', '--smoke', '--kernels', '--share', `${share}/${shares.length}`], {
        quiet: true,
        limits: patience,
      }),
    ),
  )
  writeFileSync(join(results, 'gpu-emulation.log'), done.map(({ text }) => text).join('\n'))
  const counts = countEmulated(done)
  if (counts.failed > 0) for (const { text } of done) console.error(tail(text, 40))
  return counts
}
