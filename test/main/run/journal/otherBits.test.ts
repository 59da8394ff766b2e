// A run from before slides of 16 bits were analysed at 16: it is not gone on with, and why is said.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Analysis } from '../../../../main/run/analysis/analysis'
import { draftAnalysis } from '../../../../main/run/analysis/analysis'
import { Overviews } from '../../../../main/run/analysis/overviews'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { analysedHead, sameAnalysis } from '../../../../main/run/journal/journal'
import type { JournalHead } from '../../../../main/run/journal/journal'
import { Slides } from '../../../../main/slide/slides'
import { deepTiff } from '../../slide/deepTiff'

const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
let dir: string
let analysis: Analysis

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'other-bits-'))
  const [width, height] = [512, 512]
  const values = Float64Array.from({ length: width * height }, (_, i) => ((i % width) * 7 + Math.floor(i / width)) % 4096)
  const path = join(dir, 'deep.tif')
  await writeFile(path, deepTiff([{ width, height, samples: 1, bits: 16, format: 'uint', values, tilePx: 256, mpp: [0.5, 0.5] }]))
  const spec = await openSpecs(fileURLToPath(new URL('../../../../assets', import.meta.url))).get('fluorescence-nuclei')
  analysis = await new Overviews().complete(draftAnalysis(await slides.open(path), spec, defaultRecipe(spec)), 1)
})
afterAll(async () => {
  slides.closeAll()
  await rm(dir, { recursive: true, force: true })
})

it('says at how many bits it was analysed, and at how many it is now', () => {
  const head = analysedHead(analysis) as JournalHead
  expect(head.resolved['pixel.depth']).toBe(16)
  expect(sameAnalysis(head, analysis, 'Delete it.')).toBe('same')
  const resolved = Object.fromEntries(Object.entries(head.resolved).filter(([name]) => name !== 'pixel.depth'))
  expect(() => sameAnalysis({ ...head, resolved }, analysis, 'Delete it.')).toThrow(
    'The run analysed this slide at 8 bits, and Fluorescence nuclei analyses it at 16 bits now: it may find other objects. Delete it.',
  )
})
