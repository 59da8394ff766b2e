// Result tiles by fetch: what is asked for in one go is loaded by a few requests, as each costs its way through two processes.
import { sameSheet, tilePaths, unpackTile, unpackTiles } from '../../../app/contract'
import { api } from '../../api'
import { LoadedTile, type LoadTile } from './tileCache'

/** The engine does not have what the address names: its run may have been let go. */
export class TileGone extends Error {}

interface TileRequest {
  readonly path: string
  readonly signal: AbortSignal
  readonly resolve: (tile: LoadedTile | null) => void
  readonly reject: (error: unknown) => void
}

/** What is nearest to where the user looks does not wait for much else. */
const firstTiles = 2
/** At most severalTiles, which the engine answers. */
const tilesATime = 8

async function bytesAt(path: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(api().tileUrl(path), { signal })
  if (response.status === 204) return new ArrayBuffer(0)
  if (response.status === 404) throw new TileGone(`expected a tile but there is none at ${path}`)
  if (!response.ok) throw new Error(`expected a tile but received status ${response.status}`)
  return response.arrayBuffer()
}

async function loadTogether(asked: readonly TileRequest[]): Promise<void> {
  const abort = new AbortController()
  let waiting = asked.length
  for (const { signal, reject } of asked)
    signal.addEventListener('abort', () => {
      reject(signal.reason)
      if (--waiting === 0) abort.abort()
    })
  try {
    const paths = asked.map(({ path }) => path)
    const bytes = await bytesAt(tilePaths.several(paths), abort.signal)
    const bodies = asked.length === 1 ? [bytes] : unpackTiles(bytes, asked.length)
    asked.forEach(({ path, resolve, reject }, i) => {
      const body = bodies[i]
      if (!body) return reject(new Error(`expected a tile but it could not be made: ${path}`))
      try {
        resolve(body.byteLength === 0 ? null : new LoadedTile(unpackTile(body)))
      } catch (error) {
        reject(error)
      }
    })
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

/** Each tile by its path (tilePaths): an answer without content is an empty tile; where the run is gone, what was loaded before stays. */
export function tileLoader(): LoadTile<LoadedTile> {
  let asked: TileRequest[] = []
  const send = (): void => {
    const sheets = new Map<string, TileRequest[]>()
    for (const each of asked) {
      if (each.signal.aborted) {
        each.reject(each.signal.reason)
        continue
      }
      const sheet = sameSheet(each.path) ?? each.path
      sheets.set(sheet, [...(sheets.get(sheet) ?? []), each])
    }
    asked = []
    for (const sheet of sheets.values()) {
      for (let at = 0; at < sheet.length;) {
        const next = sheet.slice(at, at + (at === 0 ? firstTiles : tilesATime))
        at += next.length
        void loadTogether(next)
      }
    }
  }
  return (path, signal) =>
    new Promise((resolve, reject) => {
      // Later than what the answers before make others ask for.
      if (asked.length === 0) queueMicrotask(send)
      asked.push({ path, signal, resolve, reject })
    })
}
