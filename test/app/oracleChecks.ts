// What the oracle's comparisons need besides equality: floating-point files, and the invariants of a watershed with plateaus.
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { FileImage } from '../../main/ops'

/** A float32 or float64 .npy, version 1, or an integer one, as numbers. */
export function floatsOf(path: string): { width: number; height: number; values: number[] } {
  const file = readFileSync(path)
  const start = 10 + file.readUInt16LE(8)
  const header = file.toString('latin1', 10, start)
  const descr = /'descr': '([^']+)'/.exec(header)![1]!
  const [height, width] = /'shape': \((\d+), (\d+)/.exec(header)!.slice(1).map(Number) as [number, number]
  const readers: Record<string, (i: number) => number> = {
    '<f4': (i) => file.readFloatLE(start + 4 * i),
    '<f8': (i) => file.readDoubleLE(start + 8 * i),
    '|u1': (i) => file[start + i]!,
    '<u2': (i) => file.readUInt16LE(start + 2 * i),
    '<i4': (i) => file.readInt32LE(start + 4 * i),
  }
  return { width, height, values: Array.from({ length: width * height }, (_, i) => readers[descr]!(i)) }
}

/**
 * W1: markers keep their labels. W2: every pixel is labelled (each is reached, there is no mask). W3 and W4: inside its own label
 * each pixel reaches a marker pixel of that label by a path whose highest value is the flood level.
 */
export function expectWatershedInvariants(
  image: FileImage,
  markers: FileImage,
  level: FileImage,
  labels: FileImage,
  connectivity: 4 | 8,
): void {
  const { width, height } = image
  const inside = new Float64Array(width * height).fill(Infinity)
  for (let p = 0; p < inside.length; p++) {
    if (markers.data[p]! > 0) {
      expect(labels.data[p]).toBe(markers.data[p])
      inside[p] = image.data[p]!
    }
    expect(labels.data[p]).toBeGreaterThan(0)
  }
  const steps =
    connectivity === 4
      ? [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ]
      : [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
          [1, 1],
          [1, -1],
          [-1, 1],
          [-1, -1],
        ]
  // Sweeps until nothing changes: the lowest pass inside each label.
  for (let changed = true; changed;) {
    changed = false
    for (const backwards of [false, true]) {
      for (let i = 0; i < inside.length; i++) {
        const p = backwards ? inside.length - 1 - i : i
        const [x, y] = [p % width, Math.floor(p / width)]
        for (const [dx, dy] of steps) {
          const [u, v] = [x + dx!, y + dy!]
          if (u < 0 || v < 0 || u >= width || v >= height || labels.data[v * width + u] !== labels.data[p]) continue
          const over = Math.max(inside[v * width + u]!, image.data[p]!)
          if (over < inside[p]!) {
            inside[p] = over
            changed = true
          }
        }
      }
    }
  }
  expect([...inside]).toEqual([...level.data])
}
