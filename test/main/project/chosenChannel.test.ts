// The channel that a person chose, as the document has it: after a restart, where another is on screen, and for what was found in it.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { analysedChannel } from '../../../app/contract'
import type { RunStatus, SlideInfo } from '../../../app/contract'
import type { Engine } from '../../../main/engine'
import { realEngine } from '../realEngine'
import { nuclearChannels } from '../slide/nuclearChannels'

const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'fluorescence-nuclei', name: 'x', params: {} } as const
const [ki67, dapi] = [0, 1]
let folder: string
let path: string
let engine: Engine
/** An app as it is begun again: its settings and its documents are on the disk. */
const begun = (): Engine => realEngine(join(folder, 'settings'), { shell: 'serve' })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'morphoscope-document-channel-'))
  path = await nuclearChannels(join(folder, 'two.ome.tif'))
  engine = begun()
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (channel?: string): Promise<SlideInfo> =>
  engine.invoke('slide:open', { path, ...(channel !== undefined && { channel }) })

async function run({ slideId }: SlideInfo): Promise<RunStatus> {
  const over = new Promise<RunStatus>((resolve) => engine.onEvent((e) => void (e.type === 'run:end' && resolve(e.status))))
  await engine.invoke('run:start', { slideId, region: 'whole', recipe, purpose: 'run', threads: 1 })
  return over
}

it('is the document’s, whoever opens the slide next, and after a restart', async () => {
  expect(analysedChannel(await open())).toBe(dapi)
  const chosen = await open('Ki67')
  expect(analysedChannel(chosen)).toBe(ki67)
  expect((await open()).slideId).toBe(chosen.slideId)
  // It is on no list for that: nobody has made anything of it.
  expect(await engine.invoke('project:slides', {})).toEqual([])
  await engine.close()
  engine = begun()
  expect(await open()).toMatchObject({ channelGiven: true, channels: [{ name: 'Ki67', shown: 'gray' }, { shown: 'no' }] })
  expect(analysedChannel(await open('DAPI'))).toBe(dapi)
  expect(analysedChannel(await open())).toBe(dapi)
})

it('stays with what was found in it, also where the slide is open with another', async () => {
  const first = await open('Ki67')
  const { runId, objects } = await run(first)
  expect(objects).toBe(16)
  await engine.invoke('project:keep', { runId })
  await engine.close()
  engine = begun()
  const other = await open('DAPI')
  const [back] = await engine.invoke('project:restore', { slideId: other.slideId })
  expect(back).toMatchObject({ state: 'done', objects: 16 })
  const directory = join(folder, 'out')
  await engine.invoke('export:start', { runId: back!.runId, directory, files: ['run.json'], overwrite: false })
  const record = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')) as { slide: { channels: unknown } }
  expect(record.slide.channels).toMatchObject([
    { name: 'Ki67', shown: 'gray' },
    { name: 'DAPI', shown: 'no' },
  ])
  const words =
    'was found in Ki67, and the slide is open with DAPI analysed. Open it with Ki67 (--channel, or the card of channels).'
  await expect(engine.invoke('run:verify', { runId: back!.runId, regions: [], random: 1 })).rejects.toThrow(words)
  const shape = { kind: 'rectangle', x: 300, y: 300, width: 20, height: 20 } as const
  await expect(engine.invoke('object:add', { runId: back!.runId, what: { shape } })).rejects.toThrow(words)
})

it('is not another than the one that a run was begun in, where it goes on', async () => {
  const { slideId } = await open('DAPI')
  const asked = { slideId, region: 'whole', recipe, purpose: 'run', threads: 1 } as const
  await expect(engine.invoke('run:start', { ...asked, channel: ki67 })).rejects.toThrow(
    'The run was begun in Ki67, and the slide is open with DAPI analysed.',
  )
})
