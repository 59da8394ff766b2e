// Named pipes as slides, images and annotations: refused at once, as nobody may ever write to them.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { geoJsonText } from '../../../app/cli/project/geoJsonText'
import { requireNoPipe } from '../../../main/base/regularFile'
import { openByParts } from '../../../main/imageFiles/byParts'
import { readImageFile } from '../../../main/imageFiles'
import { Slides } from '../../../main/slide/slides'

let folder: string
const pipe = (name: string): string => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-pipe-'))
  if (process.platform === 'win32') return
  await mkdir(pipe('slide'))
  await writeFile(pipe('slide.mrxs'), '')
  for (const name of ['a.svs', 'a.png', 'a.npy', 'a.geojson', 'slide/Slidedat.ini']) execFileSync('mkfifo', [pipe(name)])
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const slides = new Slides(
  () => undefined,
  () => undefined,
  () => false,
)
const refused = (name: string): { code: string; message: string } => ({
  code: 'INVALID_PARAMETER',
  message: `${pipe(name)} is a named pipe, not a file. Name a file.`,
})

describe.skipIf(process.platform === 'win32')('a named pipe', { timeout: 1000 }, () => {
  it('is no slide, and no part of one', async () => {
    await expect(slides.open(pipe('a.svs'))).rejects.toMatchObject(refused('a.svs'))
    await expect(slides.open(pipe('slide.mrxs'))).rejects.toMatchObject(refused('slide/Slidedat.ini'))
  })

  it('is no image', async () => {
    const scratch = { folder, signal: new AbortController().signal }
    for (const name of ['a.png', 'a.npy']) {
      await expect(readImageFile(pipe(name))).rejects.toMatchObject(refused(name))
      await expect(openByParts(pipe(name), scratch)).rejects.toMatchObject(refused(name))
    }
  })

  it('holds no annotations', async () => {
    await expect(geoJsonText(pipe('a.geojson'))).rejects.toThrow(`${pipe('a.geojson')} is a named pipe: expected a GeoJSON file.`)
  })

  it('is told from a device, a folder and nothing', async () => {
    await expect(requireNoPipe('/dev/null')).rejects.toThrow('/dev/null is a device, not a file. Name a file.')
    await requireNoPipe(folder)
    await requireNoPipe(pipe('nothing'))
  })
})
