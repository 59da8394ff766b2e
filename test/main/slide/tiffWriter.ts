// Uncompressed TIFFs of any fields, also absurd ones: strips or tiles, classic, little-endian or big-endian.

export interface Field {
  readonly tag: number
  /** 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL (numerator and denominator in turn), 7 bytes, 11 FLOAT. */
  readonly type: 2 | 3 | 4 | 5 | 7 | 11
  readonly values: string | readonly number[]
}
export interface TiffPicture {
  readonly width: number
  readonly height: number
  readonly samplesPerPixel: number
  /** Of the strips or tiles; rows × columns × samples of the whole picture. */
  readonly samples: Uint8Array
  /** Absent: one strip. */
  readonly tilePx?: number
  readonly fields?: readonly Field[]
}

const itemBytes = { 2: 1, 3: 2, 4: 4, 5: 4, 7: 1, 11: 4 } as const

export const ascii = (tag: number, text: string): Field => ({ tag, type: 2, values: `${text}\0` })
export const short = (tag: number, ...values: number[]): Field => ({ tag, type: 3, values })
export const long = (tag: number, ...values: number[]): Field => ({ tag, type: 4, values })
export const rational = (tag: number, numerator: number, denominator: number): Field => ({
  tag,
  type: 5,
  values: [numerator, denominator],
})
/** Resolutions in px per unit: 1 none, 2 inch, 3 centimetre. */
export const resolution = (x: number, y: number, unit: number): Field[] => [
  rational(282, x, 1),
  rational(283, y, 1),
  short(296, unit),
]
export const reduced = long(254, 1)

export function tiffOf(pages: readonly TiffPicture[], bigEndian = false): Buffer {
  const parts: Buffer[] = [Buffer.alloc(8)]
  let at = 8
  const add = (bytes: Buffer): number => {
    const from = at
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    parts.push(padded)
    at += padded.length
    return from
  }
  const number = (bytes: Buffer, offset: number, size: number, value: number): void => {
    if (bigEndian) bytes.writeUIntBE(value, offset, size)
    else bytes.writeUIntLE(value, offset, size)
  }
  const packed = ({ type, values }: Field): Buffer => {
    if (typeof values === 'string') return Buffer.from(values, 'utf8')
    const bytes = Buffer.alloc(values.length * itemBytes[type])
    for (const [i, value] of values.entries())
      if (type !== 11) number(bytes, i * itemBytes[type], itemBytes[type], value)
      else if (bigEndian) bytes.writeFloatBE(value, 4 * i)
      else bytes.writeFloatLE(value, 4 * i)
    return bytes
  }
  let link = 4
  for (const page of pages) {
    const places = chunks(page).map((chunk) => ({ offset: add(chunk), bytes: chunk.length }))
    const tiled = page.tilePx !== undefined
    const own = [
      long(256, page.width),
      long(257, page.height),
      short(258, ...new Array<number>(page.samplesPerPixel).fill(8)),
      short(259, 1),
      short(262, page.samplesPerPixel < 3 ? 1 : page.samplesPerPixel < 5 ? 2 : 5),
      long(tiled ? 324 : 273, ...places.map(({ offset }) => offset)),
      short(277, page.samplesPerPixel),
      long(tiled ? 325 : 279, ...places.map(({ bytes }) => bytes)),
      ...(tiled ? [long(322, page.tilePx), long(323, page.tilePx)] : [long(278, page.height)]),
    ]
    const given = page.fields ?? []
    const fields = [...own.filter(({ tag }) => given.every((field) => field.tag !== tag)), ...given].sort((a, b) => a.tag - b.tag)
    const directory = Buffer.alloc(2 + 12 * fields.length + 4)
    number(directory, 0, 2, fields.length)
    for (const [i, field] of fields.entries()) {
      const bytes = packed(field)
      const entry = 2 + 12 * i
      number(directory, entry, 2, field.tag)
      number(directory, entry + 2, 2, field.type)
      number(directory, entry + 4, 4, bytes.length / (itemBytes[field.type] * (field.type === 5 ? 2 : 1)))
      if (bytes.length <= 4) bytes.copy(directory, entry + 8)
      else number(directory, entry + 8, 4, add(bytes))
    }
    const offset = add(directory)
    const whole = Buffer.concat(parts)
    parts.splice(0, parts.length, whole)
    number(whole, link, 4, offset)
    link = offset + directory.length - 4
  }
  const file = Buffer.concat(parts)
  file.write(bigEndian ? 'MM' : 'II', 0)
  number(file, 2, 2, 42)
  return file
}

function chunks({ width, height, samplesPerPixel, samples, tilePx }: TiffPicture): Buffer[] {
  if (tilePx === undefined) return [Buffer.from(samples)]
  const tiles: Buffer[] = []
  for (let y = 0; y < height; y += tilePx)
    for (let x = 0; x < width; x += tilePx) {
      const tile = Buffer.alloc(tilePx * tilePx * samplesPerPixel)
      for (let row = 0; row < Math.min(tilePx, height - y); row++) {
        const from = ((y + row) * width + x) * samplesPerPixel
        const bytes = Math.min(tilePx, width - x) * samplesPerPixel
        tile.set(samples.subarray(from, from + bytes), row * tilePx * samplesPerPixel)
      }
      tiles.push(tile)
    }
  return tiles
}

/** One value all over. */
export function plain(width: number, height: number, pixel: readonly number[], more: Partial<TiffPicture> = {}): TiffPicture {
  const samples = new Uint8Array(width * height * pixel.length)
  for (let i = 0; i < samples.length; i++) samples[i] = pixel[i % pixel.length]!
  return { width, height, samplesPerPixel: pixel.length, samples, ...more }
}
