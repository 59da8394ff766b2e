// The export as a whole: CSV, overlay and run.json parsed back; all files or none, whatever fails; nothing that names a patient.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { exportFiles, isFolderFile, isLaser } from '../../../app/contract'
import type { ExportFile } from '../../../app/contract'
import { csvText } from '../../../main/base/csvText'
import { exportRun } from '../../../main/export/exportRun'
import type { ExportTools } from '../../../main/export/exportRun'
import type { RunResult } from '../../../main/run/objects/result'
import type { PixelRect } from '../../../main/base/rect'
import { drawn, madeRun, madeTools } from './madeRun'

let directory: string
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'morphoscope-export-'))))
afterEach(async () => await rm(directory, { recursive: true, force: true }))

const never = new AbortController().signal
/** Those of the laser are asked for with their marks (laser/laser.test.ts), and a map is made of a run (spatial/map.test.ts). */
const all = exportFiles.filter((name) => !isLaser(name) && !isFolderFile(name) && name !== 'density.ome.tif')
const write = (run: RunResult, files: ExportFile[] = all, tools: ExportTools = madeTools, to = directory) =>
  exportRun(run, { directory: to, files, overwrite: true }, tools, () => undefined, never)

/** RFC 4180, as strictly as its grammar. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let at = 0
  while (at < text.length) {
    const row: string[] = []
    for (;;) {
      const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
      field.lastIndex = at
      const match = field.exec(text)
      if (!match) throw new Error(`no CSV at ${at}`)
      at += match[0].length
      row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
      if (match[3] !== ',') break
    }
    rows.push(row)
  }
  return rows
}

describe('objects.csv', () => {
  it('has a row for every object, in µm', async () => {
    const objects = [drawn(['##', '##'], 5, 6), { ...drawn(['###']), circularity: NaN }]
    await write(madeRun({ objects, scale: 2, analysedMpp: 0.5 }), ['objects.csv'])
    const [header, first, second] = parseCsv(await readFile(join(directory, 'objects.csv'), 'utf8'))
    const row = (cells: string[]) => Object.fromEntries(header!.map((name, i) => [name, cells[i]]))
    expect(row(first!)).toMatchObject({
      id: '1',
      slide: 'slide.svs',
      centroid_x_px: '12',
      centroid_y_px: '14',
      bounds_x_px: '10',
      bounds_width_px: '4',
      area_um2: '1',
      perimeter_um: '2',
      orientation_deg: '-45',
      hematoxylin_mean_od: '0.5',
    })
    expect(row(second!)).toMatchObject({ id: '2', circularity: '' })
  })
  it('says px in the header of an uncalibrated run', async () => {
    await write(madeRun({ objects: [drawn(['##'])], analysedMpp: null, scale: 2 }), ['objects.csv'])
    const [header, row] = parseCsv(await readFile(join(directory, 'objects.csv'), 'utf8'))
    expect(row![header!.indexOf('area_px2')]).toBe('8')
  })
  it('keeps hostile names as text', async () => {
    const name = '=HYPERLINK("http://x","y"),\n\u001b[2J\u202e.svs'
    await write(madeRun({ objects: [drawn(['#'])], name }), ['objects.csv'])
    const [header, row] = parseCsv(await readFile(join(directory, 'objects.csv'), 'utf8'))
    expect(row![header!.indexOf('slide')]).toBe(`'=HYPERLINK("http://x","y"),\\u000a\\u001b[2J\\u202e.svs`)
    expect(row!.length).toBe(header!.length)
    for (const start of ['=', '+', '-', '@', '\t', '\r']) expect(csvText(`${start}1`)).toMatch(/^"?'/)
  })
})

describe('run.json', () => {
  it('says what was done, and never where the slide lay or what its label says', async () => {
    const run = madeRun({
      objects: [drawn(['#'])],
      status: { warnings: ['tile lost in /home/patients/Jane Doe 1970/slide.svs'], unreadableTiles: 1, cutObjects: 2 },
    })
    const reason = 'cannot read /home/patients/Jane Doe 1970/slide.svs'
    await write({ ...run, unreadable: [{ x: 0, y: 0, width: 1, height: 1, reason }] })
    const text = await readFile(join(directory, 'run.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      format: 'morphoscope-run',
      state: 'done',
      slide: { name: 'slide.svs', sha256: 'ab'.repeat(32), mppX: 0.25, mppSource: 'vendor' },
      region: { x: 0, y: 0, width: 64, height: 48 },
      recipe: { spec: 'he', params: { threshold: { level: 12 } } },
      resolved: { 'overview.otsu': 34 },
      counts: { objects: 1, unreadableTiles: 1, cutObjects: 2 },
      warnings: ['tile lost in slide.svs', expect.stringMatching(/bands\.csv has no rows/)],
      timings: [{ stage: 'read', device: 'cpu' }],
      versions: { app: '0.1.0', openslide: '4.0.0' },
    })
    for (const file of all) expect((await readFile(join(directory, file))).includes('Jane Doe')).toBe(false)
  })
  it('reads the slide once for its checksum', async () => {
    const sha256OfSlide = vi.fn(async () => ({ sha256: 'cd'.repeat(32) }))
    await write(madeRun({ objects: [drawn(['#'])] }), all, { ...madeTools, sha256OfSlide })
    expect(sha256OfSlide).toHaveBeenCalledTimes(1)
  })
})

describe('overlay.png', () => {
  it('shows the slide with the outlines on it', async () => {
    await write(
      madeRun({
        objects: [drawn(['####', '####', '####', '####'], 4, 4)],
        scale: 2,
        region: { x: 0, y: 0, width: 64, height: 48 },
      }),
      ['overlay.png'],
    )
    const { data, info } = await sharp(join(directory, 'overlay.png')).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([64, 48, 3])
    const at = (x: number, y: number) => [...data.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)]
    expect(at(8, 8)).toEqual([190, 255, 0])
    expect(at(12, 8)).toEqual([190, 255, 0])
    // A dark rim on either side of it.
    expect([at(7, 8), at(12, 9)]).toEqual([
      [82, 82, 82],
      [82, 82, 82],
    ])
    expect([at(6, 8), at(12, 12)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ])
    expect(at(0, 0)).toEqual([200, 200, 200])
  })
  it('is at most 4096 px long', async () => {
    const asked: number[][] = []
    const tools = {
      ...madeTools,
      readRgba: async (scale: number, { x, y, width, height }: PixelRect) => {
        asked.push([scale, x, y, width, height])
        return { rgba: new Uint8Array(width * height * 4), unreadable: 0 }
      },
    }
    await write(madeRun({ region: { x: 0, y: 8192, width: 81_920, height: 20_480 } }), ['overlay.png'], tools)
    expect(await sharp(join(directory, 'overlay.png')).metadata()).toMatchObject({ width: 4096, height: 1025 })
    expect(asked).toEqual([
      [20, 0, 409, 4096, 512],
      [20, 0, 921, 4096, 512],
      [20, 0, 1433, 4096, 1],
    ])
  })
})

describe('exportRun', () => {
  it('makes the folder, reports progress and the files', async () => {
    const seen: [string, number][] = []
    const to = join(directory, 'a', 'ü b')
    const { files } = await exportRun(
      madeRun({ objects: [drawn(['#'])] }),
      { directory: to, files: all },
      madeTools,
      (file, fraction) => seen.push([file, fraction]),
      never,
    )
    expect((await readdir(to)).sort()).toEqual([...all].sort())
    for (const file of files) expect(file.bytes).toBe((await readFile(file.path)).length)
    for (const file of all) {
      const fractions = seen.filter(([name]) => name === file).map(([, fraction]) => fraction)
      expect(fractions[0]).toBe(0)
      expect(fractions.at(-1)).toBe(1)
      expect([...fractions].sort((a, b) => a - b)).toEqual(fractions)
    }
  })

  it('gives the same bytes twice', async () => {
    const run = madeRun({
      objects: Array.from({ length: 30 }, (_, i) => drawn(['##', '.#'], i * 3, i)),
      region: { x: 0, y: 0, width: 1500, height: 1200 },
    })
    await write(run)
    const once = await Promise.all(all.map((file) => readFile(join(directory, file))))
    await write(run)
    for (const [i, file] of all.entries()) expect((await readFile(join(directory, file))).equals(once[i]!)).toBe(true)
  })

  const before = async () => {
    for (const file of all) await writeFile(join(directory, file), 'old')
  }
  const untouched = async () => {
    expect((await readdir(directory)).sort()).toEqual([...all].sort())
    for (const file of all) expect(await readFile(join(directory, file), 'utf8')).toBe('old')
  }

  it('leaves the old files where the last file fails', async () => {
    await before()
    const tools: ExportTools = { ...madeTools, readRgba: () => Promise.reject(new Error('slide gone')) }
    await expect(
      write(madeRun({ objects: [drawn(['#'])] }), ['objects.csv', 'labels.ome.tif', 'overlay.png'], tools),
    ).rejects.toThrow('slide gone')
    await untouched()
  })

  it('leaves the old files and no new folder where it is cancelled', async () => {
    await before()
    for (const file of all) {
      const controller = new AbortController()
      const to = join(directory, 'new', 'deep')
      const cancelled = exportRun(
        madeRun({ objects: [drawn(['#'])] }),
        { directory: to, files: all, overwrite: true },
        madeTools,
        (name) => name === file && controller.abort(),
        controller.signal,
      )
      await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    }
    await untouched()
  })

  it('names the file and the reason where a folder stands in the way', async () => {
    await mkdir(join(directory, 'objects.csv'))
    await expect(write(madeRun(), ['run.json', 'objects.csv'])).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/objects\.csv.*EISDIR/) as unknown,
    })
    expect(await readdir(directory)).toEqual(['objects.csv'])
  })

  it('names the folder where a file stands in its place', async () => {
    await writeFile(join(directory, 'file'), '')
    await expect(write(madeRun(), all, madeTools, join(directory, 'file'))).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/EEXIST|ENOTDIR/) as unknown,
    })
    await expect(write(madeRun(), all, madeTools, join(directory, 'file', 'deeper'))).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/ENOTDIR/) as unknown,
    })
  })

  it('says so where it may not write', async (context) => {
    context.skip(process.getuid?.() === 0, 'root may write everywhere')
    await chmod(directory, 0o500)
    await expect(write(madeRun())).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/EACCES/) as unknown,
    })
    await chmod(directory, 0o700)
  })
})
