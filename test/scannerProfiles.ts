// ICC profiles of two scanners, made by code: primaries and a gamma (ICC.1:2001-04, monitor profiles of three components).

type Xy = readonly [x: number, y: number]
export interface Scanner {
  readonly name: string
  readonly red: Xy
  readonly green: Xy
  readonly blue: Xy
  readonly gamma: number
}

/** A wide gamut, and one as of old monitors with a flatter curve: the same glass gives them other numbers. */
export const scanners: readonly Scanner[] = [
  { name: 'Made scanner A', red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], gamma: 2.2 },
  { name: 'Made scanner B', red: [0.625, 0.34], green: [0.28, 0.595], blue: [0.155, 0.07], gamma: 1.8 },
]

type Row = readonly [number, number, number]
type Matrix = readonly [Row, Row, Row]
const times = (m: Matrix, v: Row): Row => m.map(([a, b, c]) => a * v[0] + b * v[1] + c * v[2]) as unknown as Row

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const by = 1 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
  return [
    [(e * i - f * h) * by, (c * h - b * i) * by, (b * f - c * e) * by],
    [(f * g - d * i) * by, (a * i - c * g) * by, (c * d - a * f) * by],
    [(d * h - e * g) * by, (b * g - a * h) * by, (a * e - b * d) * by],
  ]
}

const d65: Row = [0.95047, 1, 1.08883]
const d50: Row = [0.9642, 1, 0.8249]
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** Its primaries under D50, whose sum is white. */
function colorants({ red, green, blue }: Scanner): Row[] {
  const xyz = ([x, y]: Xy): Row => [x / y, 1, (1 - x - y) / y]
  const [r, g, b] = [xyz(red), xyz(green), xyz(blue)]
  const shares = times(inverse([0, 1, 2].map((k) => [r[k]!, g[k]!, b[k]!]) as unknown as Matrix), d65)
  const [from, to] = [times(bradford, d65), times(bradford, d50)]
  const adapted = (color: Row): Row => {
    const cone = times(bradford, color)
    return times(inverse(bradford), [(cone[0] * to[0]) / from[0], (cone[1] * to[1]) / from[1], (cone[2] * to[2]) / from[2]])
  }
  return [r, g, b].map((color, i) => adapted(color.map((value) => value * shares[i]!) as unknown as Row))
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const fixed = (value: number): Buffer => u32(Math.round(value * 65_536))
const xyzTag = (values: readonly number[]): Buffer => Buffer.concat([ascii('XYZ '), u32(0), ...values.map(fixed)])

/** The profile's bytes. */
export function iccOf(scanner: Scanner): Buffer {
  const gamma = Buffer.alloc(2)
  gamma.writeUInt16BE(Math.round(scanner.gamma * 256))
  const curve = Buffer.concat([ascii('curv'), u32(0), u32(1), gamma])
  const name = ascii(`${scanner.name}\0`)
  const description = Buffer.concat([ascii('desc'), u32(0), u32(name.length), name, Buffer.alloc(78)])
  const [r, g, b] = colorants(scanner)
  const tags: [string, Buffer][] = [
    ['desc', description],
    ['cprt', Buffer.concat([ascii('text'), u32(0), ascii('none\0')])],
    ['wtpt', xyzTag(d50)],
    ['rXYZ', xyzTag(r!)],
    ['gXYZ', xyzTag(g!)],
    ['bXYZ', xyzTag(b!)],
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((tag): [string, Buffer] => [tag, curve]),
  ]
  let at = 128 + 4 + 12 * tags.length
  const table: Buffer[] = [u32(tags.length)]
  const bodies: Buffer[] = []
  for (const [tag, body] of tags) {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    table.push(ascii(tag), u32(at), u32(body.length))
    bodies.push(padded)
    at += padded.length
  }
  const header = Buffer.alloc(128)
  header.writeUInt32BE(at, 0)
  header.writeUInt32BE(0x02400000, 8)
  for (const [where, what] of [
    [12, 'mntr'],
    [16, 'RGB '],
    [20, 'XYZ '],
    [36, 'acsp'],
  ] as const)
    header.write(what, where, 'latin1')
  for (const [i, value] of [2026, 1, 1].entries()) header.writeUInt16BE(value, 24 + 2 * i)
  Buffer.concat(d50.map(fixed)).copy(header, 68)
  return Buffer.concat([header, ...table, ...bodies])
}
