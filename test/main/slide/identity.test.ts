// A slide that changes under the program, with the whole engine: what was computed before can be saved, what was not cannot be mixed.
import { appendFile, copyFile, link, mkdir, mkdtemp, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLaser, writableExportFiles } from '../../../app/contract'
import type { RunStatus, SlideInfo } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { SlideIdentity } from '../../../main/slide/identity'
import { firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
let engine: Engine

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'identity-'))
  engine = realEngine(join(dir, 'settings'))
})
afterAll(async () => {
  await engine.close()
  await rm(dir, { recursive: true })
})

async function ran(slide: SlideInfo): Promise<RunStatus> {
  const recipe = await firstRecipe(engine)
  let off: () => void = () => undefined
  const early: RunStatus[] = []
  const ended = new Promise<RunStatus>((resolve) => {
    off = engine.onEvent((event) => {
      if (event.type === 'run:end') early.push(event.status)
      if (event.type === 'run:end' && event.status.slideId === slide.slideId) resolve(event.status)
    })
  })
  const region = { x: 600, y: 600, width: 400, height: 300 }
  await engine.invoke('run:start', { slideId: slide.slideId, region, recipe, purpose: 'run' })
  const status = await ended
  off()
  return status
}

const changes: Record<string, (path: string) => Promise<void>> = {
  'replaced by rename': async (path) => {
    await writeFile(`${path}.new`, 'another file')
    await rename(`${path}.new`, path)
  },
  'overwritten in place': async (path) => {
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, 300_000, 330_000))
  },
  truncated: (path) => truncate(path, 100_000),
  deleted: (path) => rm(path),
}

describe.each(Object.entries(changes))('a slide that is %s', (name, change) => {
  it('after its run: the result is saved without a checksum, and says so; the slide itself counts for nothing more', async () => {
    const path = join(dir, `${name.replaceAll(' ', '-')}.svs`)
    await copyFile(sample, path)
    const slide = await engine.invoke('slide:open', { path })
    const status = await ran(slide)
    expect(status).toMatchObject({ state: 'done', unreadableTiles: 0 })
    const before = join(dir, `${name}-before`)
    const good = await engine.invoke('export:start', {
      runId: status.runId,
      directory: before,
      files: writableExportFiles(false).filter((name) => !isLaser(name)),
    })
    expect(good.warnings).toEqual([expect.stringMatching(/bands\.csv has no rows/)])

    await change(path)
    const after = join(dir, `${name}-after`)
    const result = await engine.invoke('export:start', {
      runId: status.runId,
      directory: after,
      files: writableExportFiles(false).filter((name) => !isLaser(name)),
    })
    // All but the picture, which is nothing but the slide's own pixels.
    const asked = writableExportFiles(false).filter((name) => !isLaser(name))
    expect(result.files.map((file) => file.name)).toEqual(asked.filter((name) => name !== 'overlay.png'))
    expect(result.warnings).toEqual([
      expect.stringMatching(name === 'deleted' ? /no checksum.*ENOENT/ : /no checksum.*has changed/),
      expect.stringMatching(name === 'deleted' ? /overlay\.png is left out.*gone/ : /overlay\.png is left out.*changed/),
      expect.stringMatching(/bands\.csv has no rows/),
      expect.stringMatching(/The report has no pictures/),
    ])
    // The same pixels; the objects' UUIDs are made of the checksum.
    expect((await readFile(join(after, 'labels.ome.tif'))).equals(await readFile(join(before, 'labels.ome.tif')))).toBe(true)
    const objects = async (folder: string) =>
      (await readFile(join(folder, 'objects.csv'), 'utf8')).split('\r\n').map((row) => row.split(',').toSpliced(1, 1).join())
    expect(await objects(after)).toEqual(await objects(before))
    const record = JSON.parse(await readFile(join(after, 'run.json'), 'utf8')) as { slide: object; warnings: string[] }
    expect(record.slide).toMatchObject({ sha256: null, reason: expect.any(String) as string })
    expect(record.warnings).toEqual(result.warnings)

    // A new run would read the other file under the old one's name.
    const again = await ran(slide)
    if (name === 'deleted') expect(again.warnings.join()).toMatch(/is gone since the slide was opened/)
    else {
      expect(again).toMatchObject({
        state: 'failed',
        error: { code: 'SLIDE_CHANGED', message: expect.stringContaining(path) as string },
      })
      expect(
        await engine.call('export:start', { runId: again.runId, directory: join(dir, 'never'), files: ['run.json'] }),
      ).toMatchObject({
        ok: false,
        error: { code: 'SLIDE_CHANGED' },
      })
      // What is there now is another slide.
      if (name === 'overwritten in place') expect((await engine.invoke('slide:open', { path })).slideId).not.toBe(slide.slideId)
    }
  })
})

it('the only file asked for is made of the slide: nothing is written, and the reason is the slide', async () => {
  const path = join(dir, 'alone.svs')
  await copyFile(sample, path)
  const status = await ran(await engine.invoke('slide:open', { path }))
  await rm(path)
  const directory = join(dir, 'alone')
  expect(await engine.call('export:start', { runId: status.runId, directory, files: ['overlay.png'] })).toMatchObject({
    ok: false,
    error: { code: 'SLIDE_CHANGED', message: expect.stringContaining('overlay.png is left out') as string },
  })
  await expect(readFile(directory)).rejects.toMatchObject({ code: 'ENOENT' })
})

describe('identity', () => {
  it('holds the companions of slides that are several files', async () => {
    const mirax = join(dir, 'm.mrxs')
    await mkdir(join(dir, 'm'))
    await writeFile(mirax, '')
    await writeFile(join(dir, 'm', 'Data0000.dat'), 'tissue')
    const hamamatsu = join(dir, 'h.vms')
    await writeFile(join(dir, 'h-1.jpg'), 'tissue')
    await writeFile(hamamatsu, '[Virtual Microscope Specimen]\r\nImageFile=h-1.jpg\r\nMapFile=../elsewhere.jpg\r\n')
    for (const [path, companion] of [
      [mirax, join(dir, 'm', 'Data0000.dat')],
      [hamamatsu, join(dir, 'h-1.jpg')],
    ] as const) {
      const identity = await SlideIdentity.of(path)
      expect(await identity.compare()).toEqual({ state: 'same', path })
      expect(await identity.includes(companion)).toBe(true)
      await appendFile(companion, '!')
      expect(await identity.compare()).toEqual({ state: 'changed', path: companion })
      await expect(identity.check()).rejects.toMatchObject({
        code: 'SLIDE_CHANGED',
        message: expect.stringContaining(companion) as string,
      })
      await rm(companion)
      expect(await identity.compare()).toEqual({ state: 'gone', path: companion })
    }
  })

  it('knows its file under other names, and takes no link and no look for a change', async () => {
    const path = join(dir, 'a.svs')
    await writeFile(path, 'tissue')
    const identity = await SlideIdentity.of(path)
    await link(path, join(dir, 'b.svs'))
    await readFile(path)
    expect(await identity.compare()).toEqual({ state: 'same', path })
    for (const name of ['a.svs', 'b.svs', 'A.SVS', '../' + dir.split('/').at(-1)! + '/a.svs'])
      expect(await identity.includes(join(dir, name))).toBe(true)
    expect(await identity.includes(join(dir, 'c.svs'))).toBe(false)
    await utimes(path, 1, 1)
    expect((await identity.compare()).state).toBe('changed')
  })
})
