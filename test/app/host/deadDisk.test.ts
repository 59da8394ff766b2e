// Exports to places that cannot be made or that never answer, in the real engine's process: each ends, and the next one works.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest'
import type { ExportResult, Result } from '../../../app/contract'
import { EngineClient } from '../../../app/host/parent/engineClient'
import { forkEngine } from '../../../app/host/parent/forkEngine'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'dist/engine.mjs')
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
const recipe = { format: 'morphoscope-recipe' as const, version: 1 as const, spec: 'he-nuclei', name: 'x', params: {} }
const possible = (): boolean => {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return process.platform === 'linux' && existsSync(program)
  } catch {
    return false
  }
}

let base: string
let shim: string
const before = { ...process.env }
const engines: EngineClient[] = []

/** An engine whose `at`-th file operation below `dead`, and all after it, hang as on a network disk that went away. */
async function engineWith(dead: string, at: number, what = 'hang'): Promise<{ engine: EngineClient; runId: string }> {
  Object.assign(process.env, { LD_PRELOAD: shim, FAULT_BELOW: dead, FAULT_AT: String(at), FAULT_DO: what, FAULT_STICKY: '1' })
  const engine = new EngineClient({
    spawn: () => forkEngine(program),
    settings: {
      settingsDir: join(base, 'settings'),
      assetsDir: join(root, 'assets'),
      version: '0',
      shell: 'serve',
      dialogs: false,
    },
  })
  engines.push(engine)
  const slide = await engine.call('slide:open', { path: sample })
  if (!slide.ok) expect.fail(slide.error.message)
  const ended = new Promise<void>((resolve) => engine.onEvent((event) => event.type === 'run:end' && resolve()))
  const region = { x: 700, y: 700, width: 200, height: 200 }
  const started = await engine.call('run:start', { slideId: slide.value.slideId, region, recipe, purpose: 'run' })
  if (!started.ok) expect.fail(started.error.message)
  await ended
  return { engine, runId: started.value.runId }
}

describe.skipIf(!possible())('exports to dead places', () => {
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'morphoscope-dead-'))
    shim = join(base, 'fault.so')
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(root, 'test/stress/fault.c'), '-ldl'])
  })
  afterEach(async () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    // A thread that hangs in the kernel lets no process end in good order.
    for (const engine of engines.splice(0)) {
      if (engine.pid !== undefined) process.kill(engine.pid, 'SIGKILL')
      await engine.close()
    }
  })
  afterAll(async () => rm(base, { recursive: true }))

  // 1: making the folder. 36: where the files take their names.
  it.each([1, 36])(
    'a disk that hangs at operation %i: cancel frees the slot, the next export works, and that disk is not asked again',
    async (at) => {
      const dead = join(base, `dead-${at}`)
      const { engine, runId } = await engineWith(dead, at)
      const start = (directory: string): Promise<Result<ExportResult>> =>
        engine.call('export:start', {
          runId,
          directory,
          files: ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png', 'run.json'],
        })
      const hanging = start(dead)
      // Not before it has come to where it hangs: nothing tells of that but that nothing happens.
      const early = await Promise.race([hanging, new Promise((resolve) => setTimeout(() => resolve('hangs'), 2000))])
      expect(early).toBe('hangs')
      expect(await engine.call('export:cancel', { runId })).toMatchObject({ ok: true })
      expect(await hanging).toMatchObject({ ok: true, value: { cancelled: true, files: [] } })

      expect(await start(join(base, `good-${at}`))).toMatchObject({ ok: true, value: { cancelled: false } })
      expect((await readdir(join(base, `good-${at}`))).length).toBe(5)
      const again = await start(dead)
      expect(again).toMatchObject({
        ok: false,
        error: { code: 'OUTPUT_FAILED', message: expect.stringContaining(dead) as string },
      })
      // The engine still answers with tiles: its threads are not all gone.
      expect(await engine.call('run:status', { runId })).toMatchObject({ ok: true, value: { state: 'done' } })
    },
  )

  it('an engine that is killed while the files take their names: the next one goes on to the end by itself', async () => {
    const folder = join(base, 'killed')
    const { engine, runId } = await engineWith(folder, 36, 'kill')
    const files = ['objects.geojson', 'objects.csv', 'labels.ome.tif', 'overlay.png', 'run.json'] as const
    expect(await engine.call('export:start', { runId, directory: folder, files: [...files] })).toMatchObject({
      ok: false,
      error: { code: 'ENGINE_LOST' },
    })
    // Some have their names, and the journal says what is to come; no call asks the next engine to.
    await expect.poll(async () => (await readdir(folder)).sort()).toEqual([...files].sort())
    const { files: written } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as { files: object }
    expect(Object.keys(written).length).toBe(4)
  })

  it('places that cannot be made are refused in words, and block nothing', async () => {
    const { engine, runId } = await engineWith(join(base, 'none'), 0)
    await writeFile(join(base, 'file'), '')
    execFileSync('mkfifo', [join(base, 'pipe')])
    await mkdir(join(base, 'folder', 'run.json'), { recursive: true })
    const places: [string, RegExp][] = [
      // Node's own recursive mkdir never ends here.
      ['/proc/nothing/out', /cannot hold files \(ENOENT\)/],
      ['/dev/null/out', /ENOTDIR/],
      [join(base, 'file'), /ENOTDIR/],
      [join(base, 'file', 'deep', 'out'), /ENOTDIR/],
      [join(base, 'pipe'), /ENOTDIR/],
      [join(base, 'x'.repeat(300)), /ENAMETOOLONG/],
      [join(base, 'folder'), /run\.json.*EISDIR/],
      ['/sys/morphoscope', /EPERM|EACCES|EROFS/],
    ]
    for (const [directory, reason] of places) {
      const refused = await engine.call('export:start', { runId, directory, files: ['run.json'] })
      expect(refused, directory).toMatchObject({
        ok: false,
        error: { code: 'OUTPUT_FAILED', message: expect.stringMatching(reason) as string },
      })
      if (!refused.ok) expect(refused.error.message).toContain(directory)
    }
    expect(await engine.call('export:start', { runId, directory: join(base, 'good'), files: ['run.json'] })).toMatchObject({
      ok: true,
    })
    expect(await engine.call('export:start', { runId, directory: 'here', files: ['run.json'] })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PARAMETER', message: expect.stringContaining('whole path') as string },
    })
  })
})
