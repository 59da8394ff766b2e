// Names of patients: canaries in the slide's name, its folder and its properties, looked for in every file and in all that is shown.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { createEngine, defaultRecipe } from '../../../../main/engine'
import { withoutNames } from '../../../../app/cli/terminal'
import { Names, folderName, nameHider, pseudonymOf } from '../../../../main/export/names'
import { cli } from '../inProcess'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'dist', 'cli.mjs')
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')

const folderCanary = 'Canary Folder 1970-01-02'
const nameCanary = 'CANARYNAME'
const propertyCanary = 'CANARYPROP'
/** Clears the screen, turns the reading direction round, and would ring. */
const hostileName = `${nameCanary}\u001b[2J\u202eb\u0007.svs`
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

let base: string
let slide: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'morphoscope-names-'))
  await mkdir(join(base, folderCanary))
  slide = join(base, folderCanary, hostileName)
  const bytes = await readFile(sample)
  // A property of the file, and tiles that cannot be read, so that there are messages.
  const at = bytes.indexOf('CPAPERIOCS')
  expect(at).toBeGreaterThan(0)
  bytes.write(propertyCanary, at, 'latin1')
  bytes.fill(0, 300_000, 330_000)
  await writeFile(slide, bytes)
})
afterAll(async () => rm(base, { recursive: true }))

