// What native libraries hold: read from the binaries and the lists beside them, with licences from assets/notices.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (root, name) => JSON.parse(readFileSync(join(root, 'assets', 'notices', name), 'utf8'))
const textPath = (path) => (path.includes('/') ? `assets/notices/${path}` : path)
/** A part that assets/notices does not know has no licence and no text: the list of what is missing names it. */
const part = (known, key, version, purl) => ({
  name: known?.name ?? key,
  version,
  license: known?.license ?? null,
  purl,
  texts: (known?.texts ?? []).map(textPath),
})
const generic = (name, version) => `pkg:generic/${encodeURIComponent(name)}${version ? `@${encodeURIComponent(version)}` : ''}`
/** CUB writes 3.0.1 as 300001. */
const plainVersion = (version) =>
  /^\d{6}$/.test(version) ? `${Number(version.slice(0, 1))}.${Number(version.slice(1, 4))}.${Number(version.slice(4))}` : version

/** Of a folder of sharp's prebuilt libvips, which lists its parts in versions.json. */
export function partsOfLibvips(root, folder) {
  const versions = join(root, folder, 'versions.json')
  if (!existsSync(versions)) return []
  const { parts } = read(root, 'libvips.json')
  const found = JSON.parse(readFileSync(versions, 'utf8'))
  const inside = Object.entries(parts)
    .filter(([key, { within }]) => within !== undefined && found[within] !== undefined && found[key] === undefined)
    .map(([key, known]) => part(known, key, found[known.within], generic(key, found[known.within])))
  return [...Object.entries(found).map(([key, version]) => part(parts[key], key, version, generic(key, version))), ...inside]
}

/** Rust names the files of crates where a program may stop in them: their paths stand in the library. */
export function cratesOf(binary) {
  const found = binary.toString('latin1').matchAll(/registry\/src\/[^/\0 ]+\/([A-Za-z][\w-]*?)-(\d+\.\d+\.\d+[\w.+-]*)\//g)
  return [...new Map([...found].map(([, name, version]) => [`${name} ${version}`, { name, version }])).values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  )
}

export function partsOfLibsql(root, folder) {
  const binary = join(root, folder, 'index.node')
  if (!existsSync(binary)) return []
  const bytes = readFileSync(binary)
  const { parts, others } = read(root, 'libsql.json')
  const text = bytes.toString('latin1')
  const beside = Object.entries(others).flatMap(([key, known]) => {
    const found = new RegExp(known.marker).exec(text)
    const version = plainVersion(found?.[1] ?? '')
    return found ? [part(known, key, version, generic(key, version))] : []
  })
  return [
    ...cratesOf(bytes).map(({ name, version }) => part(parts[name], name, version, `pkg:cargo/${name}@${version}`)),
    ...beside,
  ]
}

/** Of our own addon: what was linked into it shows in its bytes; Node's headers are compiled into every one. */
export function partsOfAddon(root, binary) {
  const text = existsSync(binary) ? readFileSync(binary).toString('latin1') : ''
  return Object.entries(read(root, 'addon.json').parts).flatMap(([key, known]) => {
    const found = new RegExp(known.marker).exec(text)
    const version = plainVersion(found?.[1] ?? '')
    return found ? [part(known, key, version, generic(key, version))] : []
  })
}

/** The folders of prebuilt libraries among packed packages. */
export const isLibvips = (folder) => folder.startsWith('node_modules/@img/')
export const isLibsql = (folder) => folder.startsWith('node_modules/@libsql/')

/** Libraries that an ELF file asks the system for, or null for another kind of file. */
export function neededLibraries(bytes) {
  if (bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2) return null
  const [sections, size, count] = [Number(bytes.readBigUInt64LE(40)), bytes.readUInt16LE(58), bytes.readUInt16LE(60)]
  const header = (at) => ({
    type: bytes.readUInt32LE(at + 4),
    offset: Number(bytes.readBigUInt64LE(at + 24)),
    size: Number(bytes.readBigUInt64LE(at + 32)),
    link: bytes.readUInt32LE(at + 40),
  })
  const all = Array.from({ length: count }, (_, i) => header(sections + i * size))
  const dynamic = all.find(({ type }) => type === 6)
  if (!dynamic) return []
  const names = all[dynamic.link].offset
  const needed = []
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    if (bytes.readBigUInt64LE(at) !== 1n) continue
    const start = names + Number(bytes.readBigUInt64LE(at + 8))
    needed.push(bytes.toString('latin1', start, bytes.indexOf(0, start)))
  }
  return needed
}
