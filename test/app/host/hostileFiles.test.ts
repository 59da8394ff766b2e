// Files that claim too much, opened in the real engine's own process: each has a clear answer, and the engine lives on.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppEvent } from '../../../app/contract'
import { EngineClient } from '../../../app/host/parent/engineClient'
import { forkEngine } from '../../../app/host/parent/forkEngine'
import { jpegClaiming, refusedFiles, tiff } from '../../hostileFiles'
import { dataFolder } from '../../native/pixels'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const sample = join(root, 'assets/samples/CMU-1-Small-Region.svs')
const isBuilt = existsSync(join(root, 'dist', 'engine.mjs'))

describe.skipIf(!isBuilt)('files that claim too much (needs npm run build:ts)', () => {
  let directory: string
  let engine: EngineClient
  const lost: AppEvent[] = []
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'morphoscope-hostile-'))
    engine = new EngineClient({
      spawn: () => forkEngine(join(root, 'dist/engine.mjs')),
      settings: { settingsDir: directory, assetsDir: join(root, 'assets'), version: '0', shell: 'serve', dialogs: false },
    })
    engine.onEvent((event) => {
      if (event.type === 'engine:lost') lost.push(event)
    })
  })
  afterAll(async () => {
    await engine.close()
    await rm(directory, { recursive: true })
  })

  const write = async (name: string, bytes: Uint8Array): Promise<string> => {
    const path = join(directory, name)
    await writeFile(path, bytes)
    return path
  }
  const open = async (path: string) => {
    const slide = await engine.call('slide:open', { path })
    if (!slide.ok) expect.fail(slide.error.message)
    return slide.value
  }
  /** The engine that was there at the beginning still is, and works. */
  const alive = async (): Promise<void> => {
    expect(lost).toEqual([])
    const { slideId } = await open(sample)
    expect((await engine.tile(`/tile/slide/${slideId}/0/0_0`)).status).toBe(200)
  }

  it.each(refusedFiles())('$name is refused by field and value', async ({ name, bytes, says }) => {
    const path = await write(name, bytes)
    const answer = await engine.call('slide:open', { path })
    expect(answer).toMatchObject({ ok: false, error: { code: 'SLIDE_UNREADABLE' } })
    if (!answer.ok) {
      expect(answer.error.message).toContain(path)
      expect(answer.error.message).toMatch(says)
    }
    await alive()
  })

  it('refuses a progressive JPEG for what its decoder would hold', async () => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a06080' } })
    const path = await write(
      'progressive.jpg',
      jpegClaiming(await picture.jpeg({ progressive: true }).toBuffer(), 11_000, 11_000),
    )
    const answer = await engine.call('slide:open', { path })
    expect(answer.ok ? 'opened' : answer.error.message).toMatch(/progressive JPEG of 11000 × 11000 px, needs .* MiB/)
    await alive()
  })

  it('does not hold the coefficients of a tile that claims to be 65500 px a side', async () => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a06080' } })
    const tile = jpegClaiming(await picture.jpeg({ progressive: true }).toBuffer(), 65_500, 65_500)
    const bytes = tiff({ width: 320, height: 320, tileWidth: 64, tileHeight: 64, tiles: 25, tile, compression: 7 })
    const { slideId } = await open(await write('progressive.tif', bytes))
    const { status, headers } = await engine.tile(`/tile/slide/${slideId}/0/0_0`)
    expect([status, Number(headers['X-Morphoscope-Unreadable']) > 0]).toEqual([200, true])
    // libjpeg's own words where its memory is limited.
    expect(decodeURIComponent(headers['X-Morphoscope-Reason'] ?? '')).toMatch(/backing store|memory/i)
    await alive()
  })

  it('takes a tile of absurd length for unreadable, and the rest of the slide for what it is', async () => {
    const tile = deflateSync(Buffer.alloc(64 * 64 * 3, 200))
    const bytes = tiff({ width: 320, height: 320, tileWidth: 64, tileHeight: 64, tiles: 25, tile })
    // The last entry of the table of lengths lies right before the directory.
    bytes.writeUInt32LE(0xf000_0000, bytes.readUInt32LE(4) - 4)
    const { slideId } = await open(await write('length.tif', bytes))
    const good = await engine.tile(`/tile/slide/${slideId}/0/0_0`)
    expect([good.status, good.headers['X-Morphoscope-Unreadable']]).toEqual([200, undefined])
    const bad = await engine.tile(`/tile/slide/${slideId}/0/1_1`)
    expect([bad.status, bad.headers['X-Morphoscope-Unreadable']]).toEqual([200, '1'])
    expect(decodeURIComponent(bad.headers['X-Morphoscope-Reason'] ?? '')).toMatch(/states 4026531840 bytes for this tile/)
    await alive()
  })

  it('samples the coarse tiles of a slide without small levels, so that its overview comes soon', async () => {
    const side = 20_000
    const tiles = Math.ceil(side / 256) ** 2
    const { slideId, viewer } = await open(
      await write('single-level.tif', tiff({ width: side, height: side, tileWidth: 256, tileHeight: 256, tiles })),
    )
    const overview = await engine.tile(`/tile/slide/${slideId}/${viewer.maxLevel}/0_0`)
    expect(overview.status).toBe(200)
    expect(Number(overview.headers['X-Morphoscope-Sampled'])).toBeGreaterThan(1)
    expect(overview.headers['X-Morphoscope-Unreadable']).toBeUndefined()
    const { dominant } = await sharp(overview.body).stats()
    expect(Math.abs(dominant.r - 200)).toBeLessThan(10)
    const fine = await engine.tile(`/tile/slide/${slideId}/2/3_3`)
    expect([fine.status, fine.headers['X-Morphoscope-Sampled']]).toEqual([200, undefined])
    await alive()
  })

  it('ends the command line with code 65 and a message', async () => {
    const { name, bytes, says } = refusedFiles()[0]!
    const path = await write(name, bytes)
    const ended = await new Promise<{ code: unknown; err: string }>((resolve) =>
      execFile(process.execPath, [join(root, 'app/cli/morphoscope.cjs'), 'info', path], (error, _out, err) =>
        resolve({ code: error?.code ?? 0, err }),
      ),
    )
    expect(ended.code).toBe(65)
    expect(ended.err).toMatch(says)
  })

  const hostile = join(dataFolder() ?? '', 'broken', 'hostile')
  it.skipIf(!existsSync(hostile))('answers each file that ended or starved it once (../shared/data/broken/hostile)', async () => {
    for (const name of ['168-ome.tif', '799-svs-tiny.svs', 'bomb8.png', 'dims-1000000.tif']) {
      const answer = await engine.call('slide:open', { path: join(hostile, name) })
      expect(answer, name).toMatchObject({ ok: false, error: { code: 'SLIDE_UNREADABLE' } })
    }
    const { slideId, viewer, widthPx } = await open(join(hostile, 'scn-2M.scn'))
    expect(widthPx).toBe(2_004_009)
    for (const k of [viewer.maxLevel, viewer.maxLevel - 1]) {
      const tile = await engine.tile(`/tile/slide/${slideId}/${k}/0_0`)
      expect([tile.status, Number(tile.headers['X-Morphoscope-Sampled']) > 1], `level ${k}`).toEqual([200, true])
    }
    await alive()
  })
})
