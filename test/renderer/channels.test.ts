// Channels as the page shows them: contrast, colour, blend, Auto, and that a look costs no request.
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  blend,
  brightnessTable,
  firstLooks,
  packChannelTile,
  sampleScale,
  unpackChannelTile,
  type ChannelTile,
  type SlideChannel,
  type SlideInfo,
} from '../../app/contract'
import { histogramOf, looksOf, noChannels, withLook, type ChannelLook } from '../../renderer/store/slices/channelsSlice'
import { channelsSeen, resetChannels, setLook } from '../../renderer/store/slide/channelActions'
import { firstState, getState, patch, useStore } from '../../renderer/store/store'
import { ChannelPainter } from '../../renderer/viewer/tiles/channelPainter'
import { shownLegends } from '../../renderer/viewer/legends/shownLegends'

const channel = (name: string, part: Partial<SlideChannel> = {}): SlideChannel => ({
  ...{ name, color: null, type: 'uint16', low: 0, high: 65535, shown: 'no' },
  ...part,
})
const tile = (samples: readonly number[], holes: ChannelTile['holes'] = []): ChannelTile => ({
  ...{ width: samples.length, height: 1, samples: Uint16Array.from(samples), holes },
})
const look = (part: Partial<ChannelLook>): ChannelLook => ({
  ...{ shown: true, color: '#ffffff', low: 0, high: 100, gamma: 1 },
  ...part,
})
const slide = (...channels: SlideChannel[]): SlideInfo =>
  ({ slideId: 's1-abcdef', path: '/a.tif', channels, widthPx: 4, heightPx: 1, viewer: { tileSizePx: 256, maxLevel: 0 } }) as never

describe('a tile of a channel', () => {
  it('is what was packed, at 8 and 16 bits, with its holes', () => {
    const deep = tile([1, 300, 65535], [{ x: 1, y: 0, width: 2, height: 1 }])
    expect(unpackChannelTile(packChannelTile(deep).buffer)).toEqual(deep)
    const flat = { ...tile([]), width: 3, samples: Uint8Array.of(1, 2, 255) }
    expect(unpackChannelTile(packChannelTile(flat).buffer)).toEqual(flat)
  })
  it('is refused where it is cut short or something else', () => {
    const bytes = packChannelTile(tile([1, 2, 3]))
    for (const broken of [bytes.slice(0, -1), bytes.slice(0, 7), bytes.slice(4), new Uint8Array(0)])
      expect(() => unpackChannelTile(broken.slice().buffer)).toThrow(/tile of a channel/)
  })
  it('has the file’s own units', () => {
    expect(sampleScale(channel('a', { type: 'int16' }))).toEqual({ first: -32768, step: 1, most: 65535 })
    const { first, step, most } = sampleScale(channel('a', { type: 'float32', low: -1, high: 3 }))
    expect(first + step * most).toBeCloseTo(3, 10)
  })
})

