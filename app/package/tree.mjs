// Lays out what a Linux package holds, as it lies below /usr: the app, its commands, and what the desktop and the shell want to know of it.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { output, root, SetupError } from '../setup/shell.mjs'
import { bashCompletion, manPage, zshCompletion } from './commandPages.mjs'

const linux = join(root, 'app', 'package', 'linux')
const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512]

/** Of the last commit, so that the same sources give the same package; without git of now. In seconds. */
export function sourceTime() {
  return Number(process.env.SOURCE_DATE_EPOCH ?? output('git', ['log', '-1', '--format=%ct']) ?? Math.floor(Date.now() / 1000))
}

function put(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
}

/** The commands as dist/cli.mjs has them: what is packed describes itself. */
async function commandProgram() {
  const { program, exitCodeRows } = await import(pathToFileURL(join(root, 'dist', 'cli.mjs')).href)
  const silent = { print() {}, note() {}, progress() {}, endProgress() {} }
  return { program: program(silent, new AbortController().signal, () => undefined), codes: exitCodeRows() }
}

async function putIcons(share) {
  const svg = readFileSync(join(root, 'assets', 'icons', 'icon.svg'))
  const icons = join(share, 'icons', 'hicolor')
  put(join(icons, 'scalable', 'apps', 'morphoscope.svg'), svg)
  for (const size of iconSizes) {
    const png = await sharp(svg, { density: 72 * Math.max(1, size / 512) })
      .resize(size, size)
      .png({ compressionLevel: 9 })
      .toBuffer()
    put(join(icons, `${size}x${size}`, 'apps', 'morphoscope.png'), png)
  }
}

/** Everybody reads, nobody but the owner writes, and what is a program stays one. */
function evenModes(folder) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) evenModes(path)
    else if (!entry.isSymbolicLink()) chmodSync(path, lstatSync(path).mode & 0o111 ? 0o755 : 0o644)
  }
}

/** `packed`: electron-builder's folder, whose files are linked, not copied. `usr`: a folder that becomes the tree. `name`: the package's. */
export async function layOut(packed, usr, { version, name }) {
  rmSync(usr, { recursive: true, force: true })
  const app = join(usr, 'lib', 'morphoscope')
  mkdirSync(dirname(app), { recursive: true })
  const copied = spawnSync('cp', ['-al', packed, app], { encoding: 'utf8' })
  if (copied.status !== 0) throw new SetupError(`The packed app could not be laid out: ${copied.stderr}`)
  // Its mode is another in a .deb: it must not be one file with electron-builder's.
  const sandbox = join(app, 'chrome-sandbox')
  rmSync(sandbox)
  copyFileSync(join(packed, 'chrome-sandbox'), sandbox)
  chmodSync(sandbox, 0o755)
  evenModes(app)

  const bin = join(usr, 'bin')
  put(join(bin, 'morphoscope'), readFileSync(join(linux, 'morphoscope')), 0o755)
  symlinkSync('../lib/morphoscope/morphoscope', join(bin, 'morphoscope-app'))

  const share = join(usr, 'share')
  put(join(share, 'applications', 'morphoscope.desktop'), readFileSync(join(linux, 'morphoscope.desktop')))
  put(join(share, 'metainfo', 'org.morphoscope.app.metainfo.xml'), readFileSync(join(linux, 'metainfo.xml')))
  put(join(share, 'mime', 'packages', 'morphoscope.xml'), readFileSync(join(linux, 'mime.xml')))
  await putIcons(share)
  await putCommandPages(share, version)
  symlinkSync('morphoscope.1.gz', join(share, 'man', 'man1', 'morphoscope-app.1.gz'))
  putTexts(join(share, 'doc', name), join(root, 'build', 'package', 'notices', 'sbom.cdx.json'))
  evenModes(share)
}

/** The command line alone. `program`: what npm installed, `node`: a folder with Node's program and licence, both of the system that it is for. */
export async function layOutCommands(program, node, usr, { version, name }) {
  const app = join(usr, 'lib', 'morphoscope-cli')
  cpSync(program, join(app, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  copyFileSync(join(node, 'node'), join(app, 'node'))
  evenModes(app)
  const start = readFileSync(join(linux, 'morphoscope'), 'utf8')
    .replace('/lib/morphoscope/resources', '/lib/morphoscope-cli')
    .replace('/app.asar.unpacked/', '/node_modules/morphoscope/')
  put(join(usr, 'bin', 'morphoscope'), start, 0o755)
  const share = join(usr, 'share')
  await putCommandPages(share, version)
  const doc = join(share, 'doc', name)
  putTexts(doc, join(program, 'morphoscope', 'dist', 'sbom.cdx.json'))
  put(join(doc, 'LICENSE.node'), readFileSync(join(node, 'LICENSE')))
  evenModes(share)
}

function putTexts(doc, bill) {
  put(join(doc, 'copyright'), readFileSync(join(linux, 'copyright')))
  put(join(doc, 'sbom.cdx.json'), readFileSync(bill))
  put(join(doc, 'changelog.gz'), gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }))
}

/** The manual page, and what shells complete, of the built command line. */
export async function commandPages(version) {
  const { program, codes } = await commandProgram()
  const date = new Date(sourceTime() * 1000).toISOString().slice(0, 10)
  return { man: manPage(program, { version, date, codes }), bash: bashCompletion(program), zsh: zshCompletion() }
}

async function putCommandPages(share, version) {
  const { man, bash, zsh } = await commandPages(version)
  put(join(share, 'man', 'man1', 'morphoscope.1.gz'), gzipSync(man, { level: 9 }))
  put(join(share, 'bash-completion', 'completions', 'morphoscope'), bash)
  put(join(share, 'zsh', 'vendor-completions', '_morphoscope'), zsh)
}
