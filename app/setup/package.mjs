// `npm run package [-- electron-builder's options]`: builds for release, packs the desktop app, and reads back what its binary may no longer do.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { build } from './build.mjs'
import { isProgram, root, run, runMain, say, SetupError } from './shell.mjs'

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

/** Packs what is built; `args` go to electron-builder. Returns the program's path. */
export async function pack(args, output = join(root, 'release'), options = {}) {
  const tool = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const done = await run(process.execPath, [tool, '--dir', `-c.directories.output=${output}`, ...args], options)
  if (done.code !== 0) throw new SetupError(`electron-builder ended with code ${done.code}. ${done.text ?? ''}`)
  const binary = packedBinary(output)
  const wrong = await wrongFuses(binary)
  if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
  return binary
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    await build({ release: true })
    say(`packed: ${await pack(process.argv.slice(2))}, with its fuses set`)
  })
}
