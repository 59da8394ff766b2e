// What the desktop's page may name: only what a person chose; a setting, a guess or a link in the path grants nothing.
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Grants } from '../../../app/desktop/grants'
import { createCallHandler } from '../../../app/desktop/ipc'
import { WrittenFiles } from '../../../app/desktop/writtenFiles'
import { traitsOf } from '../../../app/contract'
import type { CallName, Result } from '../../../app/contract'
import { pathArguments } from '../contract/pathArguments'

const page = { senderFrame: { url: 'morphoscope://app/index.html', parent: null } }
const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'a', name: 'a', params: {} }
const runId = 'r1-0a9f3c'

function desktop(file = join(mkdtempSync(join(tmpdir(), 'grants-')), 'folders.json')) {
  const answers: Partial<Record<CallName, unknown>> = {
    'slide:open': { path: '/real/a.svs' },
    'export:start': { files: [] },
  }
  const engine = vi.fn(async (name: CallName): Promise<Result<unknown>> => ({ ok: true, value: answers[name] ?? null }))
  const chosen = { slide: '/chosen/a.svs', directory: '/chosen/out', recipe: '/chosen/r.json' }
  const grants = new Grants(file)
  const handler = createCallHandler({
    engine,
    grants,
    written: new WrittenFiles({ showItemInFolder: () => undefined, openPath: async () => '' }),
    dialogs: {
      slide: async () => chosen.slide,
      slides: async () => ['/chosen/b.svs', '/chosen/c.svs'],
      directory: async () => chosen.directory,
      recipe: async () => chosen.recipe,
    },
  })
  const allowed = async (name: CallName, arg: unknown) => {
    engine.mockClear()
    const result = await handler.call(page, name, arg)
    if (!result.ok) expect(result.error.code).toBe('INVALID_PARAMETER')
    expect(engine.mock.calls.length).toBe(result.ok ? 1 : 0)
    return result.ok
  }
  const choose = (name: CallName, arg?: unknown) => handler.call(page, name, arg)
  return { allowed, choose, handler, answers, chosen, file }
}
const exportTo = (directory: string) => ({ runId, directory, files: ['run.json'] })

test('a recipe is saved where the dialog just said, once', async () => {
  const { allowed, choose, chosen } = desktop()
  const save = (path: string) => allowed('recipe:save', { path, recipe })
  expect(await save(chosen.recipe)).toBe(false)
  await choose('dialog:recipe', { mode: 'open' })
  expect(await save(chosen.recipe)).toBe(false)
  await choose('dialog:recipe', { mode: 'save' })
  expect(await save('/home/me/.config/autostart/x.json')).toBe(false)
  expect(await save('chosen/r.json')).toBe(false)
  expect(await save(chosen.recipe)).toBe(true)
  expect(await save(chosen.recipe)).toBe(false)
})

test('an export goes where a dialog said, now or in an earlier session; no setting makes a folder writable', async () => {
  const { allowed, choose, chosen, file } = desktop()
  expect(await allowed('settings:set', { exportDirectory: '/etc' })).toBe(false)
  expect(await allowed('export:start', exportTo('/etc'))).toBe(false)
  expect(await allowed('export:start', exportTo(chosen.directory))).toBe(false)
  await choose('dialog:directory', { title: 'Export to' })
  for (const directory of ['/chosen', '/chosen/out2', '/chosen/out/sub', 'chosen/out'])
    expect([directory, await allowed('export:start', exportTo(directory))]).toEqual([directory, false])
  expect(await allowed('settings:set', { exportDirectory: '/chosen/out/../..' })).toBe(false)
  expect(await allowed('settings:set', { exportDirectory: chosen.directory })).toBe(true)
  expect(await allowed('settings:set', { exportDirectory: '', threads: 2 })).toBe(true)
  expect(await allowed('export:start', exportTo('/chosen/x/../out'))).toBe(true)
  // The next session.
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const later = desktop(file)
  expect(await later.allowed('export:start', exportTo(chosen.directory))).toBe(true)
  expect(await later.allowed('export:start', exportTo('/etc'))).toBe(false)
})

test('a damaged list grants nothing and is no failure', async () => {
  const { choose, chosen, file } = desktop()
  await choose('dialog:directory', { title: 'x' })
  const good = readFileSync(file, 'utf8')
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    good.replace('morphoscope-grants', 'other'),
    good.replace(/\[[^]*\]/, '[7, "out"]'),
  ]) {
    writeFileSync(file, text)
    expect(await desktop(file).allowed('export:start', exportTo(chosen.directory))).toBe(false)
  }
})

