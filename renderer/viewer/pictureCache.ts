// The slide's pictures as the engine sent them, kept in memory: tissue does not go to the browser's disk, and panning back must not wait.

export interface Picture {
  readonly blob: Blob
  /** Parts of it that the file could not give: they are drawn hatched. */
  readonly unreadable: number
  /** Why, where the engine says. */
  readonly reason: string | null
}

export type LoadPicture = (url: string, signal: AbortSignal) => Promise<Picture>

export class PictureCache {
  private readonly pictures = new Map<string, Picture>()
  private bytes = 0

  constructor(
    private readonly load: LoadPicture = loadPicture,
    private readonly budgetBytes = 96 * 2 ** 20,
  ) {}

  async get(url: string, signal: AbortSignal): Promise<Picture> {
    const known = this.pictures.get(url)
    if (known) {
      // Moved to the end: what was looked at last is forgotten last.
      this.pictures.delete(url)
      this.pictures.set(url, known)
      return known
    }
    const picture = await this.load(url, signal)
    this.keep(url, picture)
    return picture
  }

  clear(): void {
    this.pictures.clear()
    this.bytes = 0
  }

  private keep(url: string, picture: Picture): void {
    // Two may have asked at once: the viewer and its overview.
    if (this.pictures.has(url)) return
    this.pictures.set(url, picture)
    this.bytes += picture.blob.size
    for (const [oldest, { blob }] of this.pictures) {
      if (this.bytes <= this.budgetBytes || oldest === url) break
      this.pictures.delete(oldest)
      this.bytes -= blob.size
    }
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
