// `morphoscope evaluate --truth DIR`: a recipe on annotated images, and how well its objects agree with the annotation.
import { join, resolve } from 'node:path'
import { compare, compareByClass, pictureOf, readImageFile, writeImageFiles } from '../../../main/ops'
import type { Engine } from '../../../main/engine'
import type { Comparison, FileImage, Scores } from '../../../main/ops'
import { annotatedIn, cancelled, readLabels, segmented, wantedRecipe } from './annotated'
import type { Job } from './annotated'
import { CliError, ExitCode } from '../exitCodes'
import { checkOutputs } from '../op/opFlags'
import type { Terminal } from '../terminal'

export interface EvaluateOptions {
  truth: string
  only?: string | undefined
  recipe?: string | undefined
  set?: string[] | undefined
  mpp?: number | undefined
  channel?: string | undefined
  threads?: number | undefined
  device?: string | undefined
  out?: string | undefined
  overwrite?: boolean | undefined
  json?: boolean | undefined
}

interface Evaluated {
  readonly name: string
  readonly all: Comparison
  readonly byClass: ReadonlyMap<number, Comparison>
}

const measures = ['dice', 'aji', 'pq', 'f1'] as const
const plain = ({ dice, aji, pq, f1, truths, objects }: Comparison) => ({ dice, aji, pq, f1, truths, objects })
const meanOf = (all: readonly Scores[]): Scores =>
  Object.fromEntries(
    measures.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0) / all.length]),
  ) as unknown as Scores

function tableOf(tiles: readonly Evaluated[]): string {
  const width = Math.max(8, ...tiles.map(({ name }) => name.length + 10))
  const scores = (each: Scores) => measures.map((name) => each[name].toFixed(3)).join('  ')
  const line = (name: string, each: Comparison) => {
    const { hit, split, merged, missed } = each.truths
    const counts = [hit, split, merged, missed, each.objects.false]
    return `${name.padEnd(width)}  ${scores(each)}${counts.map((count) => String(count).padStart(8)).join('')}`
  }
  return [
    `${' '.repeat(width)}  dice   AJI    PQ     F1   ${['hit', 'split', 'merged', 'missed', 'false'].map((name) => name.padStart(8)).join('')}`.trimEnd(),
    ...tiles.flatMap(({ name, all, byClass }) => [
      line(name, all),
      ...[...byClass].map(([number, each]) => line(`  class ${number}`, each)),
    ]),
    `${'mean'.padEnd(width)}  ${scores(meanOf(tiles.map(({ all }) => all)))}`,
  ].join('\n')
}

export async function evaluate(
  engine: Engine,
  terminal: Terminal,
  options: EvaluateOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const found = await annotatedIn(resolve(options.truth), options.only)
  const { recipe } = await wantedRecipe(engine, options.recipe, options.set)
  const out = options.out === undefined ? undefined : resolve(options.out)
  const picture = (name: string) => join(out!, `${name}.png`)
  // Now, and not when all is computed.
  if (out !== undefined) {
    const read = found.flatMap(({ image, truth, classes }) => [image, truth, ...(classes === undefined ? [] : [classes])])
    await checkOutputs(
      read,
      found.map(({ name }) => picture(name)),
      options.overwrite === true,
    )
  }
  const job: Job = { engine, terminal, recipe, options, signal }
  const tiles: Evaluated[] = []
  for (const { name, image, truth, classes } of found) {
    if (signal.aborted) throw cancelled()
    const objects = await segmented(job, image)
    const outlined = await readLabels(truth, objects)
    const all = compare(outlined.data, objects.data)
    const byClass = classes === undefined ? undefined : (await readLabels(classes, objects)).data
    tiles.push({ name, all, byClass: byClass ? compareByClass(outlined.data, byClass, objects.data) : new Map() })
    if (out !== undefined) await writePicture(picture(name), image, outlined, objects, all)
  }
  if (options.json) {
    const inChannel = options.channel === undefined ? {} : { channel: options.channel }
    const asJson = tiles.map(({ name, all, byClass }) => ({
      name,
      ...plain(all),
      classes: Object.fromEntries([...byClass].map(([number, each]) => [number, plain(each)])),
    }))
    terminal.print(
      JSON.stringify(
        { recipe: recipe.spec, params: recipe.params, ...inChannel, tiles: asJson, mean: meanOf(tiles.map(({ all }) => all)) },
        null,
        2,
      ),
    )
  } else {
    terminal.print(tableOf(tiles))
    if (out !== undefined)
      terminal.print(`pictures in ${out}: truth green where hit, yellow split, blue merged, red missed; false objects magenta`)
  }
  return ExitCode.ok
}

async function writePicture(path: string, image: string, truth: FileImage, objects: FileImage, found: Comparison): Promise<void> {
  const { width, height, channels, data } = await readImageFile(image)
  if (channels === 1 && !(data instanceof Uint8Array))
    throw new CliError(ExitCode.usage, `expected 8 bits for ${image}, which a picture is wanted of: leave --out away`)
  const rgba =
    channels === 4
      ? Uint8Array.from(data)
      : Uint8Array.from({ length: 4 * data.length }, (_, k) => (k % 4 === 3 ? 255 : data[k >> 2]!))
  const shown = pictureOf({ width, height, rgba }, truth.data, objects.data, found)
  await writeImageFiles([{ path, image: { width, height, channels: 4, data: shown } }])
}
