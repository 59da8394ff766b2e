// A DICOM slide with the whole engine: by a file, by its folder, by names without an extension; and a file of it that changes.
import { cp, mkdtemp, readdir, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../main/engine'
import { SlideIdentity } from '../../../main/slide/identity'
import { dataFolder } from '../../native/pixels'
import { realEngine } from '../realEngine'

const data = dataFolder()
const publicSlide = data && join(data, 'formats', 'dicom-cmu-1-small-region')

describe.runIf(publicSlide)('the public slide (../shared/data)', () => {
  let dir: string
  let folder: string
  let engine: Engine

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'dicom-'))
    folder = join(dir, 'slide')
    await cp(publicSlide!, folder, { recursive: true })
    engine = realEngine(join(dir, 'settings'))
  })
  afterAll(async () => {
    await engine.close()
    await rm(dir, { recursive: true, force: true })
  })

  it('opens by its folder as by any of its files', async () => {
    const byFolder = await engine.invoke('slide:open', { path: folder })
    const byFile = await engine.invoke('slide:open', { path: join(folder, 'level-2-frames-0-4.dcm') })
    expect(byFolder.reader).toBe('Morphoscope DICOM')
    expect([byFolder.widthPx, byFolder.heightPx, byFolder.levels.length]).toEqual([2220, 2967, byFile.levels.length])
    expect(byFolder.levels.length).toBeGreaterThanOrEqual(5)
    expect(byFolder.mppX).toBeCloseTo(0.499, 3)
    expect(byFolder.path).toBe(join(folder, 'level-0-frames-0-30.dcm'))
    // Two of its files are one slide, which says so by its id.
    expect(byFile).toMatchObject({ slideId: byFolder.slideId, path: byFolder.path, name: byFolder.name })
  })

  it('says of a folder without a slide what to do', async () => {
    await expect(engine.invoke('slide:open', { path: dir })).rejects.toThrow(/is a folder.*DICOM/s)
  })

  it('is another slide once one of its files is', async () => {
    const path = join(folder, 'level-0-frames-0-30.dcm')
    const before = await SlideIdentity.of(path)
    expect((await before.compare()).state).toBe('same')
    await utimes(join(folder, 'level-1-frames-0-9.dcm'), 1, 1)
    expect(await before.compare()).toEqual({ state: 'changed', path: join(folder, 'level-1-frames-0-9.dcm') })
  })

  it('opens without extensions, as archives name files', async () => {
    const plain = join(dir, 'plain')
    await cp(publicSlide!, plain, { recursive: true })
    for (const name of await readdir(plain)) await rename(join(plain, name), join(plain, name.replace(/\.dcm$/, '.1.3.6')))
    const path = join(plain, 'level-3-frames-0-1.1.3.6')
    const slide = await engine.invoke('slide:open', { path })
    expect([slide.widthPx, slide.levels.length > 4]).toEqual([2220, true])
    const before = await SlideIdentity.of(path)
    await rm(join(plain, 'level-1-frames-0-9.1.3.6'))
    expect((await before.compare()).state).toBe('gone')
  })
})
