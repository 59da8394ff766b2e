// `--stains`: a recipe with the stains that its slide's sample shows, or that of a region (`--stains-region`).
import type { Engine } from '../../main/engine'
import type { CallValue, Recipe, Region, StainMethod } from '../contract'
import { CliError, ExitCode, valueOf } from './exitCodes'
import { openSlide } from './info'
import type { Terminal } from './terminal'

/** With the stains that the slide's sample shows, or that of the region (level-0 px). */
export async function withStains(
  engine: Engine,
  terminal: Terminal,
  recipe: Recipe,
  path: string,
  method: StainMethod,
  { mpp, region }: { readonly mpp: number | undefined; readonly region: Region | undefined },
): Promise<Recipe> {
  const { slideId } = await openSlide(engine, path, mpp)
  const within = region && { kind: 'rectangle' as const, ...region }
  const asked = { slideId, recipe, method, ...(mpp === undefined ? {} : { mpp }), ...(within && { within }) }
  const values = valueOf(await engine.call('slide:stains', asked)) as CallValue<'slide:stains'>
  if (!values)
    throw new CliError(
      ExitCode.usage,
      region
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
