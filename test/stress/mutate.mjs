// Seeded damage: the same seed and number always give the same mutant of a file, so that a finding can be made again.

/** Numbers in [0, 1) from a 32-bit seed (mulberry32). */
export function randomOf(seed) {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), a | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
export const pick = (random, list) => list[Math.floor(random() * list.length)]
const below = (random, n) => Math.floor(random() * n)

const awkward = [
  0,
  1,
  2,
  7,
  15,
  16,
  255,
  256,
  65_500,
  65_535,
  65_536,
  2 ** 20,
  2 ** 24,
  2 ** 28,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
]
const awkwardText = [
  ...awkward.map(String),
  '-1',
  '-2147483648',
  '4294967296',
  '9223372036854775807',
  '1e308',
  'nan',
  '',
  '0.00001',
  '../x',
  '/etc/passwd',
]

// ---------------------------------------------------------------- what a TIFF holds

/** Where each entry of each directory stands: { at, type, count, valueAt, wide } and the links from directory to directory. */
function tiffParts(bytes) {
  const little = bytes[0] === 0x49 && bytes[1] === 0x49
  if (!little && !(bytes[0] === 0x4d && bytes[1] === 0x4d)) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const short = (at) => (at + 2 <= bytes.length ? view.getUint16(at, little) : 0)
  const long = (at) => (at + 4 <= bytes.length ? view.getUint32(at, little) : 0)
  const wide = short(2) === 43
  const offset = (at) => (wide ? long(little ? at : at + 4) : long(at))
  const [entryBytes, countBytes, offsetBytes] = wide ? [20, 8, 8] : [12, 2, 4]
  const entries = []
  const links = [wide ? 8 : 4]
  const directories = []
  for (let at = offset(links[0]); at > 0 && at < bytes.length && directories.length < 40 && !directories.includes(at);) {
    directories.push(at)
    const n = Math.min(wide ? offset(at) : short(at), 200)
    for (let i = 0; i < n; i++) {
      const entry = at + countBytes + i * entryBytes
      if (entry + entryBytes > bytes.length) break
      entries.push({ at: entry, tag: short(entry), type: short(entry + 2), countAt: entry + 4, valueAt: entry + 4 + offsetBytes })
    }
    const link = at + countBytes + n * entryBytes
    if (link + offsetBytes > bytes.length) break
    links.push(link)
    at = offset(link)
  }
  return { little, wide, view, entries, links, directories, offsetBytes }
}

const tellingTags = new Set([256, 257, 258, 259, 262, 273, 277, 278, 279, 284, 322, 323, 324, 325, 347, 65420, 65421, 65426])

function damageTiff(bytes, random) {
  const parts = tiffParts(bytes)
  if (!parts || parts.entries.length === 0) return false
  const { little, wide, view, entries, links, directories, offsetBytes } = parts
  const putOffset = (at, value) => {
    if (at + offsetBytes > bytes.length) return
    if (wide) view.setBigUint64(at, BigInt(Math.floor(value)), little)
    else view.setUint32(at, value >>> 0, little)
  }
  const value = () =>
    pick(random, [pick(random, awkward), bytes.length, bytes.length - 1, below(random, bytes.length), below(random, 2 ** 32)])
  const telling = entries.filter(({ tag }) => tellingTags.has(tag))
  const entry = pick(random, random() < 0.7 && telling.length > 0 ? telling : entries)
  switch (below(random, 7)) {
    case 0:
    case 1: {
      if (entry.type === 3 && random() < 0.8) view.setUint16(entry.valueAt, value() & 0xffff, little)
      else putOffset(entry.valueAt, value())
      // A SHORT is too small for the sizes that hurt.
      if (random() < 0.5) view.setUint16(entry.at + 2, 4, little)
      break
    }
    case 2:
      putOffset(entry.countAt, pick(random, [0, 1, 2, value()]))
      break
    case 3:
      view.setUint16(entry.at + 2, pick(random, [1, 2, 3, 4, 5, 7, 11, 12, 13, 16, 17, 0, 99]), little)
      break
    case 4:
      view.setUint16(entry.at, pick(random, [...tellingTags]), little)
      break
    case 5:
      putOffset(pick(random, links), pick(random, [pick(random, directories), value(), 0]))
      break
    default: {
      // One item of a table that the entry points to.
      const at = wide ? Number(view.getBigUint64(entry.valueAt, little) & 0xffff_ffffn) : view.getUint32(entry.valueAt, little)
      const slot = at + 4 * below(random, 200)
      if (slot + 4 <= bytes.length) view.setUint32(slot, value() >>> 0, little)
    }
  }
  return true
}

