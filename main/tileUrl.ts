// Reads tile URLs: whatever is not exactly of a known form is refused before anything else looks at it.
import { severalTiles } from '../app/contract'

interface At {
  k: number
  x: number
  y: number
}
type ResultRequest =
  | ({ kind: 'objects'; runId: string } & At)
  | ({ kind: 'density'; runId: string } & At)
  | ({ kind: 'layer'; runId: string; layer: string } & At)
export type TileRequest =
  | ResultRequest
  | { kind: 'several'; tiles: ResultRequest[] }
  | ({ kind: 'slide' | 'converted'; slideId: string } & At)
  | ({ kind: 'stain'; slideId: string; stains: string; channel: 0 | 1 | 2 } & At)
  | ({ kind: 'channel'; slideId: string; channel: number } & At)
  | ({ kind: 'compared'; plane: 'objects' | 'density'; comparison: number } & At)
  | { kind: 'cuts'; slideId: string; cutsId: number }
  | { kind: 'table'; runId: string; view: number; first: number }
  | { kind: 'tabletext'; runId: string; view: number; first: number; columns: string[] }
  | { kind: 'tableparquet'; runId: string; view: number; columns: string[] }
  | { kind: 'scatter'; runId: string; view: number; columns: [string, string]; log: [boolean, boolean] }
  | { kind: 'recent'; picture: string }
  | { kind: 'thumbnail'; key: string }
  | { kind: 'associated'; slideId: string; name: string }

const maxUrlLength = 2048
const slideId = 's[0-9]{1,9}-[a-z0-9]{6,20}'
const runId = 'r[0-9]{1,9}-[a-z0-9]{6,20}'
// No slide has more than 2^40 px, so no pyramid has more than 40 levels.
const at = '([0-9]{1,2})/([0-9]{1,9})_([0-9]{1,9})'
const word = '[A-Za-z0-9-]{1,64}'
const key = '[A-Za-z][A-Za-z0-9]{0,31}'
const patterns = {
  slide: new RegExp(`^/tile/(slide|converted)/(${slideId})/${at}$`),
  stain: new RegExp(`^/tile/stain/(${slideId})/(${word})/([0-2])/${at}$`),
  channel: new RegExp(`^/tile/channel/(${slideId})/([0-9]{1,5})/${at}$`),
  result: new RegExp(`^/tile/(objects|density)/(${runId})/[0-9]{1,15}/${at}$`),
  layer: new RegExp(`^/tile/layer/(${runId})/([A-Za-z0-9_.-]{1,64})/[0-9]{1,15}/${at}$`),
  compared: new RegExp(`^/tile/compared/(objects|density)/([1-9][0-9]{0,9})/${at}$`),
  cuts: new RegExp(`^/tile/cuts/(${slideId})/([1-9][0-9]{0,9})$`),
  table: new RegExp(`^/tile/table/(${runId})/([0-9]{1,15})/([0-9]{1,10})$`),
  tabletext: new RegExp(`^/tile/tabletext/(${runId})/([0-9]{1,15})/([0-9]{1,10})/(${key}(?:\\.${key}){0,63})$`),
  tableparquet: new RegExp(`^/tile/tableparquet/(${runId})/([0-9]{1,15})/(${key}(?:\\.${key}){0,63})$`),
  scatter: new RegExp(`^/tile/scatter/(${runId})/([0-9]{1,15})/(${key})\\.(${key})/([01])([01])$`),
  recent: /^\/tile\/recent\/([0-9a-f]{32})$/,
  thumbnail: /^\/tile\/thumbnail\/([0-9a-f]{32})$/,
  associated: new RegExp(`^/tile/associated/(${slideId})/([^/]{1,768})$`),
}

function place(k: string | undefined, x: string | undefined, y: string | undefined): At | null {
  const level = Number(k)
  return level <= 40 ? { k: level, x: Number(x), y: Number(y) } : null
}

/** The first tile's address, and of the others the places, behind a plus each. */
function several(path: string): TileRequest | null {
  const [first = '', ...rest] = path.split('+')
  if (rest.length >= severalTiles) return null
  const sheet = first.slice(0, first.lastIndexOf('/') + 1)
  const tiles = [first, ...rest.map((place) => sheet + place)].map(parseTileUrl)
  const isResult = (tile: TileRequest | null): tile is ResultRequest =>
    tile?.kind === 'objects' || tile?.kind === 'density' || tile?.kind === 'layer'
  return tiles.every(isResult) ? { kind: 'several', tiles } : null
}

/** A pathname (a query is ignored: shells may put a token there), or null where it is no tile's. */
export function parseTileUrl(url: string): TileRequest | null {
  if (url.length > maxUrlLength) return null
  const path = url.split('?', 1)[0] ?? ''
  if (path.includes('+')) return several(path)
  let m = patterns.slide.exec(path)
  if (m) {
    const tile = place(m[3], m[4], m[5])
    return tile && { kind: m[1] as 'slide' | 'converted', slideId: m[2]!, ...tile }
  }
  m = patterns.result.exec(path)
  if (m) {
    const tile = place(m[3], m[4], m[5])
    return tile && { kind: m[1] as 'objects' | 'density', runId: m[2]!, ...tile }
  }
  m = patterns.compared.exec(path)
  if (m) {
    const tile = place(m[3], m[4], m[5])
    return tile && { kind: 'compared', plane: m[1] as 'objects' | 'density', comparison: Number(m[2]), ...tile }
  }
  m = patterns.layer.exec(path)
  if (m) {
    const tile = place(m[3], m[4], m[5])
    return tile && { kind: 'layer', runId: m[1]!, layer: m[2]!, ...tile }
  }
  m = patterns.stain.exec(path)
  if (m) {
    const tile = place(m[4], m[5], m[6])
    return tile && { kind: 'stain', slideId: m[1]!, stains: m[2]!, channel: Number(m[3]) as 0 | 1 | 2, ...tile }
  }
  m = patterns.channel.exec(path)
  if (m) {
    const tile = place(m[3], m[4], m[5])
    return tile && { kind: 'channel', slideId: m[1]!, channel: Number(m[2]), ...tile }
  }
  m = patterns.cuts.exec(path)
  if (m) return { kind: 'cuts', slideId: m[1]!, cutsId: Number(m[2]) }
  m = patterns.table.exec(path)
  if (m) return { kind: 'table', runId: m[1]!, view: Number(m[2]), first: Number(m[3]) }
  m = patterns.tabletext.exec(path)
  if (m) return { kind: 'tabletext', runId: m[1]!, view: Number(m[2]), first: Number(m[3]), columns: m[4]!.split('.') }
  m = patterns.tableparquet.exec(path)
  if (m) return { kind: 'tableparquet', runId: m[1]!, view: Number(m[2]), columns: m[3]!.split('.') }
  m = patterns.scatter.exec(path)
  if (m)
    return {
      ...{ kind: 'scatter', runId: m[1]!, view: Number(m[2]) },
      columns: [m[3]!, m[4]!],
      log: [m[5] === '1', m[6] === '1'],
    }
  m = patterns.recent.exec(path)
  if (m) return { kind: 'recent', picture: m[1]! }
  m = patterns.thumbnail.exec(path)
  if (m) return { kind: 'thumbnail', key: m[1]! }
  m = patterns.associated.exec(path)
  if (m) {
    try {
      return { kind: 'associated', slideId: m[1]!, name: decodeURIComponent(m[2]!) }
    } catch {
      return null
    }
  }
  return null
}
