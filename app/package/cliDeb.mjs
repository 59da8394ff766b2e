// `npm run package:cli [-- --cuda | --for linux-arm64]`: the command line alone as a .deb, from npm's packages of that system, with its Node.
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from '../setup/build.mjs'
import { working } from '../setup/progress.mjs'
import { isProgram, root, run, runMain, say, seconds, SetupError, tail, which } from '../setup/shell.mjs'
import { debArchitecture, debName, makeDeb } from './deb.mjs'
import { putNode } from './nodeInside.mjs'
import { here, makeNpmPackages, requireAddon } from './npm.mjs'
import { layOutCommands } from './tree.mjs'

/** npm's tarballs of a system, with the sharp and libsql of that one, in a folder of their own. Returns its node_modules. */
async function installed(files, system, folder) {
  const [os, cpu] = system.split('-')
  const work = working(`installing the packages for ${system} from npm`, '5 to 60 s')
  // Forced, as npm takes these options for what is optional, and says no to the rest.
  const how = [
    '--os',
    os,
    '--cpu',
    cpu,
    '--libc',
    'glibc',
    '--force',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ]
  const done = await run(which('npm') ?? 'npm', ['install', '--prefix', folder, ...how, ...files], { quiet: true })
  work.end()
  if (done.code !== 0) throw new SetupError(`npm could not install the packages for ${system}:\n${tail(done.text, 10)}`)
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true })
  rmSync(join(folder, 'node_modules', '.bin'), { recursive: true, force: true })
  return join(folder, 'node_modules')
}

/** Returns the path of the .deb in `output`. The system's addon is built: npm.mjs says where. `cuda`: it has code for GPUs. */
export async function makeCommandsDeb(output, system, cuda) {
  const [, arch] = system.split('-')
  if (!system.startsWith('linux-') || !debArchitecture[arch])
    throw new SetupError(`A .deb is for linux-x64 or linux-arm64, not for ${system}.`)
  const folder = join(root, 'build', 'package', `cli-${system}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const program = await installed(await makeNpmPackages(join(folder, 'tarballs'), [system]), system, join(folder, 'installed'))
  await putNode(join(folder, 'node'), arch)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const about = { version, arch, cuda, cli: true }
  await layOutCommands(program, join(folder, 'node'), join(folder, 'stage', 'usr'), { ...about, name: debName(about) })
  mkdirSync(output, { recursive: true })
  return makeDeb(join(folder, 'stage'), output, about)
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    const started = Date.now()
    const args = process.argv.slice(2)
    const cuda = args[0] === '--cuda' || (args.length === 0 && process.env.MORPHO_CUDA === 'ON')
    const system = args[0] === '--for' ? (args[1] ?? '') : here
    process.env.MORPHO_CUDA = cuda ? 'ON' : 'OFF'
    requireAddon(system)
    await build({ release: true })
    const file = await makeCommandsDeb(join(root, 'release'), system, cuda)
    say(`${basename(file)}, ${(statSync(file).size / 1e6).toFixed(1)} MB, after ${seconds(started)}`)
  })
}
