// Label images made for tests, and what objects they are, found the slow way: px by px.

export interface Labels {
  readonly width: number
  readonly height: number
  readonly labels: Uint32Array
}

/** As numpy.save writes it. */
export function npyOf({ width, height, labels }: Labels, shape = `(${height}, ${width})`): Buffer {
  const text = `{'descr': '<u4', 'fortran_order': False, 'shape': ${shape}, }`
  const head = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n'
  const prefix = Buffer.from(`\x93NUMPY\x01\x00\0\0${head}`, 'latin1')
  prefix.writeUInt16LE(head.length, 8)
  return Buffer.concat([prefix, new Uint8Array(labels.buffer)])
}

export function seeded(seed: number): (below: number) => number {
  let state = seed * 7919 + 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * below)
  }
}

/** Rectangles of random labels over one another, so that many are in pieces, at the rim, or gone; with holes and single px. */
export function randomLabels(seed: number, width = 150, height = 110): Labels {
  const random = seeded(seed)
  const labels = new Uint32Array(width * height)
  for (let i = 0; i < 160; i++) {
    const label = random(6) === 0 ? 0 : 1 + random(70) * (seed % 2 === 0 ? 1 : 1_000_003)
    const [x, y, w, h] = [random(width), random(height), 1 + random(22), 1 + random(18)]
    for (let row = y; row < Math.min(height, y + h); row++)
      labels.fill(label, row * width + x, row * width + Math.min(width, x + w))
  }
  return { width, height, labels }
}

interface Placed {
  readonly x: number
  readonly y: number
  readonly scale: number
  readonly width: number
  readonly height: number
}

/** Of an analysed image of these px: each has the label under its centre, and each label its largest piece, of equals the first. */
export function trueObjects(
  { width, height, labels }: Labels,
  placed: Placed,
): { size: number; labels: number; pixels: Uint32Array } {
  const under = new Uint32Array(placed.width * placed.height)
  const [fromX, toX] = [
    Math.max(0, Math.floor(placed.x) - 1),
    Math.min(placed.width, Math.ceil(placed.x + width * placed.scale) + 1),
  ]
  const [fromY, toY] = [
    Math.max(0, Math.floor(placed.y) - 1),
    Math.min(placed.height, Math.ceil(placed.y + height * placed.scale) + 1),
  ]
  for (let y = fromY; y < toY; y++)
    for (let x = fromX; x < toX; x++) {
      const [lx, ly] = [Math.floor((x + 0.5 - placed.x) / placed.scale), Math.floor((y + 0.5 - placed.y) / placed.scale)]
      if (lx >= 0 && ly >= 0 && lx < width && ly < height) under[y * placed.width + x] = labels[ly * width + lx]!
    }
  const seen = new Uint8Array(under.length)
  const largest = new Map<number, number[]>()
  for (let y = fromY; y < toY; y++)
    for (let x = fromX; x < toX; x++) {
      const start = y * placed.width + x
      const label = under[start]!
      if (label === 0 || seen[start] === 1) continue
      const piece = [start]
      seen[start] = 1
      for (const at of piece)
        for (let dy = -1; dy <= 1; dy++)
          for (let dx = -1; dx <= 1; dx++) {
            const [px, py] = [(at % placed.width) + dx, Math.floor(at / placed.width) + dy]
            const next = py * placed.width + px
            if (px < 0 || py < 0 || px >= placed.width || py >= placed.height || under[next] !== label || seen[next] === 1)
              continue
            seen[next] = 1
            piece.push(next)
          }
      if (piece.length > (largest.get(label)?.length ?? 0)) largest.set(label, piece)
    }
  const pixels = new Uint32Array(under.length)
  for (const [label, piece] of largest) for (const at of piece) pixels[at] = label
  return { size: largest.size, labels: new Set(labels.filter((label) => label > 0)).size, pixels }
}
