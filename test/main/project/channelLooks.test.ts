// How channels are shown, as the document keeps it: back after a restart, checked at the door, and no step of history.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChannelLook } from '../../../app/contract'
import { defaultRecipe } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { realEngine } from '../realEngine'
import { nuclearChannels } from '../slide/nuclearChannels'

let folder: string
let path: string
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-looks-'))
  path = await nuclearChannels(join(folder, 'two.ome.tif'))
  engine = realEngine(join(folder, 'settings'), { shell: 'serve' })
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const pink: ChannelLook = { shown: true, color: '#ff00ff', low: 100, high: 1500.5, gamma: 0.7 }
const hidden: ChannelLook = { shown: false, color: '#0040ff', low: 60, high: 3000, gamma: 1 }
const opened = async (): Promise<string> => (await engine.invoke('slide:open', { path })).slideId

it('is the document’s from then on, whatever else is made on the slide', async () => {
  const slideId = await opened()
  expect(await engine.invoke('slide:looks', { slideId })).toBeNull()
  await engine.invoke('slide:keepLooks', { slideId, looks: [pink, hidden] })
  expect(await engine.invoke('project:state', { slideId })).toMatchObject({ slides: [], undo: null })
  await engine.invoke('project:add', { slideId })
  // In another channel, by another handle of the same file.
  const { slideId: other } = await engine.invoke('slide:open', { path, channel: 'Ki67' })
  expect(await engine.invoke('slide:looks', { slideId: other })).toEqual([pink, hidden])
  const project = join(folder, 'Named.morphoscope')
  await engine.invoke('project:save', { path: project })
  await engine.close()
  engine = realEngine(join(folder, 'settings'), { shell: 'serve' })
  expect(await engine.invoke('slide:looks', { slideId: await opened() })).toEqual([pink, hidden])
  await engine.invoke('project:new', undefined)
  expect(await engine.invoke('slide:looks', { slideId: await opened() })).toBeNull()
  await engine.invoke('project:open', { path: project })
  expect(await engine.invoke('slide:looks', { slideId: await opened() })).toEqual([pink, hidden])
})

it.each([
  ['one too few', [pink]],
  ['one too many', [pink, hidden, pink]],
  ['a colour that is none', [pink, { ...hidden, color: 'red' }]],
  ['a colour with more behind it', [pink, { ...hidden, color: '#ff00ff;x' }]],
  ['as bright as black', [pink, { ...hidden, low: 1, high: 1 }]],
  ['no number', [pink, { ...hidden, low: Number.NaN }]],
  ['no end', [pink, { ...hidden, high: Number.POSITIVE_INFINITY }]],
  ['a gamma of nothing', [pink, { ...hidden, gamma: 0 }]],
  ['something more', [pink, { ...hidden, more: 1 }]],
])('refuses %s', async (_, looks) => {
  const slideId = await opened()
  const answer = await engine.call('slide:keepLooks', { slideId, looks })
  expect(answer).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETER' } })
  expect(await engine.invoke('slide:looks', { slideId })).toEqual([pink, hidden])
})

it('is how the report shows the slide', async () => {
  const slideId = await opened()
  const specs = await engine.invoke('recipe:list', undefined)
  const recipe = defaultRecipe(specs.find(({ id }) => id === 'fluorescence-nuclei')!)
  const { runId } = await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads: 1 })
  await expect.poll(async () => (await engine.invoke('run:status', { runId })).state, { timeout: 60_000 }).toBe('done')
  const directory = join(folder, 'exported')
  await engine.invoke('export:start', { runId, directory, files: ['report.html'] })
  const page = await readFile(join(directory, 'report.html'), 'utf8')
  expect(page).toContain('rgb(255 0 255)')
  expect(page).toMatch(/\((analysed, )?not shown\)/)
})