async function run(
  path: string,
  out: string,
  ...more: string[]
): Promise<{ code: number | null; shown: string; files: Map<string, Buffer> }> {
  const child = spawn(process.execPath, [program, 'run', path, '--out', out, '--region', '0,0,1200,900', ...more])
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (shown += String(text)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const files = new Map<string, Buffer>()
  for (const name of await readdir(out).catch(() => [])) files.set(name, await readFile(join(out, name)))
  return { code, shown, files }
}
const sha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
function hits({ shown, files }: { shown: string; files: Map<string, Buffer> }, canary: string): string[] {
  const found = [...files].filter(([, bytes]) => bytes.includes(canary)).map(([name]) => name)
  return shown.includes(canary) ? [...found, 'shown'] : found
}

describe.skipIf(!existsSync(program))('names of patients', () => {
  it('stand in no file and in nothing that is shown with --deidentify; the same bytes have the same pseudonym under any name', async () => {
    const out = join(base, 'out')
    const done = await run(slide, out, '--deidentify', '--json')
    expect(done.code, done.shown).toBe(ExitCode.partial)
    // Five, and the journal of what could be read.
    expect([...done.files.keys()].map((name) => name.endsWith('.journal')).sort()).toEqual([
      ...Array<boolean>(5).fill(false),
      true,
    ])
    expect(done.shown).toContain('--deidentify computes what is missing')
    for (const canary of [nameCanary, 'Canary Folder', propertyCanary]) expect(hits(done, canary), canary).toEqual([])
    const record = JSON.parse(done.files.get('run.json')!.toString()) as {
      slide: { name: string; sha256: string }
      unreadable: unknown[]
    }
    expect(record.unreadable.length).toBeGreaterThan(0)
    expect(record.slide.name).toBe(pseudonymOf(record.slide.sha256))
    for (const name of ['objects.csv', 'labels.ome.tif', 'run.json'])
      expect(done.files.get(name)!.includes(record.slide.name), name).toBe(true)
    expect(done.shown).toContain(`"slide": "${record.slide.name}"`)

    const other = join(base, 'other.svs')
    await copyFile(slide, other)
    const again = await run(other, join(base, 'again'), '--deidentify', '--files', 'objects.csv')
    expect(again.files.get('objects.csv')!.equals(done.files.get('objects.csv')!)).toBe(true)
  })

  it('leave their folders at home always, and steer no terminal; without the option the name is told', async () => {
    const done = await run(slide, join(base, 'plain'), '--json')
    expect(done.code, done.shown).toBe(ExitCode.partial)
    // But in the journal, which --resume finds the slide by, and which is said to be deleted before the files are handed on.
    expect(hits({ ...done, shown: '' }, 'Canary Folder').filter((name) => !name.endsWith('.journal'))).toEqual([])
    expect(done.shown).toContain('delete it before you hand the files on')
    expect(hits(done, propertyCanary)).toEqual([])
    expect(hits(done, nameCanary).filter((name) => !name.endsWith('.journal'))).toEqual([
      'labels.ome.tif',
      'objects.csv',
      'run.json',
      'shown',
    ])
    expect(steering.test(done.shown)).toBe(false)
    for (const name of ['objects.csv', 'run.json', 'objects.geojson'])
      expect(steering.test(done.files.get(name)!.toString().replaceAll('\r\n', '\n')), name).toBe(false)
    // The name is all there, in escapes; JSON gives it back as it is.
    expect(done.files.get('objects.csv')!.toString()).toContain('CANARYNAME\\u001b[2J\\u202eb\\u0007.svs')
  })

  it('are hidden in errors too', async () => {
    const broken = join(base, folderCanary, `${nameCanary}.svs`)
    await writeFile(broken, 'no slide')
    for (const path of [broken, `${broken}.gone`]) {
      const done = await run(path, join(base, 'never'), '--deidentify')
      expect(done.code).toBeGreaterThan(64)
      expect(done.shown).toContain('the slide')
      for (const canary of [nameCanary, 'Canary Folder']) expect(hits(done, canary), done.shown).toEqual([])
    }
  })
})

it('stand in no file, folder or line of a project’s commands with --deidentify: each slide has the pseudonym that its exports have', async () => {
  const place = join(base, `${folderCanary} 2`)
  await mkdir(place)
  const slides: string[] = []
  // One begins as the other does: hidden by its beginning alone it would leave its end behind.
  for (const [name, left] of [
    [`${nameCanary}1.png`, 700],
    [`${nameCanary}10.png`, 300],
  ] as const) {
    const path = join(place, name)
    await sharp(sample).extract({ left, top: 1400, width: 300, height: 300 }).png({ compressionLevel: 1 }).toFile(path)
    slides.push(path)
  }
  const folder = join(base, 'Study.morphoscope')
  expect((await cli('project', 'add', folder, ...slides, '--mpp', '0.5')).code).toBe(0)
  const square = [
    [10, 10],
    [290, 10],
    [290, 290],
    [10, 290],
    [10, 10],
  ]
  const region = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [square] },
    // Typed by a person who did not think of files.
    properties: { objectType: 'annotation', name: `${nameCanary}, region`, classification: { name: `${nameCanary} class` } },
  }
  const tumor = {
    ...region,
    properties: { objectType: 'annotation', name: `${nameCanary} 2`, classification: { name: 'Tumor' } },
  }
  await writeFile(join(base, 'given.geojson'), JSON.stringify({ type: 'FeatureCollection', features: [region, tumor] }))
  for (const slide of slides)
    expect((await cli('project', 'import', folder, join(base, 'given.geojson'), '--slide', slide)).code).toBe(0)
  const pseudonyms = (await Promise.all(slides.map(async (path) => pseudonymOf(await sha256(path))))).sort()

  const out = join(base, 'project')
  const ran = await cli(
    'project',
    'run',
    folder,
    '--out',
    join(out, 'run'),
    '--files',
    'objects.csv,objects.geojson,objects.parquet,run.json,report.html',
    '--by-region',
    '--deidentify',
  )
  expect([ran.code, ran.err]).toEqual([0, ''])
  for (const pseudonym of pseudonyms) expect(ran.out).toMatch(new RegExp(`${pseudonym} +done +\\d+ objects`))
  expect((await readdir(join(out, 'run'))).sort()).toEqual(pseudonyms)
  const inRun = await readdir(join(out, 'run', pseudonyms[0]!))
  expect(inRun).toEqual(expect.arrayContaining(['objects-Class-6.csv', 'objects-Tumor.csv', 'objects-Tumor.parquet']))
  const summed = await cli('project', 'summary', folder, '--csv', '--deidentify')
  expect(summed.out).toMatch(/,Class 6,Class 6,[^]*,Tumor,Tumor,/)
  await rename(slides[0]!, join(base, 'away.png'))
  const partly = await cli('project', 'objects', folder, '--out', join(out, 'partly'), '--deidentify')
  expect(partly.code).toBe(ExitCode.partial)
  expect(partly.err).toMatch(/^slide-[0-9a-f]{16} is neither at the slide nor beside the project/)
  await rename(join(base, 'away.png'), slides[0]!)
  const objects = await cli('project', 'objects', folder, '--out', join(out, 'objects'), '--deidentify')
  expect([objects.code, objects.err]).toEqual([0, ''])
  await mkdir(join(out, 'export'))
  const exported = await cli(
    ...['project', 'export', folder, '--out', join(out, 'export'), '--files', 'objects.csv', '--deidentify'],
  )
  expect([exported.code, exported.err]).toEqual([0, ''])
  expect((await readdir(join(out, 'export'))).sort()).toEqual(pseudonyms.flatMap((each) => [each, `${each}-regions.geojson`]))
  const record = JSON.parse(await readFile(join(out, 'run', pseudonyms[0]!, 'run.json'), 'utf8')) as { slide: { name: string } }
  expect(record.slide.name).toBe(pseudonyms[0])

  const shown = [ran, partly, summed, objects, exported].map((each) => each.out + each.err).join('\n')
  expect(shown).not.toMatch(/CANARYNAME|Canary Folder/)
  const files = await readdir(out, { recursive: true, withFileTypes: true })
  expect(files.filter((each) => each.isFile()).length).toBeGreaterThan(12)
  for (const file of files) {
    expect(join(file.parentPath, file.name)).not.toMatch(/CANARYNAME|Canary Folder/)
    if (file.isFile())
      expect((await readFile(join(file.parentPath, file.name))).includes(nameCanary), `${file.parentPath}/${file.name}`).toBe(
        false,
      )
  }
  const regions = await readFile(join(out, 'export', `${pseudonyms[0]}-regions.geojson`), 'utf8')
  expect(JSON.parse(regions)).toMatchObject({
    features: [{ properties: { classification: { name: 'Class 6' } } }, { properties: { classification: { name: 'Tumor' } } }],
  })
  // Unasked nothing is hidden: a folder is found by its slide's name.
  const named = await cli('project', 'objects', folder, '--out', join(out, 'named'), '--files', 'objects.csv')
  expect(named.out).toContain(`${nameCanary}10-Whole-slide-`)
})

