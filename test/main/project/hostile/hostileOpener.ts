// A process that opens hostile project folders, one after the other, and does with each what a user would: a line of JSON for each.
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Projects } from '../../../../main/project/projects'
import { KeptObjects } from '../../../../main/run/journal/kept'

/** Linux takes the highest mark of this process's memory from here on again. */
const forgetMost = (): void => writeFileSync('/proc/self/clear_refs', '5')
const mostMib = (): number => Math.ceil(Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024)

process.stdout.write('{}\n')
for await (const line of createInterface(process.stdin)) {
  const { project, copy } = JSON.parse(line) as { project: string; copy: string }
  forgetMost()
  const started = performance.now()
  const said = await used(project, copy)
  const ms = Math.round(performance.now() - started)
  process.stdout.write(`${JSON.stringify({ ms, mib: mostMib(), said })}\n`)
}

/** What became of it: 'ok', or the first refusal's words. */
async function used(path: string, copy: string): Promise<string> {
  const words: string[] = []
  const projects = new Projects(
    { directory: null, program: 'test' },
    () => undefined,
    () => undefined,
  )
  const tried = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => words.push(error instanceof Error ? error.message : String(error)))
  }
  await tried(() => projects.open(path))
  if (words.length === 0) {
    const [run] = projects.content.runs.keys()
    await tried(() => projects.state(null))
    await tried(() => projects.slideList())
    await tried(() => projects.undo())
    await tried(() => projects.redo())
    await tried(() => projects.redo())
    await tried(() => projects.do({ type: 'classes:set', classes: [...projects.content.classes] }, null))
    await tried(async () => {
      const file = run === undefined ? null : projects.fileOf(run)
      if (run === undefined || file === null) return
      const kept = await KeptObjects.open(file, run)
      for await (const _ of kept.windows(kept.head.grid)) await Promise.resolve()
    })
    if (run !== undefined) await tried(() => projects.drop(run))
    await tried(() => projects.save(copy))
  }
  await tried(() => projects.close())
  return words[0]?.replaceAll(path, 'PROJECT') ?? 'ok'
}
