// `morphoscope evaluate`: a recipe against outlines that are known because the image was made from them; and folders that it refuses.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readImageFile, writeImageFiles } from '../../../../main/ops'
import { cli } from '../inProcess'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'morphoscope-evaluate-test-'))))
afterEach(async () => await rm(folder, { recursive: true }))

const [width, height] = [320, 256]
/** Purple disks on pink, 5 µm across at 0.25 µm/px; the last of the truth is not in the image. */
async function annotate(name: string): Promise<void> {
  const rgba = new Uint8Array(4 * width * height)
  const truth = new Uint16Array(width * height)
  const classes = new Uint8Array(width * height)
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const p = y * width + x
      const [column, line] = [Math.floor(x / 64), Math.floor(y / 64)]
      const inside = (x - 64 * column - 32) ** 2 + (y - 64 * line - 32) ** 2 <= 100
      const label = line * 5 + column + 1
      rgba.set(inside && label < 20 ? [90, 50, 140, 255] : [240, 205, 225, 255], 4 * p)
      truth[p] = inside ? label * 10 : 0
      classes[p] = inside ? (label % 2) + 1 : 0
    }
  }
  await writeImageFiles([
    { path: join(folder, `${name}.png`), image: { width, height, channels: 4, data: rgba } },
    { path: join(folder, `${name}_inst.png`), image: { width, height, channels: 1, data: truth } },
    { path: join(folder, `${name}_class.png`), image: { width, height, channels: 1, data: classes } },
  ])
}

it('scores a recipe by tile and class, and shows where it went wrong', async () => {
  await annotate('one')
  await annotate('two')
  const out = join(folder, 'pictures')
  const args = ['evaluate', '--truth', folder, '--mpp', '0.25', '--only', 'one', '--out', out]
  const { code, out: text, err } = await cli(...args, '--json')
  expect([code, err]).toEqual([0, ''])
  const report = JSON.parse(text) as { recipe: string; tiles: { name: string; dice: number; classes: Record<string, object> }[] }
  expect(report.recipe).toBe('he-nuclei')
  expect(report.tiles).toMatchObject([
    {
      name: 'one',
      f1: 38 / 39,
      truths: { hit: 19, split: 0, merged: 0, missed: 1 },
      objects: { hit: 19, false: 0 },
      classes: { 1: { f1: 18 / 19, truths: { missed: 1 } }, 2: { f1: 1, truths: { hit: 10 } } },
    },
  ])
  expect(report.tiles[0]!.dice).toBeGreaterThan(0.85)
  expect(await readdir(out)).toEqual(['one.png'])
  const picture = await readImageFile(join(out, 'one.png'))
  // The left end of the nucleus that the image has not: red.
  expect([...picture.data.slice(4 * (224 * width + 278), 4 * (224 * width + 278) + 3)]).toEqual([220, 20, 30])
  const again = await cli(...args)
  expect([again.code, again.err]).toEqual([73, expect.stringContaining('--overwrite')])
  const table = await cli(...args, '--overwrite')
  expect(table.out).toMatch(/^one +0\.\d{3} .* 19 +0 +0 +1 +0$/m)
  expect(table.out).toMatch(/^mean +0\.\d{3} {2}0\.\d{3} {2}0\.\d{3} {2}0\.974$/m)
})

it('refuses what cannot be compared, by name', async () => {
  const evaluate = (...more: string[]) => cli('evaluate', '--truth', folder, '--mpp', '0.25', ...more)
  expect(await evaluate()).toMatchObject({ code: 66, err: expect.stringMatching(/no annotated image.*NAME_inst\.png/) as string })
  await annotate('one')
  expect(await evaluate('--only', 'none')).toMatchObject({
    code: 66,
    err: expect.stringContaining('whose name has none') as string,
  })
  const small = { width: 8, height: 8, channels: 1 as const, data: new Uint8Array(64) }
  await writeImageFiles([{ path: join(folder, 'one_inst.png'), image: small }])
  expect(await evaluate()).toMatchObject({
    code: 2,
    err: expect.stringMatching(/expected a grey image of 320 × 256 px .*one_inst\.png but received 8 × 8/) as string,
  })
  await writeFile(join(folder, 'alone_inst.png'), '')
  expect(await evaluate()).toMatchObject({
    code: 66,
    err: expect.stringContaining('alone_inst.png has no image beside it') as string,
  })
  expect((await cli('evaluate', '--truth', join(folder, 'nowhere'))).code).toBe(66)
})
