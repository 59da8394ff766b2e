// Outlines on a picture of the slide: the engine's pixels are those of the loop that they once were, for any number of threads.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropAlpha, paintRims, traceOutlines } from '../../../native/index'
import { paintOutlines } from '../../../main/export/picture/slidePicture'
import type { RunResult } from '../../../main/run/objects/result'
import { drawn, madeRun, madeTools } from './madeRun'

const never = new AbortController().signal
const underRim = 106

/** What slidePicture.ts did until the engine did it. */
async function plainly(result: RunResult, picture: ReturnType<typeof blank>): Promise<Uint8Array> {
  const { width, height, x0, y0 } = picture
  const rgb = picture.rgb.slice()
  const toPicture = result.scale / picture.scale
  const lines = new Uint8Array(width * height)
  for (const { runs } of result.objects.slice(0, result.objects.length)) {
    const { xy, ringOffsets } = await traceOutlines(runs, Int32Array.of(0, runs.length / 3), 0)
    for (let ring = 0; ring + 1 < ringOffsets.length; ring++)
      for (let p = ringOffsets[ring]!; p < ringOffsets[ring + 1]!; p++) {
        const q = p + 1 < ringOffsets[ring + 1]! ? p + 1 : ringOffsets[ring]!
        const [fromX, fromY] = [xy[2 * p]! * toPicture - x0, xy[2 * p + 1]! * toPicture - y0]
        const [toX, toY] = [xy[2 * q]! * toPicture - x0, xy[2 * q + 1]! * toPicture - y0]
        const steps = Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY))))
        for (let i = 0; i <= steps; i++) {
          const x = Math.floor(fromX + ((toX - fromX) * i) / steps)
          const y = Math.floor(fromY + ((toY - fromY) * i) / steps)
          if (x < 0 || y < 0 || x >= width || y >= height) continue
          rgb.set([190, 255, 0], (y * width + x) * 3)
          lines[y * width + x] = 1
        }
      }
  }
  if (toPicture < 0.5) return rgb
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const beside = (x > 0 && lines[at - 1] === 1) || (x + 1 < width && lines[at + 1] === 1)
      if (lines[at] === 1 || (!beside && lines[at - width] !== 1 && lines[at + width] !== 1)) continue
      for (let k = 3 * at; k < 3 * at + 3; k++) rgb[k] = (rgb[k]! * underRim) >> 8
    }
  return rgb
}

function blank(width: number, height: number, scale: number, x0: number, y0: number) {
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7919) % 251)
  return { rgb, width, height, scale, x0, y0, lost: 0 }
}

const shape = fc.tuple(
  fc.array(fc.stringMatching(/^[#.]{1,9}$/), { minLength: 1, maxLength: 9 }),
  fc.integer({ min: 0, max: 400 }),
  fc.integer({ min: 0, max: 400 }),
)

describe('outlines on a picture', () => {
  it('are where the plain loop has them, whatever the scale, the corner and the threads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { maxLength: 40 }),
        fc.constantFrom(0.3, 0.5, 0.77, 1, 1.0846, 3),
        fc.integer({ min: -20, max: 150 }),
        fc.integer({ min: -20, max: 150 }),
        fc.constantFrom(1, 2, 5),
        async (shapes, scale, x0, y0, threads) => {
          const objects = shapes
            .map(([rows, x, y]) => [rows.map((row) => row.padEnd(9, '.')), x, y] as const)
            .filter(([rows]) => rows[0]!.includes('#'))
            .map(([rows, x, y]) => drawn([...rows], x, y))
          const result = madeRun({ objects, scale: 1 })
          const picture = blank(230, 190, scale, x0, y0)
          const expected = await plainly(result, picture)
          await paintOutlines({ result, tools: { ...madeTools, threads }, signal: never }, picture, () => undefined)
          expect(Buffer.compare(picture.rgb, expected)).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('stop where they are told to', async () => {
    const abort = new AbortController()
    abort.abort(new Error('enough'))
    const job = { result: madeRun({ objects: [drawn(['#'])] }), tools: madeTools, signal: abort.signal }
    await expect(paintOutlines(job, blank(9, 9, 1, 0, 0), () => undefined)).rejects.toThrow('enough')
  })
})

describe('the boundary of pictures', () => {
  it('refuses memory that is too small', async () => {
    const picture = { ...blank(4, 4, 1, 0, 0), toPicture: 1, cellReach: 0, drawn: new Uint8Array(16) }
    const refused = { code: 'INVALID_PARAMETER' }
    await expect(paintRims({ ...picture, drawn: new Uint8Array(15) }, 1)).rejects.toMatchObject(refused)
    await expect(paintRims({ ...picture, rgb: new Uint8Array(47) }, 1)).rejects.toMatchObject(refused)
    expect(() => dropAlpha(new Uint8Array(8), new Uint8Array(8), 3)).toThrow(/rgb/)
    const rgb = new Uint8Array(8).fill(9)
    dropAlpha(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), rgb, 1)
    expect([...rgb]).toEqual([9, 1, 2, 3, 5, 6, 7, 9])
  })
})
