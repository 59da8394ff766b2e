// Packs the built app with electron-builder, offline where Electron is here, and reads back what its binary may no longer do.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { findElectron, otherElectron } from '../setup/electron.mjs'
import { writeNotices } from '../setup/notices/notices.mjs'
import { working } from '../setup/progress.mjs'
import { root, run, say, SetupError, tail } from '../setup/shell.mjs'
import { nodePackage, putNode } from './nodeInside.mjs'

/** electron-builder.yml asks for these; what counts is what the binary says. */
export const wantedFuses = {
  RunAsNode: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  GrantFileProtocolExtraPrivileges: false,
}

/** In the wire each fuse is a digit's code; the package does not export its names for them. */
const [fuseOff, fuseOn] = [48, 49]

/** Sentences about each fuse of `binary` that is not as wanted. */
export async function wrongFuses(binary) {
  const wire = await getCurrentFuseWire(binary)
  return Object.entries(wantedFuses)
    .filter(([name, wanted]) => wire[FuseV1Options[name]] !== (wanted ? fuseOn : fuseOff))
    .map(([name, wanted]) => `expected the fuse ${name} of ${binary} to be ${wanted ? 'on' : 'off'}, and it is not`)
}

/** Where electron-builder left the packed program below `output`. */
export function packedBinary(output) {
  const candidates = [
    ['linux-unpacked', 'morphoscope'],
    ['linux-arm64-unpacked', 'morphoscope'],
    ['win-unpacked', 'Morphoscope.exe'],
    ['win-arm64-unpacked', 'Morphoscope.exe'],
    ['mac', 'Morphoscope.app/Contents/MacOS/Morphoscope'],
    ['mac-arm64', 'Morphoscope.app/Contents/MacOS/Morphoscope'],
  ]
  const found = candidates.map((parts) => join(output, ...parts)).find((path) => existsSync(path))
  if (found === undefined)
    throw new SetupError(
      `There is no packed program in ${output}: ${existsSync(output) ? readdirSync(output).join(', ') : 'no such folder'}.`,
    )
  return found
}

const notices = join(root, 'build', 'package', 'notices')

/** The licences and the bill of materials of the package: those of the build, and the Node that only a package has. */
function writePackagesNotices(electron) {
  const modules = join(root, 'dist', '.modules.json')
  if (!existsSync(modules)) throw new SetupError('The app is not built: run "npm run build" first.')
  mkdirSync(join(notices, 'renderer'), { recursive: true })
  const beside = process.platform === 'linux' ? { [nodePackage]: 'the engine' } : {}
  const missing = writeNotices(root, notices, JSON.parse(readFileSync(modules, 'utf8')), { beside, electron })
  if (missing.length > 0) throw new SetupError(`These parts would be packed without their licence: ${missing.join(', ')}.`)
}

/** Packs what is built into the folder `output`; `args` go to electron-builder. Returns the program's path. */
export async function pack(args, output = join(root, 'release')) {
  if (process.platform === 'linux') await putNode()
  // Without one here electron-builder downloads it.
  const found = await findElectron()
  const other = otherElectron(found)
  if (other) say(other)
  writePackagesNotices(found.version)
  const { path } = found
  const electron = path && process.platform !== 'darwin' ? [`-c.electronDist=${dirname(path)}`] : []
  const tool = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const work = working('packing the app', path ? '10 to 40 s' : '1 to 5 min: Electron is downloaded')
  rmSync(join(output, 'linux-unpacked'), { recursive: true, force: true })
  const options = ['--dir', `-c.directories.output=${output}`, ...electron, ...args]
  const done = await run(process.execPath, [tool, ...options], { quiet: true })
  work.end()
  if (done.code !== 0) throw new SetupError(`electron-builder ended with code ${done.code}:\n${tail(done.text)}`)
  const binary = packedBinary(output)
  const resources = join(dirname(binary), 'resources')
  // Electron's own page for a start without a program.
  rmSync(join(resources, 'default_app.asar'), { force: true })
  // electron-builder leaves these in the archive, where the command line cannot read them.
  if (process.platform === 'linux') cpSync(notices, join(resources, 'app.asar.unpacked', 'dist'), { recursive: true })
  const wrong = await wrongFuses(binary)
  if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
  return binary
}
