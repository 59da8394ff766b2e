// run.json: what was done, to which slide, with which values, by what, and how long it took. Enough to do it again.
import { allredOf, densitiesOf, hScoreOf, positiveShareOf, runAreas, shareIntervalOf, wilsonInterval } from '../../app/contract'
import type { HotSpot, RunStatus } from '../../app/contract'
import { scoreTable } from '../../native/index'
import type { ExportJob } from './exporter'
import type { OutputFile } from './output/outputSet'
import { sealed } from './output/targets'

export async function writeRunJson(job: ExportJob, out: OutputFile): Promise<void> {
  const { result, tools } = job
  const { status, slide } = result
  // A message may name files with their folders, and those may name a patient.
  const clean = (text: string): string => job.names.clean(text)
  const document = {
    format: 'morphoscope-run',
    version: 1,
    state: status.state,
    slide: {
      name: job.names.shown,
      /** null, with the reason, where the file's bytes are no longer those that were opened. */
      ...job.checksum,
      widthPx: slide.widthPx,
      heightPx: slide.heightPx,
      vendor: slide.vendor,
      reader: slide.reader,
      readerVersion: slide.readerVersion,
      mppX: slide.mppX,
      mppY: slide.mppY,
      mppSource: slide.mppSource,
      objectivePower: slide.objectivePower,
      /** What was analysed are the file's own samples, whatever its colour profile says of them. */
      colors: { analysed: 'samples', profile: slide.icc === undefined ? null : clean(slide.icc) },
      /** What of the file's channels was analysed, and which of their values became 0 and 255; without, all was one picture of 8 bits. */
      ...(slide.channels.length > 0 && {
        channels: slide.channels.map((channel) => ({ ...channel, name: clean(channel.name) })),
      }),
    },
    /** Level-0 px. */
    region: status.region,
    /** Of the shapes whose objects alone were meant, level-0 px². */
    ...(status.withinPx !== undefined && { withinPx: status.withinPx }),
    /** Of what was meant what was computed and could be read, level-0 px²: densities are of it. */
    ...(status.analysedPx !== undefined && { analysedPx: status.analysedPx }),
    resolution: {
      analysedMpp: status.analysedMpp,
      nominalMpp: status.nominalMpp,
      /** Of the slide's samples. */
      bits: status.analysedBits ?? 8,
      scale: result.scale,
      unit: status.analysedMpp === null ? 'px' : 'um',
    },
    /** No recipe found the objects: they came in with a file, and were measured by this one. Its name may be a patient's. */
    ...(status.imported && { imported: true }),
    recipe: result.recipe,
    recipeSpec: { id: result.spec.id, name: result.spec.name, version: result.spec.version, pipeline: result.spec.pipeline },
    /** What the native pipeline was given: px of the analysed image and grey levels. */
    resolved: result.resolved,
    /** Not all could be read that those which adapt to the slide, or the range of its samples, come from: nothing of the result is certain. */
    ...(status.valuesUncertain && { valuesUncertain: true }),
    counts: {
      objects: result.objects.length,
      /** By hand, after the run. */
      ...(status.deleted && { deleted: status.deleted }),
      ...(status.replaced && { replaced: status.replaced }),
      ...(status.made && { made: status.made }),
      ...(status.byHand && { classByHand: status.byHand }),
      ...(status.classes && { classes: classShares(status.classes) }),
      ...(status.classes && classFigures(status.classes, status.cuts)),
      ...(status.tissue && { glassTiles: status.tissue.glassTiles }),
      tiles: status.tilesTotal,
      tilesDone: status.tilesDone,
      unreadableTiles: status.unreadableTiles,
      uncertainTiles: status.uncertainTiles ?? 0,
      /** Objects that reach the rim of the window that they were computed in, and may be cut there. */
      cutObjects: status.cutObjects,
    },
    ...(status.rule && { classesBy: status.rule }),
    /** The field with the highest share of positive objects, level-0 px. */
    ...(job.hotSpot && { hotSpot: hotSpotWords(job.hotSpot) }),
    /** What their scores are made of. */
    ...(result.objects.length > 0 && !Number.isNaN(result.objects.at(0).score) && { scores: scoreTable() }),
    ...areaWords(status, result.objects.length),
    /** How much of what was computed no pixel beyond its window could change; see the contract. */
    certainty: status.certainty,
    /** Level-0 px: what the file could not give, and what else of the result that could change. All the rest is certain of it. */
    unreadable: result.unreadable.map((part) => ({ ...part, reason: clean(part.reason) })),
    uncertain: result.uncertain.map((part) => ({ ...part, reason: clean(part.reason) })),
    warnings: [...status.warnings, ...job.warnings].map(clean),
    error: status.error && { code: status.error.code, message: clean(status.error.message) },
    /** What the run was given and said to need, and the most that the whole process had held by its end. */
    memory: result.memory,
    elapsedMs: status.elapsedMs,
    megapixelsPerSecond: status.megapixelsPerSecond,
    timings: status.timings,
    /** Who computed which part of it, where several did. */
    ...(result.shards && { shards: result.shards }),
    /** What it did when: see RunTimeline in app/contract/runs/runs.ts. */
    timeline: result.timeline,
    /** What a recomputation of parts of it in one window came to; null: nobody asked. */
    verification: result.verification,
    /** `channels`: that every object is measured in, in the file's own units. `origin`: where objects' coordinates begin; all others are the slide's. */
    export: {
      simplifyPx: job.simplifyPx,
      origin: job.corner ? 'bounds' : 'slide',
      ...(job.corner && { originPx: job.corner }),
      /** Which shapes the laser's files hold; the marks are the slide's. */
      ...(job.laser && { laser: { ...job.laser, filter: clean(job.laser.filter ?? '') } }),
      ...spatialWords(job),
      stains: result.stainNames,
      ...(result.channels.length > 0 &&
        (result.cellsAt ?? 1) > 0 && { channels: result.channels.slice(0, result.cellsAt).map(clean) }),
      ...(result.cellsAt !== undefined && { cells: result.channels.slice(result.cellsAt).map(clean) }),
    },
    versions: { ...tools.versions, platform: `${process.platform}-${process.arch}` },
    /** Of the files that were written with this one: only while they are as here may a later export replace them unasked. */
    files: job.written,
    recordSha256: '',
  }
  job.signal.throwIfAborted()
  await out.append(sealed(`${withFlatColumns(document)}\n`))
}