it('a folder of its own is named by the pseudonym, and the setting is what an export does that is not told', async () => {
  const engine = createEngine({
    settingsDir: join(base, 'settings'),
    assetsDir: join(root, 'assets'),
    shell: 'cli',
    dialogs: false,
    version: '0',
    log: () => undefined,
  })
  try {
    const { slideId } = await engine.invoke('slide:open', { path: slide })
    const recipe = defaultRecipe((await engine.invoke('recipe:list', undefined))[0]!)
    const ended = new Promise<void>((resolve) => engine.onEvent((event) => event.type === 'run:end' && resolve()))
    const { runId } = await engine.invoke('run:start', {
      slideId,
      region: { x: 900, y: 900, width: 200, height: 200 },
      recipe,
      purpose: 'run',
    })
    await ended
    const own = { runId, directory: join(base, 'own'), files: ['run.json'] as 'run.json'[], ownFolder: true }
    const named = await engine.invoke('export:start', own)
    expect(named.directory).toMatch(/\/own\/CANARYNAME-2J-b_[a-z-]+_\d{8}-\d{6}$/)
    await engine.invoke('settings:set', { deidentify: true })
    const [first, second] = [await engine.invoke('export:start', own), await engine.invoke('export:start', own)]
    expect(first.directory).toMatch(/\/own\/slide-[0-9a-f]{16}_[a-z-]+_\d{8}-\d{6}(-\d+)?$/)
    expect(second.directory).not.toBe(first.directory)
    expect(first.slideName).toMatch(/^slide-/)
    expect((await engine.invoke('export:start', { ...own, deidentify: false })).slideName).toContain(nameCanary)
  } finally {
    await engine.close()
  }
})

it('a recipe’s name, which somebody has typed, is in no file either', async () => {
  const recipe = join(base, 'mine.json')
  const of = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: `for ${nameCanary}`, params: {} }
  await writeFile(recipe, JSON.stringify(of))
  const out = join(base, 'recipe')
  const ran = await cli('run', sample, '--region', '900,900,200,200', '--recipe', recipe, '--out', out, '--deidentify')
  expect([ran.code, ran.out.includes(nameCanary)]).toEqual([0, false])
  for (const name of await readdir(out)) expect((await readFile(join(out, name))).includes(nameCanary), name).toBe(false)
})

