// A kept run's objects exchanged for as many as a test or a bench wants, as if the run had found them: a project of any size within a second.
import { rm, open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Database } from 'libsql'
import { headOf } from '../../main/run/journal/journal'
import type { JournalHead } from '../../main/run/journal/journal'
import { JournalReader } from '../../main/run/journal/journalFile'
import { KeptObjects, writeKept } from '../../main/run/journal/kept'
import type { KeptNote } from '../../main/run/journal/kept'
import { ObjectStore } from '../../main/run/objects/objectStore'
import { Plan } from '../../main/run/plan/plan'
import { runFile } from '../../main/project/kept/runFiles'
import { moved, plainOf, tilesOf } from './packing'
import type { Plain } from './packing'

/** How a run in a project's folder begins: its grid above all. Nobody may have the project open. */
export async function keptHead(project: string, keptId: string): Promise<JournalHead> {
  const handle = await open(runFile(project, keptId), 'r')
  const head = await headOf((await JournalReader.of(handle))!)
  await handle.close()
  return head!
}

/** What it found, in raster order of tiles. */
export async function keptObjects(project: string, keptId: string): Promise<Plain[]> {
  const kept = await KeptObjects.open(runFile(project, keptId), keptId)
  const found: Plain[] = []
  for await (const { objects } of kept.windows(kept.head.grid))
    for (const tile of objects) for (let row = 0; row < tile.count; row++) found.push(...moved([plainOf(tile.object(row))], 0, 0))
  return found
}

/** It becomes a run of the whole slide that found these, which come row of tiles by row of tiles. Gives what its file took to write, in ms. */
export async function keepInstead(project: string, keptId: string, objects: Iterable<Plain>): Promise<number> {
  const head = await keptHead(project, keptId)
  const { grid } = head
  const store = new ObjectStore(grid)
  // A row of tiles at once: a run has each tile once, too.
  let row: Plain[] = []
  let tileRow = -1
  const take = (): void => void store.add(tilesOf(row, grid.tileSizePx).map((tile) => ({ objects: tile, keep: null })))
  for (const object of objects) {
    const own = Math.floor(object.value('firstY') / grid.tileSizePx)
    if (own !== tileRow) {
      if (row.length > 0) take()
      row = []
    }
    tileRow = own
    row.push(object)
  }
  take()
  const file = runFile(project, keptId)
  await rm(file)
  const whole = { x: 0, y: 0, width: grid.widthPx, height: grid.heightPx }
  const note: KeptNote = { ...(head.note as KeptNote), objects: store.count }
  const from = performance.now()
  await writeKept(file, { ...head, request: { ...head.request, region: 'whole' }, note }, new Plan(grid, whole).tiles(), store)
  const ms = performance.now() - from
  const Constructor = createRequire(import.meta.url)('libsql') as new (path: string) => Database
  const db = new Constructor(join(project, 'project.sqlite'))
  db.exec(`UPDATE runs SET body = json_set(body, '$.objects', ${store.count})`)
  db.close()
  return ms
}
