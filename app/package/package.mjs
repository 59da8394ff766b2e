// `npm run package [-- --cuda] [-- electron-builder's options]`: builds for release, packs the app, and on Linux makes a .deb and a .tar.zst.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from '../setup/build.mjs'
import { working } from '../setup/progress.mjs'
import { isProgram, root, run, runMain, say, seconds, SetupError, tail, which } from '../setup/shell.mjs'
import { debName, makeDeb } from './deb.mjs'
import { pack } from './pack.mjs'
import { layOut, sourceTime } from './tree.mjs'

const megabytes = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`

/** The tree as one folder that can be unpacked anywhere. */
async function makeTarball(stage, output, { version, arch, cuda }) {
  const name = `morphoscope${cuda ? '-cuda' : ''}-${version}-linux-${arch}`
  const file = join(output, `${name}.tar.zst`)
  const even = ['--sort=name', `--mtime=@${sourceTime()}`, '--owner=0', '--group=0', '--numeric-owner']
  const args = [...even, `--transform=flags=r;s,^usr,${name},`, '-I', 'zstd -9 -T0', '-C', stage, '-cf', file, 'usr']
  const done = await run('tar', args, { quiet: true })
  if (done.code !== 0) throw new SetupError(`tar failed:\n${tail(done.text, 10)}`)
  return file
}

/** From electron-builder's folder to the files that people download. Returns their paths; what is left out has been said. */
export async function makePackages(packed, output, about) {
  const stage = join(output, 'stage')
  await layOut(packed, join(stage, 'usr'), { ...about, name: debName(about) })
  const files = []
  const make = async (tool, what, usual, how) => {
    if (!which(tool)) return say(`no ${what}: ${tool} is not here`)
    const started = Date.now()
    const work = working(`making the ${what}`, usual)
    const file = await how(stage, output, about)
    work.end()
    files.push(file)
    say(`${what}: ${basename(file)}, ${megabytes(file)}, in ${seconds(started)}`)
  }
  await make('dpkg-deb', '.deb', '20 to 120 s', makeDeb)
  await make('zstd', '.tar.zst', '20 to 120 s', makeTarball)
  rmSync(stage, { recursive: true })
  const sums = files.map((path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}\n`)
  writeFileSync(join(output, 'SHA256SUMS'), sums.join(''))
  return files
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    const started = Date.now()
    const args = process.argv.slice(2)
    const cuda = args.includes('--cuda') || process.env.MORPHO_CUDA === 'ON'
    process.env.MORPHO_CUDA = cuda ? 'ON' : 'OFF'
    say(
      cuda
        ? 'packing with code for NVIDIA GPUs since Turing: nvcc compiles it for five architectures'
        : 'packing for the CPU; with --cuda also for NVIDIA GPUs',
    )
    await build({ release: true })
    const output = join(root, 'release')
    mkdirSync(output, { recursive: true })
    const packing = Date.now()
    const binary = await pack(
      args.filter((arg) => arg !== '--cuda'),
      output,
    )
    say(`packed: ${binary}, with its fuses set, in ${seconds(packing)}`)
    if (process.platform === 'linux') {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      await makePackages(dirname(binary), output, { version, arch: process.arch, cuda })
    }
    say(`all is in ${output}, after ${seconds(started)}`)
  })
}
