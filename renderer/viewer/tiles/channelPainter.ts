// Paints the viewer's tiles of a slide of channels: their samples are loaded once, and every look is made of them in the page.
import { blend, brightnessTable, tilePaths, unpackChannelTile, type ChannelTile, type SlideInfo } from '../../../app/contract'
import { LRUCache } from 'lru-cache'
import { api } from '../../api'
import type { ChannelLook } from '../../store/slices/channelsSlice'
import type { Painted, Source } from '../osd/osdTypes'
import { qualityOf, type Picture } from './pictureCache'

export interface ChannelPicture extends Omit<Picture, 'blob'> {
  readonly tile: ChannelTile
}

export async function loadChannel(
  slideId: string,
  channel: number,
  [k, x, y]: readonly [number, number, number],
  signal: AbortSignal,
): Promise<ChannelPicture> {
  const response = await fetch(api().tileUrl(tilePaths.channel(slideId, channel, k, x, y)), { signal })
  if (!response.ok) throw new Error(`expected samples of a channel but received status ${response.status}`)
  return { tile: unpackChannelTile(await response.arrayBuffer()), ...qualityOf(response.headers) }
}

const budgetBytes = 192 * 2 ** 20

export class ChannelPainter implements NonNullable<Source['painter']> {
  private readonly tiles = new LRUCache<string, ChannelPicture>({
    maxSize: budgetBytes,
    sizeCalculation: ({ tile }) => Math.max(1, tile.samples.byteLength),
  })
  private readonly tables = new WeakMap<ChannelLook, Float32Array>()

  constructor(
    private readonly info: SlideInfo,
    readonly look: () => readonly ChannelLook[],
    private readonly load: typeof loadChannel = loadChannel,
  ) {}

  paint = async (k: number, x: number, y: number, signal: AbortSignal): Promise<Painted> => {
    const looks = this.look()
    const { tileSizePx } = this.info.viewer
    const [left, top] = [x * tileSizePx, y * tileSizePx]
    const width = Math.min(tileSizePx, Math.ceil(this.info.widthPx / 2 ** k) - left)
    const height = Math.min(tileSizePx, Math.ceil(this.info.heightPx / 2 ** k) - top)
    const shown = looks.flatMap(({ shown }, channel) => (shown ? [channel] : []))
    const pictures = await Promise.all(shown.map((channel) => this.samples(channel, [k, x, y], signal)))
    const layers = pictures.map(({ tile }, i) => {
      const channel = shown[i]!
      const look = looks[channel]!
      return { tile, table: this.tableOf(channel, look), color: look.color }
    })
    const rgba = blend(layers, { width, height, left, top })
    const worst = pictures.find(({ unreadable }) => unreadable > 0)
    return {
      bitmap: await createImageBitmap(new ImageData(rgba, width, height)),
      unreadable: pictures.reduce((sum, { unreadable }) => sum + unreadable, 0),
      reason: worst?.reason ?? null,
      sampledEvery: Math.max(1, ...pictures.map(({ sampledEvery }) => sampledEvery)),
    }
  }

  private async samples(channel: number, place: readonly [number, number, number], signal: AbortSignal): Promise<ChannelPicture> {
    const key = `${channel}/${place.join('/')}`
    const known = this.tiles.get(key)
    if (known) return known
    const picture = await this.load(this.info.slideId, channel, place, signal)
    this.tiles.set(key, picture)
    return picture
  }

  private tableOf(channel: number, look: ChannelLook): Float32Array {
    const known = this.tables.get(look)
    if (known) return known
    const table = brightnessTable(this.info.channels[channel]!, look)
    this.tables.set(look, table)
    return table
  }
}