describe('a blend', () => {
  const place = { width: 3, height: 1, left: 0, top: 0 }
  const paint = (samples: readonly number[], part: Partial<ChannelLook>) => ({
    ...{ tile: tile(samples), table: brightnessTable(channel('a'), look(part)), color: part.color ?? '#ffffff' },
  })
  it('adds the channels’ colours, each over its own contrast, up to white', () => {
    const red = paint([0, 50, 200], { color: '#ff0000' })
    const green = paint([10, 10, 30], { color: '#00ff00', low: 10, high: 20 })
    expect([...blend([red, green], place)]).toEqual([0, 0, 0, 255, 128, 0, 0, 255, 255, 255, 0, 255])
    expect([...blend([red, red], place)].slice(4, 8)).toEqual([255, 0, 0, 255])
    expect([...blend([], place)]).toEqual([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
  })
  it('bends by gamma, and leaves its ends', () => {
    const table = brightnessTable(channel('a'), look({ gamma: 0.5 }))
    expect([table[0], table[25], table[100], table[200]]).toEqual([0, 0.5, 1, 1])
  })
  it('hatches what could not be read', () => {
    const holed = { ...paint([0, 0, 0], {}), tile: tile([0, 0, 0], [{ x: 1, y: 0, width: 2, height: 1 }]) }
    expect([...blend([holed], place)]).toEqual([0, 0, 0, 255, 150, 150, 150, 255, 150, 150, 150, 255])
  })
})

describe('looks', () => {
  it('begin with the file’s colours, nuclei blue, and others apart', () => {
    const looks = firstLooks(
      slide(channel('DAPI', { shown: 'gray' }), channel('CD8'), channel('PanCK'), channel('x', { color: '#123456' })),
    )
    expect(looks.map(({ color }) => color)).toEqual(['#0040ff', '#00ff00', '#ff0000', '#123456'])
    expect(firstLooks(slide(channel('DAPI')))[0]!.color).toBe('#ffffff')
    const many = firstLooks(slide(...Array.from({ length: 40 }, (_, i) => channel(`M${i}`, i === 30 ? { shown: 'gray' } : {}))))
    expect(many.flatMap(({ shown }, i) => (shown ? [i] : []))).toEqual([0, 1, 2, 3, 4, 5, 30])
  })
  it('change one channel, and stay by the slide’s path', () => {
    const info = slide(channel('DAPI'), channel('CD8'))
    const state = withLook(noChannels, info, 1, { high: 7 })
    expect(looksOf(state, { ...info, slideId: 's2-abcdef' }).map(({ high }) => high)).toEqual([65535, 7])
    expect(looksOf(noChannels, info)).toBe(looksOf(noChannels, info))
  })
  it('have an Auto that leaves out a few at either end, and holds a few bright ones on nothing', () => {
    const even = histogramOf(tile(Array.from({ length: 1000 }, (_, i) => i)), channel('a', { high: 999 }))!
    expect([even.low, even.high]).toEqual([10, 998])
    expect(even.counts.reduce((sum, count) => sum + count)).toBe(1000)
    const sparse = histogramOf(tile([...Array.from({ length: 999 }, () => 0), 500]), channel('a', { high: 500 }))!
    expect([sparse.low, sparse.high]).toEqual([0, 500])
    expect(histogramOf(tile([]), channel('a'))).toBeNull()
  })
})

describe('an overview that was read', () => {
  it('sets the contrast that nobody has set, of a slide that is new', async () => {
    vi.useFakeTimers()
    useStore.setState(firstState, true)
    const info = slide(channel('DAPI'), channel('CD8'), channel('torn'))
    patch('slide', { info })
    const read = (of: number) => (of === 2 ? Promise.reject(new Error('torn')) : Promise.resolve(tile([10, 20, 30])))
    const seen = channelsSeen(info, read)
    setLook(1, { high: 7 })
    await seen
    const contrasts = () => looksOf(getState().channels, info).map(({ low, high }) => [low, high])
    expect(contrasts()).toEqual([
      [10, 30],
      [0, 7],
      [0, 65535],
    ])
    setLook(0, { low: 12 })
    await channelsSeen({ ...info, slideId: 's2-abcdef' }, read)
    expect(contrasts()).toEqual([
      [12, 30],
      [0, 7],
      [0, 65535],
    ])
    resetChannels()
    expect(contrasts()).toEqual([
      [10, 30],
      [10, 30],
      [0, 65535],
    ])
    // What waits to be kept would ask an engine that is not here.
    vi.useRealTimers()
  })
})

describe('the legend in a picture of the view', () => {
  it('has the channels that are shown, with their colours and contrasts; none where one is shown alone in grey', () => {
    const info = slide(channel('DAPI', { shown: 'gray', high: 4080 }), channel('CD8'), channel('PanCK', { color: '#123456' }))
    const channels = withLook(noChannels, info, 1, { shown: false })
    const state = { ...firstState, slide: { ...firstState.slide, info }, channels }
    expect(shownLegends(state)).toEqual([
      {
        title: 'Channels',
        rows: [
          { label: 'DAPI, 0 to 4\u202f080', colour: '#0040ff' },
          { label: 'PanCK, 0 to 65\u202f535', colour: '#123456' },
        ],
      },
    ])
    expect(shownLegends({ ...state, ui: { ...state.ui, layer: 'stain:0' } })).toEqual([])
    const picture = slide(channel('r', { shown: 'red' }), channel('g', { shown: 'green' }), channel('b', { shown: 'blue' }))
    expect(shownLegends({ ...state, slide: { ...firstState.slide, info: picture } })).toEqual([])
  })
})

describe('a painter', () => {
  afterEach(() => vi.unstubAllGlobals())
  it('loads the samples of visible channels once, whatever their looks become', async () => {
    // Of the browser: what it is given is what it would draw.
    vi.stubGlobal(
      'ImageData',
      class {
        constructor(readonly data: Uint8ClampedArray) {}
      },
    )
    vi.stubGlobal('createImageBitmap', async ({ data }: { data: Uint8ClampedArray }) => [...data])
    const info = slide(channel('DAPI'), channel('CD8'))
    let looks: readonly ChannelLook[] = [look({ color: '#0000ff' }), look({ shown: false, color: '#00ff00' })]
    const asked: number[] = []
    const painter = new ChannelPainter(
      info,
      () => looks,
      async (_, of) => {
        asked.push(of)
        return { tile: tile([0, 50, 100, 200]), unreadable: of, reason: of ? 'torn' : null, sampledEvery: 1 }
      },
    )
    const paint = () => painter.paint(0, 0, 0, new AbortController().signal)
    expect((await paint()).bitmap).toEqual([0, 0, 0, 255, 0, 0, 128, 255, 0, 0, 255, 255, 0, 0, 255, 255])
    looks = [look({ color: '#0000ff', high: 200 }), looks[1]!]
    expect((await paint()).bitmap).toEqual([0, 0, 0, 255, 0, 0, 64, 255, 0, 0, 128, 255, 0, 0, 255, 255])
    expect(asked).toEqual([0])
    looks = [looks[0]!, { ...looks[1]!, shown: true }]
    expect(await paint()).toMatchObject({ unreadable: 1, reason: 'torn' })
    expect(asked).toEqual([0, 1])
  })
})