// ---------------------------------------------------------------- what text and JPEG hold

function damageText(bytes, random) {
  // A number in a text: sizes in XML, INI and descriptions.
  for (let tries = 0; tries < 200; tries++) {
    const start = below(random, bytes.length)
    let at = start
    while (at < Math.min(bytes.length, start + 4096) && !(bytes[at] >= 48 && bytes[at] <= 57)) at++
    let end = at
    while (end < bytes.length && end - at < 20 && bytes[end] >= 48 && bytes[end] <= 57) end++
    const before = bytes[at - 1] ?? 0
    const printable = (c) => c >= 32 && c < 127
    if (end === at || !printable(before) || !printable(bytes[end] ?? 0) || !printable(bytes[at - 2] ?? 0)) continue
    return splice(bytes, at, end, Buffer.from(pick(random, awkwardText)))
  }
  return null
}

function splice(bytes, from, to, middle) {
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)])
}

function damageJpeg(bytes, random) {
  const places = []
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 20 < bytes.length && places.length < 400; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if ((marker >= 0xc0 && marker <= 0xc4) || (marker >= 0xda && marker <= 0xdd)) places.push(at)
  }
  if (places.length === 0) return false
  const at = pick(random, places)
  switch (below(random, 4)) {
    case 0:
      bytes[at + 1] = pick(random, [0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca, 0xd8, 0xd9, 0xda])
      break
    case 1:
      bytes.writeUInt16BE(pick(random, awkward) & 0xffff, at + 2)
      break
    case 2:
      bytes.writeUInt16BE(pick(random, [0, 1, 8, 65_500, 65_535]), at + 5)
      bytes.writeUInt16BE(pick(random, [0, 1, 8, 65_500, 65_535]), at + 7)
      break
    default:
      bytes[at + 2 + below(random, 18)] = below(random, 256)
  }
  return true
}

// ---------------------------------------------------------------- any file

function damageBytes(bytes, random) {
  const n = 1 + below(random, 16)
  // The beginning says most.
  const reach = random() < 0.5 ? Math.min(bytes.length, 512) : bytes.length
  for (let i = 0; i < n; i++) bytes[below(random, reach)] = pick(random, [0, 1, 127, 128, 255, below(random, 256)])
}

function damageWord(bytes, random) {
  if (bytes.length < 8) return
  const at = below(random, bytes.length - 4)
  const value = pick(random, awkward)
  if (random() < 0.5) bytes.writeUInt32LE(value, at)
  else bytes.writeUInt32BE(value, at)
}

/** A damaged copy of `original`. */
export function mutate(original, random) {
  let bytes = Buffer.from(original)
  if (bytes.length === 0) return Buffer.from([below(random, 256)])
  const rounds = 1 + below(random, 3)
  for (let i = 0; i < rounds && bytes.length > 0; i++) {
    const kind = random()
    if (kind < 0.45 && damageTiff(bytes, random)) continue
    if (kind < 0.6) {
      const text = damageText(bytes, random)
      if (text) {
        bytes = text
        continue
      }
    }
    if (kind < 0.72 && damageJpeg(bytes, random)) continue
    if (kind < 0.85) damageBytes(bytes, random)
    else if (kind < 0.92) damageWord(bytes, random)
    else if (kind < 0.96) bytes = bytes.subarray(0, below(random, bytes.length + 1))
    else {
      const from = below(random, bytes.length)
      const part = bytes.subarray(from, from + below(random, 4096))
      const at = below(random, bytes.length)
      bytes = splice(bytes, at, at, Buffer.from(part))
    }
  }
  return bytes
}
