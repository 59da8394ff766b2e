// `morphoscope project open|import|export`: what a project holds, its regions in and out as GeoJSON.
import { lstat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { writeTextFile } from '../../../main/engine'
import type { Engine } from '../../../main/engine'
import { noun } from '../../contract'
import type { ImportedRegions, Origin } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { geoJsonText } from './geoJsonText'
import { openSlide } from '../info'
import { askSpatial, exportNewest } from './projectFiles'
import type { FileOptions } from './projectFiles'
import { parseFiles } from '../run/run'
import { inOrder, stemsOf } from './projectNames'
import { opened, openedOrMade, slideOf } from './projectSlides'
import { withSpatialFiles } from '../spatialOption'
import { table } from '../terminal'
import type { Shown, Terminal } from '../terminal'

/** `project open`: what it holds. */
export async function showProject(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  { json }: { json?: boolean },
): Promise<void> {
  const { path, name, slides, runs, classes, undo, recovered } = await opened(engine, folder)
  if (json)
    return terminal.print(JSON.stringify({ path, name, slides, runs, classes, lastStep: undo?.name ?? null, recovered }, null, 2))
  terminal.print(
    table([
      ['project', name ?? ''],
      ['last step', undo?.name ?? 'none'],
      ['classes', classes.map((each) => each.name).join(', ')],
      ...slides.map((slide): [string, string] => [
        slide.name,
        `${slide.regions} ${noun(slide.regions, 'region')}, ${slide.widthPx} × ${slide.heightPx} px, ${slide.path}`,
      ]),
      ...runs.map((run): [string, string] => [
        run.name,
        `${run.objects} ${noun(run.objects, 'object')} ${run.imported ? 'by' : 'found by'} ${run.recipeName} on ${slides.find(({ key }) => key === run.slide)?.name ?? ''}`,
      ]),
    ]),
  )
  if (recovered) terminal.note('The process that had it last ended without closing it; all that it had acknowledged is there.')
}

/** `project import FOLDER --slide SLIDE FILE…`: a project that is not there is made. */
export async function importRegions(
  engine: Engine,
  terminal: Terminal,
  folder: string,
  files: readonly string[],
  { slide, origin }: { slide: string; origin?: Origin },
): Promise<void> {
  await openedOrMade(engine, folder)
  const { slideId } = await openSlide(engine, slide)
  const without: string[] = []
  for (const file of files) {
    const text = await geoJsonText(file)
    const { added, leftOut, repaired } = valueOf(
      await engine.call('project:import', { slideId, text, ...(origin && { origin }) }),
    ) as ImportedRegions
    terminal.print(`${basename(file)}: ${added} ${noun(added, 'region')}`)
    for (const what of repaired) terminal.note(`taken otherwise: ${what}`)
    for (const why of leftOut) terminal.note(`left out: ${why}`)
    if (added === 0 && leftOut.length > 0) without.push(basename(file))
  }
  if (without.length > 0)
    throw new CliError(ExitCode.badSlide, `No region was taken from ${without.join(', ')}: the lines above say why.`)
}

/**
 * `project export FOLDER --out DIR`: a NAME-regions.geojson for each slide that has regions; with `files` those of its newest run of the whole
 * slide, in a folder of its own. `deidentify`: NAME is the slide's pseudonym, everywhere.
 */
export async function exportAll(
  engine: Engine,
  shown: Shown,
  folder: string,
  { out, files, overwrite = false, byRegion = false, deidentify = false, origin = 'slide', spatial }: FileOptions,
): Promise<ExitCode> {
  const wanted = files === undefined ? null : parseFiles(files)
  if (byRegion && !wanted)
    throw new CliError(ExitCode.usage, 'expected some of the files for --files, whose tables --by-region is about')
  if (spatial && !wanted)
    throw new CliError(ExitCode.usage, 'expected some of the files for --files, which --spatial and --density-map are about')
  await askSpatial(engine, spatial)
  const { slides } = await opened(engine, folder, shown)
  const withRegions = slides.filter(({ regions }) => regions > 0)
  const stems = await stemsOf(engine, folder, withRegions, deidentify)
  for (const slide of inOrder(withRegions, stems, deidentify)) {
    const { key } = slide
    const file = `${stems.get(key)!}-regions`
    const path = join(resolve(out), `${file}.geojson`)
    const slideId = origin === 'bounds' ? await slideOf(engine, shown.terminal, folder, slide) : null
    if (origin === 'bounds' && slideId === null) continue
    const asked = { key, ids: null, deidentify, ...(slideId !== null && { boundsOf: slideId }) }
    const text = valueOf(await engine.call('project:export', asked)) as string
    const there = overwrite ? null : await lstat(path).catch(() => null)
    if (there) throw new CliError(ExitCode.cannotCreate, `${path} is there already: --overwrite replaces it.`)
    // Whole or not at all: a full disk leaves what was there.
    await writeTextFile(path, [text])
    shown.terminal.print(path)
  }
  return wanted === null
    ? ExitCode.ok
    : exportNewest(engine, shown, folder, {
        out,
        files: withSpatialFiles(wanted, spatial),
        overwrite,
        byRegion,
        deidentify,
        origin,
      })
}
