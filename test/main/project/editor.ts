// A process that edits a document until it is killed: what is acknowledged it prints, a line a change.
import { randomUUID } from 'node:crypto'
import { createEngine } from '../../../main/engine'

const [settingsDir = '', assetsDir = '', sample = '', seed = '1'] = process.argv.slice(2)
const engine = createEngine({ settingsDir, assetsDir, shell: 'serve', dialogs: false, version: '0.0.0', log: () => undefined })
let state = Number(seed)
const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647
const { slideId } = await engine.invoke('slide:open', { path: sample })
const { slide, revision } = await engine.invoke('project:state', { slideId })
const ids: string[] = []
/** Where each region lies. */
const told = new Map<string, number>()
async function look(): Promise<void> {
  ids.length = 0
  told.clear()
  for (const { id, shape } of (await engine.invoke('project:state', { slideId })).regions) {
    ids.push(id)
    told.set(id, 'x' in shape ? shape.x : -1)
  }
}
await look()
for (let n = revision; ; n++) {
  const choice = random()
  if (choice < 0.1) {
    await engine.invoke('project:undo', undefined)
    await look()
  } else if ((choice < 0.7 && ids.length < 60) || ids.length === 0) {
    const id = randomUUID()
    const shape = { kind: 'rectangle', x: n, y: 0, width: 10, height: 10 } as const
    const region = { id, slide: slide!, name: `r${n}`, classId: null, locked: false, shape, createdAt: '2026-01-01T00:00:00Z' }
    await engine.invoke('project:do', { slideId, command: { type: 'regions:add', regions: [{ ...region, madeBy: 'hand' }] } })
    ids.push(id)
    told.set(id, n)
  } else if (choice < 0.85) {
    const id = ids[Math.floor(random() * ids.length)]!
    const shape = { kind: 'rectangle', x: n, y: 0, width: 10, height: 10 } as const
    await engine.invoke('project:do', { slideId, command: { type: 'regions:change', changes: [{ id, shape }] } })
    told.set(id, n)
  } else {
    const [id] = ids.splice(Math.floor(random() * ids.length), 1)
    await engine.invoke('project:do', { slideId, command: { type: 'regions:delete', ids: [id!] } })
    told.delete(id!)
  }
  // Only when it has left this process: what waits in it dies with it, and the next change must not overtake it.
  const line = `${JSON.stringify({ n, regions: [...told] })}\n`
  await new Promise<void>((resolve) => process.stdout.write(line, () => resolve()))
}
