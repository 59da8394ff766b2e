// Makes a .deb of a laid-out tree with plain dpkg-deb: what it needs, what it replaces, and what is left behind when it goes.
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { needs } from '../setup/needs.mjs'
import { run, SetupError, tail } from '../setup/shell.mjs'
import { sourceTime } from './tree.mjs'

/** Debian's names for Node's. */
export const debArchitecture = { x64: 'amd64', arm64: 'arm64' }

/**
 * What the packages of Debian 12, Ubuntu 22.04 and later must bring: what `npm start` would ask for, less what only builds and tests need.
 * The names of newer releases come first, because apt takes the first that it knows. glibc: the compiler's unwinder asks for _dl_find_object.
 */
export function dependencies(levels = ['slides', 'window']) {
  const asked = needs.filter(({ level, debian }) => levels.includes(level) && debian)
  const names = asked.map(({ debian }) => [...debian].reverse().join(' | '))
  return ['libc6 (>= 2.35)', 'libgcc-s1', 'libstdc++6', ...new Set(names)]
}

/** What the packages are, which all bring the command `morphoscope`: so one takes the place of another. */
const kinds = {
  morphoscope: ' This package computes on the CPU.',
  'morphoscope-cuda': ' This package has code for NVIDIA GPUs since Turing, and for the CPU.',
  'morphoscope-cli': ' This package is the command line alone, for machines without a screen.',
  'morphoscope-cli-cuda': ' This package is the command line alone, with code for NVIDIA GPUs since Turing.',
}
/** The packages' names: of the app or of the command line alone, with or without code for GPUs. */
export const debName = ({ cuda, cli }) => `morphoscope${cli ? '-cli' : ''}${cuda ? '-cuda' : ''}`

/** `kilobytes`: installed. */
export function control({ version, arch, cuda, cli, kilobytes }) {
  const name = debName({ cuda, cli })
  const others = Object.keys(kinds).filter((each) => each !== name)
  const what = cli
    ? [' Morphoscope runs recipes on slides of tissue (morphoscope).', ' The same pixels give the same result.']
    : [
        ' Morphoscope runs recipes on slides of tissue: in a window (morphoscope-app)',
        ' and on the command line (morphoscope). The same pixels give the same result.',
      ]
  const description = [
    'find, count and measure nuclei on whole-slide images',
    ...what,
    ' .',
    kinds[name],
    ' .',
    ' For research use only: it is not a medical device.',
  ]
  return `${[
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${debArchitecture[arch]}`,
    'Section: science',
    'Priority: optional',
    'Maintainer: Morphoscope contributors <morphoscope@localhost>',
    `Installed-Size: ${kilobytes}`,
    `Depends: ${dependencies(cli ? ['slides'] : undefined).join(', ')}`,
    ...(cli ? [] : ['Recommends: xdg-utils']),
    ...(cuda ? [`Provides: ${debName({ cli })}`] : []),
    `Conflicts: ${others.join(', ')}`,
    `Replaces: ${others.join(', ')}`,
    `Description: ${description.join('\n')}`,
  ].join('\n')}\n`
}

/** Root's commands keep what Node compiled beside the program, which dpkg does not know. */
const beforeRemoval = ({ cli }) => `#!/bin/sh
# Removes what the installed program wrote beside itself.
set -e
rm -rf /usr/lib/${cli ? 'morphoscope-cli/node_modules/morphoscope' : 'morphoscope/resources/app.asar.unpacked'}/dist/.compiled
`

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

/** What dpkg counts: each file in whole kilobytes, and one for each folder and link. */
function kilobytesOf(stage) {
  const folders = readdirSync(stage, { withFileTypes: true, recursive: true }).filter((entry) => entry.isDirectory()).length
  return filesBelow(stage).reduce(
    (sum, path) => sum + (lstatSync(path).isFile() ? Math.ceil(lstatSync(path).size / 1024) : 1),
    folders,
  )
}

const checksums = (stage) =>
  filesBelow(stage)
    .filter((path) => lstatSync(path).isFile())
    .map((path) => `${createHash('md5').update(readFileSync(path)).digest('hex')}  ${relative(stage, path)}\n`)
    .sort((a, b) => (a.slice(34) < b.slice(34) ? -1 : 1))
    .join('')

/** `stage`: a folder with the tree as usr; DEBIAN is put into it for the time of packing. Returns the path of the .deb in `output`. */
export async function makeDeb(stage, output, { version, arch, cuda = false, cli = false }) {
  const about = join(stage, 'DEBIAN')
  rmSync(about, { recursive: true, force: true })
  const kilobytes = kilobytesOf(stage)
  const sums = checksums(stage)
  mkdirSync(about)
  chmodSync(about, 0o755)
  writeFileSync(join(about, 'control'), control({ version, arch, cuda, cli, kilobytes }))
  writeFileSync(join(about, 'md5sums'), sums)
  writeFileSync(join(about, 'prerm'), beforeRemoval({ cli }))
  chmodSync(join(about, 'prerm'), 0o755)
  // The helper of Chromium's sandbox is root's; without it a system that keeps user namespaces to itself has none.
  const sandbox = join(stage, 'usr', 'lib', 'morphoscope', 'chrome-sandbox')
  if (!cli) chmodSync(sandbox, 0o4755)
  const file = join(output, `${debName({ cuda, cli })}_${version}_${debArchitecture[arch]}.deb`)
  const env = { SOURCE_DATE_EPOCH: String(sourceTime()) }
  const done = await run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', stage, file], { quiet: true, env })
  if (!cli) chmodSync(sandbox, 0o755)
  rmSync(about, { recursive: true })
  if (done.code !== 0) throw new SetupError(`dpkg-deb failed:\n${tail(done.text, 10)}`)
  return file
}
