// A machine without OpenSlide: which slides open, with which pixels, and what is said of the others.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { addonCandidates } from '../../../native/index'

interface Opened {
  readonly info?: { readonly levels: readonly object[]; readonly vendor: string; readonly associated: readonly string[] }
  /** Of all pixels of level 0. */
  readonly sum?: number
  readonly error?: string
  readonly detail?: string
}

/** Opens them in a process of its own: libraries are looked for once. */
async function openedWith(openslide: 'off' | '', paths: readonly string[]): Promise<Opened[]> {
  const addon = addonCandidates().find((path) => existsSync(path))
  const program = `
    const { openSlide } = require(${JSON.stringify(addon)})
    const one = async (path) => {
      try {
        const slide = await openSlide(path)
        const info = slide.info()
        const { width, height } = info.levels[0]
        const { rgba } = await slide.readScaled(1, 0, 0, Math.min(width, 1000), Math.min(height, 1000))
        return { info, sum: rgba.reduce((sum, value, i) => (sum * 31 + value) % 1e12, 0) }
      } catch (error) { return { error: String(error.message), detail: error.detail } }
    }
    Promise.all(${JSON.stringify(paths)}.map(one)).then((all) => process.stdout.write(JSON.stringify(all)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
    env: { ...process.env, MORPHOSCOPE_OPENSLIDE: openslide },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as Opened[]
}

it('opens the bundled slide, with the same pixels, levels and images', async () => {
  const sample = resolve('assets/samples/CMU-1-Small-Region.svs')
  const [[without], [beside]] = await Promise.all([openedWith('off', [sample]), openedWith('', [sample])])
  expect(without!.error).toBeUndefined()
  expect(without!.sum).toBe(beside!.sum)
  expect(without!.info!.levels).toHaveLength(beside!.info!.levels.length)
  expect([...without!.info!.associated].sort()).toEqual([...beside!.info!.associated].sort())
})

const slides = resolve('../shared/data/slides')
describe.runIf(existsSync(slides))('slides that are here', () => {
  it.each([
    'HE_example_hamamatsu_LE.ome.tif',
    'refused-by-openslide/HE_example_hamamatsu.ome.tif',
    'boxes.tiff',
    'synthetic/aperio-pyramid.svs',
    'synthetic/generic-pyramid-jpeg.tif',
    'synthetic/huge-98304x81920-dedup.svs',
    'TCGA-CR-7395-01A-01-TS1.svs',
    'synthetic/aperio-jp2k-33005.svs',
    'synthetic/leica-two-regions.scn',
    'synthetic/philips.tiff',
    'synthetic/trestle-overlap.tif',
    'synthetic/ventana-overlap.bif',
    'test3-DAPI-2-387.ndpi',
  ])('%s', async (name) => {
    const path = join(slides, name)
    const [[without], [beside]] = await Promise.all([openedWith('off', [path]), openedWith('', [path])])
    expect(without!.error).toBeUndefined()
    expect(without!.sum).toBe(beside!.sum)
    expect(without!.info!.levels).toHaveLength(beside!.info!.levels.length)
    expect([...without!.info!.associated].sort()).toEqual([...beside!.info!.associated].sort())
  })

  it('synthetic/mirax-overlap.mrxs says that OpenSlide is needed', async () => {
    const [slide] = await openedWith('off', [join(slides, 'synthetic/mirax-overlap.mrxs')])
    expect(slide!.error).toMatch(/cannot be opened: OpenSlide is switched off/)
  })
})