/** Which measures of where objects lie are in the files, and by what they were made; lengths are px where the slide is not calibrated. */
function spatialWords({ spatial, spatialMeasures, bands, map }: ExportJob) {
  const { bands: _bands, map: _map, ...measures } = spatialMeasures ?? {}
  return {
    ...(spatialMeasures && { spatial: { ...measures, columns: spatial.map(({ csv }) => csv) } }),
    ...(bands && {
      bands: { regionClasses: bands.found.of.map(({ name }) => name), unit: bands.found.unit, limits: bands.limits },
    }),
    ...(map && { densityMap: mapWords(map) }),
  }
}

function mapWords({ asked, what, info, left, top, width, height }: NonNullable<ExportJob['map']>) {
  const { unit, cellPx, highest } = info
  return {
    counts: what,
    radius: asked.radiusUm,
    unit,
    cellPx,
    leftPx: left * cellPx,
    topPx: top * cellPx,
    width,
    height,
    highest,
  }
}

/** Of each class its label, the objects and their share of all with its interval; without any these are unknown. */
function classShares(classes: NonNullable<RunStatus['classes']>) {
  const all = classes.reduce((sum, { objects }) => sum + objects, 0)
  return Object.fromEntries(
    classes.map(({ id, label, objects }) => [
      id,
      { label, objects, share: all > 0 ? objects / all : null, shareInterval95: wilsonInterval(objects, all) },
    ]),
  )
}

/** What was looked at, and of that the tissue: absent where it is not known. Each with the objects per mm² of it. */
function areaWords(status: RunStatus, objects: number) {
  const { tissue } = status
  const areas = runAreas(status)
  const { perMm2, perMm2Tissue } = densitiesOf(objects, areas)
  return {
    area: { mm2: areas.mm2, objectsPerMm2: perMm2 },
    ...(tissue && { tissue: { megapixels: tissue.megapixels, mm2: tissue.mm2, objectsPerMm2: perMm2Tissue } }),
  }
}

function hotSpotWords({ diameterUm, leastObjects, shape, measure }: HotSpot) {
  const { objects, classes = [], cuts, areaMm2, analysedMm2 } = measure
  const figures = { classes: classShares(classes), ...classFigures(classes, cuts) }
  return { diameterUm, leastObjects, shape, areaMm2, analysedMm2, objects, ...figures }
}

/** Each figure beside the cut-offs and the measurement that it stands on. */
function classFigures(classes: NonNullable<RunStatus['classes']>, cuts: RunStatus['cuts']) {
  const [positiveShare, interval] = [positiveShareOf(classes), shareIntervalOf(classes)]
  const [hScore, allred] = [hScoreOf(classes, cuts), allredOf(classes, cuts)]
  return {
    ...(positiveShare !== null && { positiveShare }),
    ...(interval && { positiveShareInterval95: interval }),
    ...(hScore !== null && { hScore }),
    ...(allred && { allred }),
    ...(cuts && { classCuts: cutFigures(cuts) }),
  }
}

function cutFigures({ column, title, unit, limits, and }: NonNullable<RunStatus['cuts']>) {
  const others = and?.map((each) => ({ column: each.column, measurement: each.title, unit: each.unit, limit: each.limit }))
  return { column, measurement: title, unit, limits, ...(others && { and: others }) }
}

/** Indented, but for lists of numbers: a line each. */
function withFlatColumns(document: unknown): string {
  const flat: string[] = []
  const isColumn = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 8 && value.every((each) => typeof each === 'number')
  const text = JSON.stringify(
    document,
    (_, value: unknown) => (isColumn(value) ? `\u0000${flat.push(JSON.stringify(value)) - 1}\u0000` : value),
    2,
  )
  return text.replace(/"\\u0000(\d+)\\u0000"/g, (_, at: string) => flat[Number(at)]!)
}
