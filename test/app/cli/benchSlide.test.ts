// `morphoscope bench --slide`: every part of the whole path has a figure of its own on the bundled slide, and one of them binds.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ExitCode } from '../../../app/cli/exitCodes'
import { isLaser, writableExportFiles } from '../../../app/contract'
import { threeChannels } from '../../main/slide/threeChannels'
import { dataFolder } from '../../native/pixels'
import { cli } from './inProcess'

const sample = fileURLToPath(new URL('../../../assets/samples/CMU-1-Small-Region.svs', import.meta.url))

interface Part {
  name: string
  kind: string
  megapixels: number
  ms: number
  megapixelsPerSecond: number
  ofWholeMs?: number
}

it('measures floors, parts, stages and files, and says which binds', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('morphoscope-bench-'))
  const { code, out } = await cli('bench', '--slide', sample, '--threads', '2', '--json')
  expect(code).toBe(0)
  const told = JSON.parse(out) as { slide: string; threads: number; parts: Part[]; binds: string }
  expect([told.slide, told.threads]).toEqual([sample, 2])
  const names = (kind: string): string[] => told.parts.filter((part) => part.kind === kind).map(({ name }) => name)
  expect(names('floor')).toEqual(['memcpy', 'file', 'libjpeg-turbo'])
  expect(names('part')).toEqual(['decode', 'read', 'resample', 'outline'])
  expect(names('stage')).toEqual(['read', 'channel', 'threshold', 'distance', 'split', 'objects', 'measure'])
  expect(names('export')).toEqual(writableExportFiles(false).filter((each) => !isLaser(each)))
  expect(names('together')).toEqual(['analysis', 'together'])
  for (const part of told.parts) {
    expect([part.name, part.megapixels > 0, part.ms > 0]).toEqual([part.name, true, true])
    expect(part.megapixelsPerSecond).toBeCloseTo((part.megapixels * 1000) / part.ms, 6)
  }
  // The shares are those of the whole, and the one that binds has the largest.
  const together = told.parts.at(-1)!
  const shares = told.parts.filter(({ ofWholeMs }) => ofWholeMs !== undefined)
  expect(shares.reduce((sum, { ofWholeMs }) => sum + ofWholeMs!, 0)).toBeCloseTo(together.ms, 3)
  expect(told.binds).toBe(shares.sort((a, b) => b.ofWholeMs! - a.ofWholeMs!)[0]!.name)
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('morphoscope-bench-'))).toEqual(before)
})

it('says it as a table too, and refuses what it does not know', async () => {
  const { code, out } = await cli('bench', '--slide', sample, '--recipe', 'max-tree-nuclei', '--threads', '1')
  expect(code).toBe(0)
  const lines = out.split('\n')
  expect(lines[0]).toMatch(/^ +part +Mpx\/s +threads +of the whole$/)
  expect(lines.filter((line) => /^(floor|part|stage|export|together) +\S+ +\d+\.\d +\d+/.test(line))).toHaveLength(
    lines.length - 2,
  )
  expect(lines.at(-1)).toMatch(/^binds: \S+, \d+ % of the whole$/)
  expect((await cli('bench', '--slide', sample, '--recipe', 'nobody')).code).toBe(ExitCode.usage)
  expect((await cli('bench', '--slide', sample, '--threads', '0')).code).toBe(ExitCode.usage)
  expect((await cli('bench', '--slide', `${sample}.not`)).code).toBe(ExitCode.noInput)
})

const dicom = join(dataFolder() ?? '', 'formats', 'dicom-cmu-1-small-region')
const floorsOf = async (slide: string): Promise<string[]> => {
  const { code, out, err } = await cli('bench', '--slide', slide, '--mpp', '0.5', '--threads', '1', '--json')
  expect([code, err]).toEqual([0, expect.not.stringContaining('error') as string])
  return (JSON.parse(out) as { parts: Part[] }).parts.filter(({ kind }) => kind === 'floor').map(({ name }) => name)
}

it.skipIf(!existsSync(dicom))('has the floor of a DICOM slide, by its folder and by a file of it (../shared/data)', async () => {
  expect(await floorsOf(dicom)).toEqual(['memcpy', 'file', 'libjpeg-turbo'])
  expect(await floorsOf(join(dicom, readdirSync(dicom).sort()[0]!))).toEqual(['memcpy', 'file', 'libjpeg-turbo'])
})

it('has the floor of a slide of Deflate tiles', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'morphoscope-floors-'))
  try {
    expect(await floorsOf(await threeChannels(join(folder, 'three.ome.tif'), 600))).toEqual(['memcpy', 'file', 'zlib'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
