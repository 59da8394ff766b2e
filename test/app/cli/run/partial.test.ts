// A slide of which half cannot be read is partial everywhere: in a run, in a project's table, CSV, JSON and summary, by exit code 3, and in no denominator.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SummaryRow } from '../../../../app/contract'
import { realEngine } from '../../../main/realEngine'
import { made, writeTiled } from '../../../main/slide/halfMissing'
import { cli } from '../inProcess'

let dir: string
beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'partial-'))))
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Of the row above those that are missing the lower rim may be wrong. */
const lacks =
  '8 of 16 tiles could not be read in full; 4 of 16 tiles may be wrong because of parts that could not be read; the values that adapt to the slide are not certain'

/** Square px of 0.5 µm. */
const mm2 = (px: number): number => (px * 0.25) / 1e6

it('a slide of which half cannot be read is partial, and has the density of the half that could be read', async () => {
  const [half, whole, folder] = [join(dir, 'half.tif'), join(dir, 'whole.tif'), join(dir, 'Study.morphoscope')]
  await writeTiled(half, { half: true })
  await writeTiled(whole)
  // As a run alone says it.
  await mkdir(join(dir, 'out'))
  const asked = ['run', half, '--out', join(dir, 'out'), '--files', 'run.json'] as const
  const begun = await cli(...asked)
  expect([begun.code, begun.err]).toEqual([3, expect.stringMatching(/--resume .* computes what is missing/)])
  const record = async (): Promise<{ analysedPx: number; counts: object }> =>
    JSON.parse(await readFile(join(dir, 'out', 'run.json'), 'utf8')) as { analysedPx: number; counts: object }
  const alone = await record()
  expect(alone.counts).toMatchObject({ unreadableTiles: made.tiles / 2, uncertainTiles: 4 })
  expect(alone.analysedPx).toBe(1024 * 512)
  expect(alone).toMatchObject({ valuesUncertain: true, certainty: { certainMegapixels: 0 } })
  // What was read is kept, for whoever goes on; to begin anew throws nothing away.
  for (const [more, goesOn] of [
    [['--resume'], true],
    [[], false],
  ] as const) {
    const again = await cli(...asked, ...more, '--json')
    expect([again.code, again.err.includes('resuming: 25 % is there, 4 of 16 tiles')], again.err).toEqual([3, goesOn])
    expect(JSON.parse(again.out)).toMatchObject({ partial: true, valuesUncertain: true, certainty: { certainMegapixels: 0 } })
    expect((await record()).counts).toEqual(alone.counts)
  }

  expect((await cli('project', 'add', folder, half, whole)).code).toBe(0)
  // Two regions: one in the half that is there, one of which half is gone.
  const engine = realEngine(join(dir, 'desk'), { shell: 'serve' })
  await engine.invoke('project:open', { path: folder })
  const { slideId } = await engine.invoke('slide:open', { path: half })
  const key = (await engine.invoke('project:state', { slideId })).slide!
  const region = (id: string, name: string, y: number) => ({
    ...{ id, slide: key, name, classId: null, locked: false, madeBy: 'hand' as const, createdAt: '2026-11-22T00:00:00Z' },
    shape: { kind: 'rectangle' as const, x: 256, y, width: 256, height: 256 },
  })
  const regions = [
    region('00000000-0000-4000-8000-000000000001', 'There', 128),
    region('00000000-0000-4000-8000-000000000002', 'Half gone', 384),
  ]
  await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions } })
  await engine.close()

  const ran = await cli('project', 'run', folder, '--json')
  expect(ran.code).toBe(3)
  expect(JSON.parse(ran.out)).toMatchObject([
    { name: 'half.tif', state: 'done', lacks },
    { name: 'whole.tif', state: 'done' },
  ])
  // Done before is not whole either.
  const again = await cli('project', 'run', folder)
  expect(again.code).toBe(3)
  expect(again.out).toMatch(new RegExp(`half\\.tif +done before, partial +${lacks}`))

  const summed = await cli('project', 'summary', folder, '--json')
  expect(summed.code).toBe(3)
  const [partial, there, halfGone, full] = JSON.parse(summed.out) as SummaryRow[]
  expect([partial!.state, there!.state, halfGone!.state, full!.state]).toEqual(['partial', 'done', 'partial', 'done'])
  expect(partial!.why).toBe(lacks)
  expect(full!.objects).toBe(made.perTile * made.tiles)
  expect(partial!.objects).toBe(full!.objects! / 2)
  expect(partial!.analysedMm2).toBeCloseTo(mm2(1024 * 512), 9)
  // Half of the nuclei on half of the area: the same density, not half of it.
  expect(partial!.perMm2! / full!.perMm2!).toBeCloseTo(1, 1)
  expect([there!.objects, halfGone!.objects]).toEqual([made.perTile, made.perTile / 2])
  expect([there!.perMm2, halfGone!.perMm2]).toEqual([made.perTile / mm2(256 * 256), made.perTile / 2 / mm2(256 * 128)])
  // The list of slides in the window.
  const desk = realEngine(join(dir, 'desk'), { shell: 'serve' })
  await desk.invoke('project:open', { path: folder })
  const [first, second] = await desk.invoke('project:slides', undefined)
  expect([first!.state, first!.why, second!.state]).toEqual(['partial', lacks, 'done'])
  expect((await desk.invoke('project:summary', {})).csv.split('\n')[1]).toMatch(/^half\.tif,,,partial,/)
  expect(first!.perMm2! / second!.perMm2!).toBeCloseTo(1, 1)
  await desk.close()
}, 120_000)
