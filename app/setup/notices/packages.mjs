// The npm packages that a bundle holds, read from the paths of its modules, each with its version, licence and the texts of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files that hold a licence or what it asks to be kept. */
const isLicence = (name) =>
  /^(licen[cs]es?|copying|copyright|notice|unlicense)([.-].*)?$/i.test(name) && !/\.(js|ts|json)$/i.test(name)

/** The folder of the package that a module's path lies in ('node_modules/@mantine/core'), or null for a file of our own. */
export function packageFolder(path) {
  const parts = path.replace(/[?#].*$/, '').split(/[\\/]/)
  const at = parts.lastIndexOf('node_modules')
  if (at < 0 || parts[at + 1] === undefined) return null
  const length = parts[at + 1].startsWith('@') ? 2 : 1
  return parts.slice(parts.indexOf('node_modules'), at + 1 + length).join('/')
}

/** What bundlers put into a bundle themselves: their modules have no path. */
const ofBundlers = [
  [/^\0?(vite|\/@vite)\//, 'node_modules/vite'],
  [/^\0?rolldown\//, 'node_modules/rolldown'],
]

/** The packages of modules, each once and in order; modules are paths, or a bundler's own names. */
export function foldersOf(modules) {
  const folders = modules.map((path) => packageFolder(path) ?? ofBundlers.find(([name]) => name.test(path))?.[1] ?? null)
  return [...new Set(folders)].filter((folder) => folder !== null).sort()
}

const spdxOf = ({ license, licenses }) =>
  typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? null)

/**
 * `extra`: paths of texts for packages that bring none, by name, or by the beginning of a name that ends with - or /.
 * `packed`: the version that is packed, where it is not the folder's.
 */
export function describePackage(root, folder, extra = {}, packed) {
  const path = join(root, folder)
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const own = readdirSync(path)
    .filter(isLicence)
    .sort()
    .map((name) => `${folder}/${name}`)
  const known = Object.entries(extra).find(
    ([name]) => manifest.name === name || (/[-/]$/.test(name) && manifest.name.startsWith(name)),
  )
  const version = packed ?? manifest.version
  return {
    name: manifest.name,
    version,
    license: spdxOf(manifest),
    purl: `pkg:npm/${manifest.name.replace('@', '%40')}@${version}`,
    texts: own.length > 0 ? own : (known?.[1] ?? []),
  }
}

const foldersIn = (root, folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => `${folder}/${entry.name}`)
    : []

/** A package and those inside it; of a scope (@img), all of its packages. */
function packagesBelow(root, folder) {
  if (!existsSync(join(root, folder, 'package.json'))) return foldersIn(root, folder).flatMap((each) => packagesBelow(root, each))
  return [folder, ...foldersIn(root, `${folder}/node_modules`).flatMap((each) => packagesBelow(root, each))]
}

/** Packages that go into the packed app as they are, beside the bundles: electron-builder.yml lists them. */
export function packedFolders(root) {
  const text = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
  const files = text.slice(text.search(/^files:/m))
  const named = (sign) =>
    [...files.matchAll(/^ +- '?(!?)(node_modules\/[^'\n*]+)\/\*\*'?$/gm)].flatMap(([, found, folder]) =>
      found === sign ? [folder] : [],
    )
  const left = named('!')
  const packed = named('').flatMap((folder) => packagesBelow(root, folder))
  return [...new Set(packed)].filter((folder) => !left.some((out) => `${folder}/`.startsWith(`${out}/`))).sort()
}
