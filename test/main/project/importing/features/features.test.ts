// Features read in a thread of their own: what it packs is what it was given, a file's bytes say what its text says, and what breaks ends in words.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureThread } from '../../../../../main/project/importing/features/aside'
import type { Outline } from '../../../../../main/project/importing/features/outline'
import { mostNames, objectsOf, Packer } from '../../../../../main/project/importing/features/packed'
import type { Pack } from '../../../../../main/project/importing/features/packed'

const ring = fc.array(fc.double({ noNaN: true }), { minLength: 2, maxLength: 8 }).map((places) => Float64Array.from(places))
const outline = fc.record({
  parts: fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  lessened: fc.boolean(),
})
const found = fc.oneof(outline, fc.constantFrom('lies beyond', 'has no geometry'))
const object = fc.record({
  outline: found,
  // A cell's own that lacks parts is not told of.
  cell: fc.option(found.map((own) => (typeof own === 'string' ? own : { ...own, lessened: false }))),
  name: fc.constantFrom('', 'Tumor', '__proto__', 'é'),
})

it('packs give back what was packed, in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(object, { maxLength: 6 })), (packs) => {
      const packer = new Packer()
      const names: string[] = []
      for (const objects of packs) {
        for (const { outline: given, cell, name } of objects) packer.object(given, cell, name, '#000000')
        const pack = structuredClone(packer.take())
        names.push(...pack.newClasses.map((each) => each.name))
        const back = [...objectsOf(pack)].map(({ classAt, ...rest }) => ({
          ...rest,
          name: classAt === 0 ? '' : names[classAt - 1],
        }))
        expect(back).toEqual(objects)
      }
    }),
  )
})

it('a large outline has room, and names beyond the most are said to be', () => {
  const packer = new Packer()
  const large: Outline = { parts: [[Float64Array.from({ length: 2_000_000 }, (_, i) => i)]], lessened: false }
  packer.object(large, null, '', '')
  expect(packer.isFull).toBe(true)
  expect([...objectsOf(packer.take())][0]!.outline).toEqual(large)
  for (let i = 0; i < mostNames + 5; i++) packer.object('why', null, `c${i}`, '')
  const pack = packer.take()
  expect(pack.newClasses.length).toBe(mostNames - 1)
  expect([...objectsOf(pack)].slice(-7).map(({ classAt }) => classAt)).toEqual([mostNames - 1, -1, -1, -1, -1, -1, -1])
})

describe('the thread', () => {
  const features = ['Ünï', '日本', '𝒳', 'plain'].map((name, i) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [[[i, 0], [i + 9, 0], [i, 9.5]]] }, // prettier-ignore
    properties: i === 3 ? { name } : { objectType: 'cell', classification: { name }, measurements: { 'Area µm²': 1 } },
  }))
  const text = JSON.stringify({ type: 'FeatureCollection', features })

  async function read(parts: readonly string[], isBytes: boolean): Promise<Pack[]> {
    const thread = new FeatureThread({ unsaid: 'regions', corner: { x: 100, y: 0 }, isBytes })
    const packs: Pack[] = []
    try {
      for (const part of parts) for await (const pack of thread.take(part)) packs.push(pack)
      for await (const pack of thread.end()) packs.push(pack)
    } finally {
      await thread.dispose()
    }
    return packs
  }
  const cut = (whole: string, length: number): string[] => whole.match(new RegExp(`[^]{1,${length}}`, 'g'))!
  const said = (packs: readonly Pack[]) => ({
    objects: packs.flatMap((pack) => [...objectsOf(pack)]),
    names: packs.flatMap(({ newClasses }) => newClasses.map(({ name }) => name)),
    regions: packs.flatMap(({ regions }) => regions),
  })

  it('reads the same of bytes and of text, wherever the parts are cut', async () => {
    const bytes = Buffer.from(text, 'utf8').toString('latin1')
    const wanted = {
      names: ['Ünï', '日本', '𝒳'],
      regions: [JSON.stringify(features[3])],
      objects: [0, 1, 2].map((i) => ({
        outline: { parts: [[Float64Array.of(100 + i, 0, 109 + i, 0, 100 + i, 9.5)]], lessened: false },
        ...{ cell: null, classAt: i + 1 },
      })),
    }
    for (const length of [7, 64, 1 << 16]) {
      expect(said(await read(cut(text, length), false))).toEqual(wanted)
      expect(said(await read(cut(bytes, length), true))).toEqual(wanted)
    }
  })

  it('says what is no GeoJSON, and ends', async () => {
    await expect(read([text.slice(0, 200)], false)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
    await expect(read(['{"type":"Point"}', 'more'], true)).rejects.toThrow('expected a FeatureCollection')
  })

  it('hears that nobody waits any more', async () => {
    const thread = new FeatureThread({ unsaid: 'objects', corner: null, isBytes: true })
    const rest = (async () => {
      for await (const pack of thread.end()) expect(pack).toBeDefined()
    })()
    await thread.dispose()
    await expect(rest).rejects.toThrow()
  })
})