it.skipIf(process.platform === 'win32' || !existsSync(program))('stand in nothing that a killed run leaves behind', async () => {
  const [temporary, out] = [join(base, 'tmp'), join(base, 'killed')]
  await mkdir(temporary)
  const env = { ...process.env, TMPDIR: temporary }
  const child = spawn(process.execPath, [program, 'run', slide, '--out', out, '--deidentify', '--threads', '1'], { env })
  const ended = new Promise((resolve) => child.on('close', resolve))
  // It runs: its journal is there.
  while (child.exitCode === null && !(await readdir(out).catch(() => [])).some((name) => name.endsWith('.journal')))
    await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGKILL')
  await ended
  for (const folder of [temporary, out])
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) {
        const path = join(file.parentPath, file.name)
        const bytes = await readFile(path)
        for (const canary of [nameCanary, 'Canary Folder']) expect([path, bytes.includes(canary)]).toEqual([path, false])
      }
})

describe('messages', () => {
  const path = '/data/Doe, Jane/2026/jd.mrxs'
  it('lose every folder, those of companions and of other roots too', () => {
    const names = new Names({ path, name: 'jd.mrxs' }, null)
    expect(names.clean('cannot read /data/Doe, Jane/2026/jd.mrxs: short')).toBe('cannot read jd.mrxs: short')
    expect(names.clean('Couldn’t open /data/Doe, Jane/2026/jd/Data0003.dat')).toBe('Couldn’t open jd/Data0003.dat')
    expect(names.clean('in /data/Doe, Jane/2026 and /data/Doe, Jane/x.dat')).toBe('in its folder and x.dat')
    expect(names.clean('see "/mnt/patients/x/y.dat" and C:\\scans\\jd\\y.dat')).toBe('see "y.dat" and y.dat')
    expect(names.clean('3 of 5 tiles at 10 µm/px, 1/2 read')).toBe('3 of 5 tiles at 10 µm/px, 1/2 read')
  })
  it('lose the name where it is hidden, and its stem, which companions carry', () => {
    const names = new Names({ path: '/data/x/case-77.mrxs', name: 'case-77.mrxs' }, 'slide-1')
    expect(names.clean('no /data/x/case-77/Index.dat beside case-77.mrxs')).toBe('no slide-1/Index.dat beside slide-1')
    const hide = nameHider('/data/x/case-77.mrxs', 'x/case-77.mrxs')
    expect(hide('x/case-77.mrxs and /data/x/case-77/Index.dat')).toBe('the slide and the slide/Index.dat')
    const both = nameHider('/data/x/case-7.svs', '/data/x/y/case-77.svs')
    expect(both('/data/x/y/case-77.svs, case-77, /data/x/y/z.dat and /data/x/y')).toBe(
      'the slide, the slide, z.dat and its folder',
    )
  })
  it('lose the names that are known by then, but for rows, which have none', () => {
    const said: string[] = []
    const say = (text: string): void => void said.push(text)
    const shown = withoutNames({ print: say, note: say, progress: say, endProgress: () => undefined })
    shown.terminal.note('case-77.svs')
    shown.know(['/data/x/case-77.svs', 'case-77.svs'])
    shown.terminal.note('/data/x/case-77.svs and case-77.svs')
    shown.rows('case-77.svs')
    expect(said).toEqual(['case-77.svs', 'the slide and the slide', 'case-77.svs'])
  })
  it('and folders have names that every system takes', () => {
    expect(folderName('../a b\u0000:c?.svs', 'he-nuclei', new Date('2026-11-22T05:06:07Z'))).toBe(
      'a-b-c_he-nuclei_20261122-050607',
    )
    expect(folderName('...', '..', new Date('2026-11-22T05:06:07Z'))).toBe('slide_slide_20261122-050607')
    expect(Buffer.byteLength(folderName('😐'.repeat(300), 'x'.repeat(300), new Date()))).toBeLessThan(255)
  })
})