test('a slide or a recipe is read where a dialog, a drop, the list of recent ones or the start named it', async () => {
  const { allowed, choose, handler, answers, chosen } = desktop()
  const open = (path: string) => allowed('slide:open', { path })
  expect(await open(chosen.slide)).toBe(false)
  expect(await open('/etc/passwd')).toBe(false)
  await choose('dialog:slide')
  expect(await open(chosen.slide)).toBe(true)
  // As the engine calls it: a page that reopens uses that name.
  expect(await open('/real/a.svs')).toBe(true)
  handler.dropped({ senderFrame: { url: 'https://example.org/', parent: null } }, '/dropped.svs')
  expect(await open('/dropped.svs')).toBe(false)
  handler.dropped(page, '/dropped.svs')
  expect(await open('/dropped.svs')).toBe(true)
  expect(await allowed('recipe:load', { path: '/dropped/run.json' })).toBe(false)
  // Several at once, for the project.
  const add = (path: string) => allowed('project:addFile', { path })
  expect(await add('/chosen/c.svs')).toBe(false)
  await choose('dialog:slides')
  expect([await add('/chosen/b.svs'), await add('/chosen/c.svs'), await add('/chosen/d.svs')]).toEqual([true, true, false])
  answers['recent:list'] = [{ path: '/recent.svs' }]
  answers['app:info'] = { initialSlide: '/first.svs', sampleSlide: null }
  answers['start:list'] = { slides: [{ path: '/started.svs' }], projects: [{ path: '/started.morphoscope' }] }
  expect(await open('/started.svs')).toBe(false)
  await choose('start:list')
  expect([await open('/started.svs'), await allowed('project:open', { path: '/started.morphoscope' })]).toEqual([true, false])
  expect([await open('/recent.svs'), await open('/first.svs')]).toEqual([false, false])
  await choose('recent:list')
  await choose('app:info')
  expect([await open('/recent.svs'), await open('/first.svs')]).toEqual([true, true])
  await choose('dialog:recipe', { mode: 'open' })
  expect(await allowed('recipe:load', { path: chosen.recipe })).toBe(true)
})

test('a recipe is run over slides that a project names, chosen files, and no others', async () => {
  const { allowed, choose, answers } = desktop()
  const slide = (path: string) => ({ key: 'a'.repeat(32), path })
  const over = (...paths: string[]) => allowed('cohort:run', { slides: paths.map(slide), recipe, again: false })
  answers['project:slides'] = [{ path: '/study/a.svs' }]
  expect(await over('/study/a.svs')).toBe(false)
  await choose('project:slides')
  expect(await over('/study/a.svs')).toBe(true)
  expect(await over('/study/a.svs', '/etc/b.svs')).toBe(false)
  expect(await over('a.svs')).toBe(false)
})

test('a project is opened and saved in a folder that was chosen, or as one', async () => {
  const { allowed, choose } = desktop()
  for (const name of ['project:open', 'project:save'] as const) {
    expect(await allowed(name, { path: '/chosen/out/A.morphoscope' })).toBe(false)
    expect(await allowed(name, { path: 'out/A.morphoscope' })).toBe(false)
  }
  await choose('dialog:directory', { title: 'Where' })
  for (const name of ['project:open', 'project:save'] as const) {
    expect(await allowed(name, { path: '/chosen/out/A.morphoscope' })).toBe(true)
    expect(await allowed(name, { path: '/chosen/out' })).toBe(true)
    expect(await allowed(name, { path: '/chosen/out/deep/A.morphoscope' })).toBe(false)
    expect(await allowed(name, { path: '/chosen/out/../B.morphoscope' })).toBe(false)
  }
})

test('no call of the contract names a path that nobody gave', async () => {
  const { allowed, choose, handler } = desktop()
  for (const [name, argument] of Object.entries(pathArguments) as [CallName, (path: string) => unknown][]) {
    const [use] = Object.values(traitsOf(name).paths!)
    for (const path of ['/etc/passwd', 'a.svs', '/chosen/../etc'])
      if (use === 'name') expect([name, await allowed(name, argument(path))]).toEqual([name, true])
      else if (traitsOf(name).answeredBy === undefined) expect([name, await allowed(name, argument(path))]).toEqual([name, false])
      else expect([name, await handler.call(page, name, argument(path))]).toMatchObject([name, { ok: false }])
  }
  // What was given for one use is not given for another.
  await choose('dialog:slide')
  for (const name of ['recipe:save', 'export:start', 'settings:set', 'project:save'] as const)
    expect([name, await allowed(name, pathArguments[name]('/chosen/a.svs'))]).toEqual([name, false])
})
