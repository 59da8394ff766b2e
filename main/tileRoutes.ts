// Which module paints what a tile address names.
import { mapOfLayer, packTile, packTiles } from '../app/contract'
import { comparedTile } from './compare/comparedTiles'
import { tileFound } from './tileResponse'
import type { TileResponse } from './tileResponse'
import type { Parts } from './parts'
import type { TileRequest } from './tileUrl'

/** Rejects with what is wrong. */
export async function answerTile(parts: Parts, request: TileRequest, signal: AbortSignal): Promise<TileResponse> {
  const { slides, pictures, runs, overlays, cutFields, tables, comparisons, recents, slidePictures } = parts
  const { kind } = request
  if (kind === 'several') return answerSeveral(parts, request.tiles, signal)
  if (kind === 'objects' || kind === 'density')
    return tileFound(await overlays[kind](runs.get(request.runId), request.k, request.x, request.y, signal))
  const map = kind === 'layer' ? mapOfLayer(request.layer) : null
  if (kind === 'layer' && map !== null) {
    const tile = parts.maps.tile(runs.get(request.runId), map, request.k, request.x, request.y)
    return tileFound({ type: 'application/octet-stream', body: packTile(tile) })
  }
  if (kind === 'layer')
    return tileFound(await overlays.layer(runs.get(request.runId), request.layer, request.k, request.x, request.y, signal))
  if (kind === 'compared') {
    const { comparison, plane, k, x, y } = request
    return tileFound(await comparedTile(comparisons.get(comparison), plane, k, x, y, signal))
  }
  if (kind === 'table') return tileFound(tables.rows(request.runId, request.view, request.first))
  if (kind === 'tabletext') return tileFound(tables.text(request.runId, request.view, request.first, request.columns))
  if (kind === 'tableparquet') {
    // Loaded where somebody saves such a file: a window's start need not wait for the library.
    const { tableParquet } = await import('./export/tables/tableParquet')
    return tileFound(await tableParquet(tables.listed(request.runId, request.view), request.columns, signal))
  }
  if (kind === 'scatter') return tileFound(tables.scatter(runs.get(request.runId), request))
  if (kind === 'recent') return tileFound(await (await recents()).picture(request.picture))
  if (kind === 'thumbnail') return tileFound(await (await slidePictures()).picture(request.key))
  const slide = slides.get(request.slideId)
  if (kind === 'cuts') return tileFound(cutFields.read(request.slideId, request.cutsId))
  if (kind === 'associated') return tileFound(await pictures.associated(slide, request.name))
  if (kind === 'stain') {
    return tileFound(await pictures.stain(slide, request.stains, request.channel, request.k, request.x, request.y, signal))
  }
  if (kind === 'channel')
    return tileFound(await pictures.channel(slide, request.channel, request.k, request.x, request.y, signal))
  if (kind === 'converted') return tileFound(await pictures.converted(slide, request.k, request.x, request.y, signal))
  return tileFound(await pictures.picture(slide, request.k, request.x, request.y, signal))
}

/** One that fails does not take the others with it; where all do, what is wrong with the first is wrong with the request. */
async function answerSeveral(parts: Parts, tiles: readonly TileRequest[], signal: AbortSignal): Promise<TileResponse> {
  const answers = await Promise.allSettled(tiles.map((tile) => answerTile(parts, tile, signal)))
  const bodies = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.body : null))
  const [first] = answers
  if (first?.status === 'rejected' && bodies.every((body) => body === null)) throw first.reason
  return tileFound({ type: 'application/octet-stream', body: packTiles(bodies) })
}
