// The budget of decoded images: judged before a decoder runs, one at a time, given back when an image is closed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ImageBudget, extraBytesPerPixel, imageBudget } from '../../../main/base/imageBudget'
import { readImageFile } from '../../../main/imageFiles/index'
import { openNative } from '../../../main/slide/slides'
import { pngClaiming } from '../../hostileFiles'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-budget-'))))
afterEach(async () => await rm(directory, { recursive: true }))

describe('the budget', () => {
  it('lets one decode run at a time, in the order they came', async () => {
    const budget = new ImageBudget(100)
    const steps: string[] = []
    const decode = (name: string) => async () => {
      steps.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      steps.push(`${name} ends`)
      return { value: name, heldBytes: 10 }
    }
    const failing = budget.decode('x', 50, async () => Promise.reject(new Error('damaged')))
    const all = ['a', 'b', 'c'].map((name) => budget.decode(name, 50, decode(name)))
    await expect(failing).rejects.toThrow('damaged')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(budget.held).toBe(30)
  })
  it('counts what open images hold, and says so', async () => {
    const budget = new ImageBudget(100 * 2 ** 20)
    await budget.decode('first', 80 * 2 ** 20, async () => ({ value: null, heldBytes: 60 * 2 ** 20 }))
    const second = (): Promise<null> => budget.decode('second', 50 * 2 ** 20, async () => ({ value: null, heldBytes: 0 }))
    await expect(second()).rejects.toMatchObject({
      code: 'SLIDE_UNREADABLE',
      message: expect.stringMatching(
        /^second needs 50 MiB .* 100 MiB in all\. Other open images hold 60 MiB: close one/,
      ) as unknown,
    })
    budget.release(60 * 2 ** 20)
    expect(await second()).toBeNull()
    await expect(budget.decode('third', 101 * 2 ** 20, () => Promise.reject(new Error('it ran')))).rejects.toThrow(
      /Convert it to/,
    )
  })
  it('knows what decoders hold', async () => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#a06080' } })
    const extra = async (encoded: Promise<Buffer>): Promise<number> => extraBytesPerPixel(await sharp(await encoded).metadata())
    expect(await extra(picture.clone().jpeg().toBuffer())).toBe(0)
    expect(await extra(picture.clone().jpeg({ progressive: true }).toBuffer())).toBe(6)
    expect(await extra(picture.clone().png().toBuffer())).toBe(0)
    expect(await extra(picture.clone().png({ progressive: true }).toBuffer())).toBe(3)
    expect(await extra(picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer())).toBe(3)
  })
})

describe('files', () => {
  it('give their share back when they are closed, once', async () => {
    const path = join(directory, 'a.png')
    await sharp({ create: { width: 100, height: 50, channels: 3, background: '#a06080' } })
      .png()
      .toFile(path)
    const before = imageBudget.held
    const slide = await openNative(path)
    expect(imageBudget.held - before).toBe(100 * 50 * 4)
    slide.close()
    slide.close()
    expect(imageBudget.held).toBe(before)
  })
  it('of an operation are judged as well', async () => {
    const png = join(directory, 'a.png')
    await writeFile(png, pngClaiming(16_000, 16_000, true))
    await expect(readImageFile(png)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(/a\.png \(16000 × 16000 px\) needs .* MiB/) as unknown,
    })
    const npy = join(directory, 'a.npy')
    for (const shape of ['(3000000000, 0)', '(0, 9007199254740993)', '(1000000, 1000000)']) {
      const header = `{'descr': '|u1', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117) + '\n'
      const bytes = Buffer.alloc(10 + header.length)
      bytes.write('\x93NUMPY\x01\0', 'latin1')
      bytes.writeUInt16LE(header.length, 8)
      bytes.write(header, 10)
      await writeFile(npy, bytes)
      await expect(readImageFile(npy), shape).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    }
  })
})
