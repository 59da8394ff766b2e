// The slide's pictures as the engine sent them, kept in memory: tissue does not go to the browser's disk, and panning back must not wait.
import { LRUCache } from 'lru-cache'

export interface Picture {
  readonly blob: Blob
  /** Parts of it that the file could not give: they are drawn hatched. */
  readonly unreadable: number
  /** Why, where the engine says. */
  readonly reason: string | null
  /** n: of every n × n squares of the file one was read and stands for the others; 1: all were. */
  readonly sampledEvery: number
}

export type LoadPicture = (url: string, signal: AbortSignal) => Promise<Picture>

export class PictureCache {
  private readonly pictures: LRUCache<string, Picture>

  constructor(
    private readonly load: LoadPicture = loadPicture,
    budgetBytes = 96 * 2 ** 20,
  ) {
    this.pictures = new LRUCache({ maxSize: budgetBytes, sizeCalculation: ({ blob }) => Math.max(1, blob.size) })
  }

  async get(url: string, signal: AbortSignal): Promise<Picture> {
    const known = this.pictures.get(url)
    if (known) return known
    const picture = await this.load(url, signal)
    this.pictures.set(url, picture)
    return picture
  }

  async bitmap(url: string, signal: AbortSignal): Promise<Omit<Picture, 'blob'> & { readonly bitmap: ImageBitmap }> {
    const { blob, ...told } = await this.get(url, signal)
    return { bitmap: await createImageBitmap(blob, { colorSpaceConversion: 'none' }), ...told }
  }

  clear(): void {
    this.pictures.clear()
  }
}

export const loadPicture: LoadPicture = async (url, signal) => {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`expected a picture but received status ${response.status}`)
  return { blob: await response.blob(), ...qualityOf(response.headers) }
}

/** What a tile's answer says of parts that were not read: because they could not be, or because they are too many. */
export function qualityOf(headers: Pick<Headers, 'get'>): Omit<Picture, 'blob'> {
  const count = (name: string, otherwise: number) => {
    const value = Number(headers.get(name) ?? otherwise)
    return Number.isFinite(value) ? value : otherwise
  }
  const reason = headers.get('X-Morphoscope-Reason')
  return {
    unreadable: count('X-Morphoscope-Unreadable', 0),
    reason: reason === null ? null : decoded(reason),
    sampledEvery: count('X-Morphoscope-Sampled', 1),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
