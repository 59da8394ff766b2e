// `--stains`: a recipe with the stains that its slide's sample shows, or that of a region (`--stains-region`).
import type { Engine } from '../../../main/engine'
import type { CallArg, CallValue, Recipe, StainMethod } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { openSlide } from '../info'
import type { Terminal } from '../terminal'
import { parseRegion } from './verify'

export interface StainOptions {
  /** Takes the recipe's stains from the slide. */
  stains?: StainMethod | undefined
  /** Of this part of the slide alone: x,y,width,height, level-0 px. */
  stainsRegion?: string | undefined
  mpp?: number | undefined
}

/** What every question of a slide's own values names: the slide, opened, and the part of it that is looked at where `flag` gave one. */
export async function sampleAsked(
  engine: Engine,
  recipe: Recipe,
  path: string,
  mpp: number | undefined,
  region: string | undefined,
  flag: string,
): Promise<CallArg<'slide:classLimit'>> {
  const within = region === undefined ? undefined : { kind: 'rectangle' as const, ...parseRegion(region, flag) }
  const { slideId } = await openSlide(engine, path, mpp)
  return { slideId, recipe, ...(mpp === undefined ? {} : { mpp }), ...(within && { within }) }
}

/** The recipe as it is where no stains are asked for. */
export async function withStains(
  engine: Engine,
  terminal: Terminal,
  recipe: Recipe,
  path: string,
  { stains: method, stainsRegion, mpp }: StainOptions,
): Promise<Recipe> {
  if (method === undefined) {
    if (stainsRegion === undefined) return recipe
    throw new CliError(ExitCode.usage, 'expected --stains macenko or --stains parts, whose region --stains-region is')
  }
  const asked = await sampleAsked(engine, recipe, path, mpp, stainsRegion, '--stains-region')
  const values = valueOf(await engine.call('slide:stains', { ...asked, method })) as CallValue<'slide:stains'>
  if (!values)
    throw new CliError(
      ExitCode.usage,
      asked.within
        ? `The region does not tell the stains (--stains ${method}): it has too little stain, or one stain alone. Choose another, or leave --stains-region out.`
        : `The slide does not tell its stains (--stains ${method}): its sample has too little stain, or one stain alone. Leave --stains out.`,
    )
  terminal.note(
    `stains: ${Object.entries(values)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ')}`,
  )
  return { ...recipe, params: { ...recipe.params, stains: values } }
}
