// Slides of a document through the engine: added by their files, taken out again, told in one table.
import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RegionOfInterest, Shape } from '../../../app/contract'
import sharp from 'sharp'
import { firstRecipe, realEngine, sample } from '../realEngine'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'slides-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

const regionOn = (slide: string): RegionOfInterest => ({
  ...{ id: randomUUID(), slide, name: '', classId: null, locked: false, madeBy: 'hand', createdAt: '2026-11-22T00:00:00Z' },
  shape: { kind: 'rectangle', x: 0, y: 0, width: 10, height: 10 },
})

it('a slide is added by its file and taken out again, unless there is something on it; an undo brings it back', async () => {
  const engine = realEngine(join(dir, 'removed'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const key = (await engine.invoke('project:state', { slideId })).slide!
  const listed = async () => (await engine.invoke('project:slides', undefined)).map((slide) => slide.key)
  expect(await engine.invoke('project:addFile', { path: sample })).toEqual({
    ...{ key, isNew: true, name: 'CMU-1-Small-Region.svs' },
  })
  expect(await engine.invoke('project:addFile', { path: sample })).toMatchObject({ isNew: false })
  const text = join(dir, 'notes.txt')
  await writeFile(text, 'no slide')
  expect(await engine.call('project:addFile', { path: text })).toMatchObject({ ok: false })
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [regionOn(key)] } })
  const refused = await engine.call('project:remove', { key })
  expect(refused).toMatchObject({
    ok: false,
    error: { message: 'CMU-1-Small-Region.svs has a region: delete that first, and it can be taken out.' },
  })
  expect(await listed()).toEqual([key])
  // Taken back, the region is no reason any more; done again, it brings the slide with it.
  await engine.invoke('project:undo', undefined)
  await engine.invoke('project:remove', { key })
  expect(await listed()).toEqual([])
  expect(await engine.call('project:remove', { key })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  await engine.invoke('project:redo', undefined)
  expect(await listed()).toEqual([key])
  await engine.invoke('project:undo', undefined)
  expect(await listed()).toEqual([])
  await engine.close()
  // Over a restart it stays out, and can be added again.
  const again = realEngine(join(dir, 'removed'), { shell: 'serve' })
  expect(await again.invoke('project:slides', undefined)).toEqual([])
  expect(await again.invoke('project:addFile', { path: sample })).toMatchObject({ key, isNew: true })
  expect(await again.invoke('project:slides', undefined)).toHaveLength(1)
  await again.close()
})

it('a link to a slide, or a copy of it, takes over neither its name nor its place, and is told; a slide that was moved is followed', async () => {
  const engine = realEngine(join(dir, 'twice'), { shell: 'serve' })
  const at = (name: string): string => join(dir, name)
  const [first, link, copy, moved] = [at('first.png'), at('link.png'), at('copy.png'), at('moved.png')] as const
  await sharp({ create: { width: 96, height: 64, channels: 3, background: '#abc' } })
    .png()
    .toFile(first)
  await symlink(first, link)
  await copyFile(first, copy)
  const listed = async () => (await engine.invoke('project:slides', undefined)).map(({ name, path }) => [name, path])
  const { key } = await engine.invoke('project:addFile', { path: first })
  const same = { key, isNew: false, knownAs: { name: 'first.png', path: first } }
  expect(await engine.invoke('project:addFile', { path: link })).toEqual({ ...same, name: 'link.png' })
  expect(await engine.invoke('project:addFile', { path: copy })).toEqual({ ...same, name: 'copy.png' })
  expect(await engine.invoke('project:addFile', { path: first })).toEqual({ key, isNew: false, name: 'first.png' })
  // What is drawn on the copy is drawn on the slide.
  const { slideId } = await engine.invoke('slide:open', { path: copy })
  expect(await engine.invoke('project:add', { slideId })).toEqual(same)
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [regionOn(key)] } })
  expect(await listed()).toEqual([['first.png', first]])
  // Another file in its place is not the slide: the copy is.
  await rename(first, moved)
  await sharp({ create: { width: 96, height: 64, channels: 3, background: '#cba' } })
    .png()
    .toFile(first)
  expect(await engine.invoke('project:addFile', { path: moved })).toEqual({ key, isNew: false, name: 'moved.png' })
  expect(await listed()).toEqual([['moved.png', moved]])
  await rm(moved)
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [regionOn(key)] } })
  expect(await listed()).toEqual([['copy.png', copy]])
  await engine.close()
})

