// An engine that may reach some folders alone: what a project names outside them is not opened, and not told from what is not there.
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../../../main/engine'
import { realEngine, sample } from '../realEngine'

let base: string
let roots: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'morphoscope-reach-')))
  roots = join(base, 'roots')
  for (const name of ['roots', 'secret', 'settings']) await mkdir(join(base, name))
  await copyFile(sample, join(base, 'secret', 'patient.svs'))
})
afterEach(async () => await rm(base, { recursive: true, force: true }))

const settings = (): string => join(base, 'settings')
const project = (): string => join(roots, 'p.morphoscope')

/** A project below the roots whose slide lies outside them, as somebody who may write below the roots can make one. */
async function plantedProject(slide: string): Promise<void> {
  const engine = realEngine(join(base, 'other-settings'), { shell: 'cli' })
  try {
    await engine.invoke('project:save', { path: project() })
    await engine.invoke('project:addFile', { path: slide })
  } finally {
    await engine.close()
  }
}

async function confined<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = realEngine(settings(), { shell: 'serve', roots: [roots] })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

it('opens no slide outside that a project names: for a summary, a batch, or by itself', async () => {
  await plantedProject(join(base, 'secret', 'patient.svs'))
  await confined(async (engine) => {
    await engine.invoke('project:open', { path: project() })
    const [slide] = await engine.invoke('project:slides', undefined)
    expect(slide).toMatchObject({ missing: true })
    const summary = await engine.invoke('project:summary', { deidentify: false })
    expect(summary.notes.join()).toMatch(/neither|not/)
    // Of a pseudonym, which is made of the file's bytes, neither.
    const hidden = await engine.invoke('project:summary', { deidentify: true })
    expect(hidden.rows[0]?.slide).toMatch(/^slide-/)
    const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'x', params: {} } as const
    const slides = [{ key: slide!.key, path: join(base, 'secret', 'patient.svs') }]
    await engine.invoke('cohort:run', { slides, recipe, again: false })
    for (;;) {
      const state = await engine.invoke('cohort:state', undefined)
      if (state?.going) await new Promise((resolve) => setTimeout(resolve, 20))
      else {
        expect(state?.slides[0]).toMatchObject({ state: 'failed', why: expect.stringContaining('--root') as string })
        break
      }
    }
  })
})

it('follows no link below the roots to a file outside them', async () => {
  await symlink(join(base, 'secret', 'patient.svs'), join(roots, 'patient.svs'))
  await plantedProject(join(base, 'secret', 'patient.svs'))
  await confined(async (engine) => {
    await engine.invoke('project:open', { path: project() })
    expect(await engine.invoke('project:slides', undefined)).toMatchObject([{ missing: true }])
    expect(await engine.call('slide:open', { path: join(roots, 'patient.svs') })).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
    })
  })
})

it('imports no label image of a folder outside them', async () => {
  await copyFile(sample, join(roots, 'mine.svs'))
  await confined(async (engine) => {
    const { slideId } = await engine.invoke('slide:open', { path: join(roots, 'mine.svs') })
    const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'x', params: {} } as const
    const asked = { slideId, recipe, called: 'x.zarr', unsaid: 'objects', tail: '', length: 0, form: 'labels' } as const
    const refused = { ok: false, error: { code: 'NOT_FOUND' } }
    expect(await engine.call('import:begin', { ...asked, folder: join(base, 'secret') })).toMatchObject(refused)
    expect(await engine.call('import:begin', { ...asked, folder: roots })).toMatchObject({ ok: true })
  })
})

it('opens what lies below the roots, and remembers documents for the same roots alone', async () => {
  await copyFile(sample, join(roots, 'own.svs'))
  await plantedProject(join(roots, 'own.svs'))
  // As the desktop leaves it.
  await mkdir(join(settings(), 'documents'), { recursive: true })
  await writeFile(join(settings(), 'documents', 'current.json'), JSON.stringify({ path: project() }))
  await confined(async (engine) => {
    expect((await engine.invoke('project:state', { slideId: null })).name).toBeNull()
    await engine.invoke('project:open', { path: project() })
    expect((await engine.invoke('project:summary', { deidentify: false })).rows[0]).toMatchObject({ slide: 'own.svs' })
  })
  await confined(async (engine) => {
    expect((await engine.invoke('project:state', { slideId: null })).slides).toMatchObject([{ name: 'own.svs' }])
  })
  const others = realEngine(settings(), { shell: 'serve', roots: [dirname(sample)] })
  expect((await others.invoke('project:state', { slideId: null })).slides).toEqual([])
  await others.close()
  const desktop = realEngine(settings(), { shell: 'desktop' })
  expect((await desktop.invoke('project:state', { slideId: null })).slides).toMatchObject([{ name: 'own.svs' }])
  await desktop.close()
})
