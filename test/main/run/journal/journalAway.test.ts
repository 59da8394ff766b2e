// The journal of a run whose slide's drive goes away before anything is final: what is computed is kept all the same.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { SlideIdentity } from '../../../../main/slide/identity'
import { firstRecipe, realEngine, sample } from '../../realEngine'

afterEach(() => vi.restoreAllMocks())

it('knows its slide before the first tile is computed', async () => {
  const base = await mkdtemp(join(tmpdir(), 'journal-away-'))
  const journals = join(base, 'journals')
  const engine = realEngine(join(base, 'settings'), { journal: { directory: journals, keepsOver: true } })
  try {
    const { slideId } = await engine.invoke('slide:open', { path: sample })
    // The run looks at its slide when it begins. With the second look the first tiles are about to be final, and the drive is away.
    const fingerprint = Reflect.get<SlideIdentity, 'fingerprint'>(SlideIdentity.prototype, 'fingerprint')
    const looks = vi.spyOn(SlideIdentity.prototype, 'compare')
    vi.spyOn(SlideIdentity.prototype, 'fingerprint').mockImplementation(async function (this: SlideIdentity) {
      if (looks.mock.calls.length > 1) throw new Error('EIO: i/o error, read')
      return fingerprint.call(this)
    })
    const over = new Promise<readonly string[]>((resolve) =>
      engine.onEvent((event) => void (event.type === 'run:end' && resolve(event.status.warnings))),
    )
    const region = { x: 800, y: 800, width: 300, height: 300 }
    await engine.invoke('run:start', { slideId, region, recipe: await firstRecipe(engine), purpose: 'run', threads: 1 })
    expect((await over).filter((warning) => warning.includes('journal'))).toEqual([])
    expect(looks.mock.calls.length).toBeGreaterThan(1)
    expect(await readdir(journals)).toHaveLength(1)
  } finally {
    await engine.close()
    await rm(base, { recursive: true, force: true })
  }
})