it('files that were found are not looked for again after an edit, and what was not there is', async () => {
  const engine = realEngine(join(dir, 'seen'), { shell: 'serve' })
  const path = join(dir, 'seen.png')
  const made = () => sharp({ create: { width: 96, height: 64, channels: 3, background: '#abd' } }).png().toFile(path) // oxfmt-ignore
  await made()
  await engine.invoke('project:addFile', { path })
  const missing = async (seen: boolean) =>
    (await engine.invoke('project:slides', seen ? { seen: true } : undefined)).map((slide) => slide.missing)
  expect(await missing(true)).toEqual([false])
  await rm(path)
  expect([await missing(true), await missing(false), await missing(true)]).toEqual([[false], [true], [true]])
  await made()
  expect(await missing(true)).toEqual([false])
  await engine.close()
})

it('the summary has a row for each slide and region, with what could not be read in words, and lets go of what it opened', async () => {
  const engine = realEngine(join(dir, 'summed'), { shell: 'serve' })
  const { slideId } = await engine.invoke('slide:open', { path: sample })
  const { slide: key } = await engine.invoke('project:state', { slideId })
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [regionOn(key!)] } })
  const away = join(dir, '=away.png')
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } })
    .png()
    .toFile(away)
  const { key: awayKey } = await engine.invoke('project:addFile', { path: away })
  await rm(away)
  const { rows, notes, csv } = await engine.invoke('project:summary', {})
  expect(rows).toMatchObject([
    { slide: '=away.png', region: null, state: 'not run', areaPx: 4096, areaMm2: null, objects: null },
    { slide: 'CMU-1-Small-Region.svs', region: null, state: 'not run', objects: null },
    { slide: 'CMU-1-Small-Region.svs', region: 'Region 1', class: '', state: 'not run', recipe: null, areaPx: 100, perMm2: null },
  ])
  expect(notes).toEqual([expect.stringMatching(/^=away.png is neither at .* nor beside the project/)])
  const lines = csv.split('\n')
  expect(lines).toHaveLength(5)
  // A spreadsheet takes it for no formula.
  expect(lines[1]).toMatch(/^'=away.png,,,not run,,4096,/)
  const only = await engine.invoke('project:summary', { keys: [awayKey] })
  expect(only.rows.map(({ slide }) => slide)).toEqual(['=away.png'])
  // Under pseudonyms nothing names a slide: those are its exports', and of one that is not there always the same.
  const named = await engine.invoke('project:summary', { deidentify: true })
  await engine.invoke('settings:set', { deidentify: true })
  expect(await engine.invoke('project:summary', {})).toEqual(named)
  const pseudonym = await engine.invoke('slide:fileName', { slideId })
  await engine.invoke('settings:set', { deidentify: false })
  expect(named.rows.filter(({ slide }) => slide === pseudonym)).toHaveLength(2)
  expect(named.rows.map(({ slide }) => slide)).toEqual(named.rows.map(({ slide }) => slide).sort())
  expect(JSON.stringify(named)).not.toMatch(/CMU-1|away/)
  expect(named.notes).toEqual([expect.stringMatching(/^slide-[0-9a-f]{16} is neither at /)])
  expect(JSON.stringify(named)).not.toContain(dir)
  const { runId } = await engine.invoke('run:start', {
    ...{ slideId, region: 'whole', within: [regionOn(key!).shape as Shape], recipe: await firstRecipe(engine), purpose: 'run' },
  })
  await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 20_000 }).toBe('done')
  const asked = await engine.invoke('project:summary', { keys: [key!], runIds: [runId] })
  expect(asked.rows[1]).toMatchObject({ state: 'done', objects: 0, perMm2: 0 })
  await engine.close()
}, 60_000)
