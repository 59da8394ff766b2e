// The oracle's generated images, by the recipes in its manifest, and the command that each case is.
import type { FileImage } from '../../main/ops'

interface GeneratedCase {
  id: string
  op: string
  params: Record<string, unknown>
  input: { kind: string; seed?: number | undefined; shape: [number, number] }
}

/** s <- s * 1664525 + 1013904223 mod 2^32; the first pixel uses the state after one step. */
function lcg(seed: number, count: number, pixel: (state: number) => number): Uint8Array {
  const data = new Uint8Array(count)
  let state = seed >>> 0
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    data[i] = pixel(state)
  }
  return data
}

/** Noise, an edge-clamped 9×9 box sum divided by 81, contrast times 8. */
function blobs8(seed: number, height: number, width: number): Uint8Array {
  const noise = lcg(seed, width * height, (state) => state >>> 24)
  const rows = new Uint32Array(width * height)
  const clamp = (value: number, end: number): number => Math.min(Math.max(value, 0), end - 1)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let d = -4; d <= 4; d++) sum += noise[y * width + clamp(x + d, width)]!
      rows[y * width + x] = sum
    }
  }
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let d = -4; d <= 4; d++) sum += rows[clamp(y + d, height) * width + x]!
      data[y * width + x] = Math.min(Math.max(128 + (Math.floor(sum / 81) - 128) * 8, 0), 255)
    }
  }
  return data
}

/** Even rows 255; odd rows have 255 at their last column only where (y // 2) is even, else at column 0 only. */
function serpentine(height: number, width: number): Uint8Array {
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    if (y % 2 === 0) data.fill(255, y * width, (y + 1) * width)
    else data[y * width + ((y >> 1) % 2 === 0 ? width - 1 : 0)] = 255
  }
  return data
}

function erodeDisk(source: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const offsets: [number, number][] = []
  for (let y = -radius; y <= radius; y++)
    for (let x = -radius; x <= radius; x++) if (x * x + y * y <= radius * radius) offsets.push([x, y])
  const data = new Uint8Array(source.length).fill(255)
  for (const [dx, dy] of offsets) {
    for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y++) {
      for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x++) {
        const value = source[(y + dy) * width + x + dx]!
        if (value < data[y * width + x]!) data[y * width + x] = value
      }
    }
  }
  return data
}

const made = new Map<string, Uint8Array>()
function imageOf({ kind, seed = 0, shape: [height, width] }: GeneratedCase['input']): Uint8Array {
  const key = JSON.stringify([kind, seed, height, width])
  let data = made.get(key)
  if (!data) {
    if (kind === 'serpentine') data = serpentine(height, width)
    else if (kind === 'blobs8') data = blobs8(seed, height, width)
    else if (kind.startsWith('sparse zeros')) data = lcg(seed, width * height, (state) => ((state >>> 16) % 20011 === 0 ? 0 : 1))
    else throw new Error(`no generator ${kind}`)
    made.clear()
    made.set(key, data)
  }
  return data
}

export function generated(c: GeneratedCase): {
  name: string
  inputs: Record<string, FileImage>
  args: Record<string, string | number>
} {
  const [height, width] = c.input.shape
  const source = imageOf(c.input)
  const image = (data: Uint8Array): FileImage => ({ width, height, channels: 1, data })
  const { params } = c
  const connectivity = params['connectivity'] === undefined ? {} : { connectivity: params['connectivity'] as number }
  const binary = (): FileImage => image(params['threshold'] === undefined ? source : source.map((value) => (value > 128 ? 1 : 0)))
  switch (c.op) {
    case 'reconstruct': {
      const marker = params['marker'] as string
      let start: Uint8Array
      if (marker.startsWith('255 at (0,0)')) {
        start = new Uint8Array(source.length)
        start[0] = 255
      } else if (marker.startsWith('saturating mask-'))
        start = source.map((value) => Math.max(0, value - Number(marker.slice(16))))
      else if (marker.startsWith('erosion disk r=6')) start = erodeDisk(source, width, height, 6)
      else throw new Error(`no marker ${marker}`)
      return {
        name: 'reconstruct',
        inputs: { marker: image(start), mask: image(source) },
        args: { by: params['method'] as string, ...connectivity },
      }
    }
    case 'edt_squared':
      return { name: 'distance', inputs: { image: binary() }, args: {} }
    case 'label':
      return { name: 'label', inputs: { image: binary() }, args: connectivity }
    case 'area_opening':
      return { name: 'area-open', inputs: { image: image(source) }, args: { area: params['area'] as number, ...connectivity } }
    default:
      throw new Error(`no command for ${c.op}`)
  }
}
