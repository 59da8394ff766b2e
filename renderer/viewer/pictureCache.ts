// The slide's pictures as the engine sent them, kept in memory: tissue does not go to the browser's disk, and panning back must not wait.
import { LRUCache } from 'lru-cache'

export interface Picture {
  readonly blob: Blob
  /** Parts of it that the file could not give: they are drawn hatched. */
  readonly unreadable: number
  /** Why, where the engine says. */
  readonly reason: string | null
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

  clear(): void {
    this.pictures.clear()
  }
}

export const loadPicture: LoadPicture = async (url, signal) => {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`expected a picture but received status ${response.status}`)
  return { blob: await response.blob(), ...unreadableOf(response.headers) }
}

/** What a tile's answer says of parts that could not be read. */
export function unreadableOf(headers: Pick<Headers, 'get'>): { unreadable: number; reason: string | null } {
  const parts = Number(headers.get('X-Morphoscope-Unreadable') ?? 0)
  const reason = headers.get('X-Morphoscope-Reason')
  return { unreadable: Number.isFinite(parts) ? parts : 0, reason: reason === null ? null : decoded(reason) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
