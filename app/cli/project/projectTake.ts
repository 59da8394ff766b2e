// `morphoscope project take FOLDER WORKFLOW`: what a cluster has computed in shards, as the project's own results.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { shardsIn } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { choiceOf, counted } from '../../contract'
import type { DocumentState } from '../../contract'
import { asCliError, CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import { nowReading } from '../parent'
import { openedOrMade, stateOf } from './projectSlides'
import type { Shown } from '../terminal'

/** Each slide whose shards are all there; another is said, and the rest are taken. What was taken before is there. A project that is not there is made. */
export async function takeWorkflow(engine: Engine, shown: Shown, project: string, workflow: string): Promise<ExitCode> {
  const runs = join(resolve(workflow), 'runs')
  const names = await readdir(runs).catch(() => {
    throw new CliError(ExitCode.noInput, `${workflow} is no workflow that has run: it has no folder runs.`)
  })
  const paths = await pathsOf(workflow)
  await openedOrMade(engine, project)
  let taken = 0
  let failed = 0
  for (const name of names.sort()) {
    const folder = join(runs, name)
    if ((await shardsIn(folder)).length === 0) continue
    try {
      const objects = await takeOne(engine, shown, folder, paths.get(name))
      shown.rows(`${name}: ${objects === null ? 'is there already' : counted(objects, 'object')}`)
      taken += 1
    } catch (error) {
      failed += 1
      shown.terminal.note(`${name} is left out: ${shown.hide(asCliError(error).message)}`)
    }
  }
  if (taken === 0 && failed === 0) throw new CliError(ExitCode.noInput, `${runs} holds no slide that was run in shards.`)
  return failed > 0 ? ExitCode.partial : ExitCode.ok
}

/** By name, as the workflow's list has them. */
async function pathsOf(workflow: string): Promise<Map<string, string>> {
  const text = await readFile(join(resolve(workflow), 'slides.tsv'), 'utf8').catch(() => '')
  return new Map(
    text.split('\n').flatMap((line) => {
      const [name, path] = line.split('\t')
      return name !== undefined && path !== undefined ? [[name, path] as const] : []
    }),
  )
}

/** How many objects it has; null: it was taken before. */
async function takeOne(engine: Engine, shown: Shown, folder: string, listed: string | undefined): Promise<number | null> {
  const work = await engine.shards()
  const { slide, request, startedAt } = await work.whole([folder])
  const path = listed ?? slide.path
  if (path === null) throw new CliError(ExitCode.usage, 'neither its shards nor slides.tsv say where its slide lies')
  shown.know([path, basename(path)])
  nowReading(path)
  const channel = request.channel === undefined ? undefined : choiceOf(request.channel)
  const { slideId } = await openSlide(engine, path, request.mpp, channel)
  try {
    const how = { ...(request.mpp !== undefined && { mpp: request.mpp }), ...(channel !== undefined && { channel }) }
    valueOf(await engine.call('project:addFile', { path, ...how }))
    if (isThere(await stateOf(engine, slideId), startedAt)) return null
    const status = await work.merge([folder], slideId)
    if (status.error) throw new CliError(ExitCode.usage, status.error.message)
    valueOf(await engine.call('project:keep', { runId: status.runId }))
    return status.objects
  } finally {
    await engine.call('slide:close', { slideId })
  }
}

const isThere = ({ runs, slide }: DocumentState, startedAt: string): boolean =>
  runs.some((run) => run.slide === slide && run.startedAt === startedAt)
