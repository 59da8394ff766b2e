// A slide of three channels on the command line: which are there and which is analysed stands in `info` and in run.json.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deepTiff } from '../../../main/slide/deepTiff'
import type { DeepPage } from '../../../main/slide/deepTiff'
import { cli } from '../inProcess'

const side = 400
/** Round nuclei 50 px apart, so bright in 12 bits of 16. */
const nucleus = (i: number): boolean => Math.hypot(((i % side) % 50) - 25, (Math.floor(i / side) % 50) - 25) < 9
const page = (value: (i: number) => number, description?: string): DeepPage => ({
  ...{ width: side, height: side, samples: 1, bits: 16, format: 'uint', tilePx: 128, compression: 'deflate' },
  values: Array.from({ length: side * side }, (_, i) => value(i)),
  ...(description !== undefined && { description }),
})

it('says in info and in run.json what is analysed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'morphoscope-channels-cli-'))
  try {
    const slide = join(folder, 'a.ome.tif')
    const channels = ['CD8', 'DAPI', 'PanCK'].map((name, c) => `<Channel ID="Channel:0:${c}" Name="${name}"/>`).join('')
    const xml = `<?xml version="1.0"?><OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${side}" SizeY="${side}" SizeC="3" SizeZ="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.5">${channels}<TiffData/></Pixels></Image></OME>`
    const pages = [page((i) => i % 7, xml), page((i) => (nucleus(i) ? 3000 : 60)), page(() => 9)]
    await writeFile(slide, deepTiff(pages))
    const about = await cli('info', slide)
    expect(about.out).toMatch(/channels +CD8 \(uint16, 0 to 6; measured\), DAPI \(uint16, 0 to 3000; analysed\), PanCK/)
    expect(about.err).toContain('"DAPI" is analysed; objects are measured in all of them.')
    const out = join(folder, 'out')
    const run = await cli('run', slide, '--recipe', 'fluorescence-nuclei', '--out', out, '--threads', '1')
    expect(run.err).toContain('0 to 3000, all that it holds, were taken as 0 to 255')
    expect(run.code).toBe(0)
    const { slide: said, counts } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8')) as {
      slide: { channels: unknown }
      counts: { objects: number }
    }
    expect(said.channels).toMatchObject([
      { name: 'CD8', shown: 'no' },
      { name: 'DAPI', type: 'uint16', low: 0, high: 3000, shown: 'gray' },
      { name: 'PanCK', shown: 'no' },
    ])
    expect(counts.objects).toBe(64)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
