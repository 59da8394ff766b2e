// `--class-limit`: a recipe with the limit between its classes that its slide's nuclei show, or those of a region (`--class-limit-region`).
import { areaColumn, cutsOfRecipe, noun } from '../../contract'
import type { Engine } from '../../../main/engine'
import type { CallValue, Recipe, RecipeSpec } from '../../contract'
import { CliError, ExitCode, valueOf } from '../exitCodes'
import { sampleAsked } from './stains'
import type { Terminal } from '../terminal'

export interface ClassLimitOptions {
  /** Takes the limit from the slide. */
  classLimit?: 'otsu' | undefined
  /** Of this part of the slide alone: x,y,width,height, level-0 px. */
  classLimitRegion?: string | undefined
  /** What else is set. */
  set?: string[] | undefined
  mpp?: number | undefined
}

/** The recipe as it is where no limit is asked for; its other values are to be what they are in the run. */
export async function withClassLimit(
  engine: Engine,
  terminal: Terminal,
  recipe: Recipe,
  spec: RecipeSpec,
  path: string,
  { classLimit, classLimitRegion, set = [], mpp }: ClassLimitOptions,
): Promise<Recipe> {
  if (classLimit === undefined) {
    if (classLimitRegion === undefined) return recipe
    throw new CliError(ExitCode.usage, 'expected --class-limit otsu, whose region --class-limit-region is')
  }
  if (!spec.classes)
    throw new CliError(
      ExitCode.usage,
      `${spec.name} has no classes whose limit --class-limit could take from the slide. Leave it out.`,
    )
  const [stage = '', key = ''] = spec.classes.limit.split('.')
  if (set.some((option) => option.startsWith(`${spec.classes!.limit}=`)))
    throw new CliError(ExitCode.usage, `expected one of --class-limit and --set ${spec.classes.limit}=…, but both were given`)
  if (cutsOfRecipe(spec, recipe.params)?.column === areaColumn)
    throw new CliError(
      ExitCode.usage,
      `--class-limit takes a limit of the mean from the slide, and the recipe has classes by area. Leave it out, or set ${spec.classes.others!.by} otherwise.`,
    )
  const asked = await sampleAsked(engine, recipe, path, mpp, classLimitRegion, '--class-limit-region')
  const found = valueOf(await engine.call('slide:classLimit', asked)) as CallValue<'slide:classLimit'>
  if (!found)
    throw new CliError(
      ExitCode.usage,
      asked.within
        ? 'The region has too few nuclei to tell the limit (--class-limit otsu). Choose a larger one, or leave --class-limit-region out.'
        : 'The slide’s sample has too few nuclei to tell the limit (--class-limit otsu). Leave --class-limit out.',
    )
  terminal.note(
    `${spec.classes.limit} ${found.limit}: above it ${found.above} of ${found.nuclei} ${noun(found.nuclei, 'nucleus', 'nuclei')} of a sample`,
  )
  return { ...recipe, params: { ...recipe.params, [stage]: { ...recipe.params[stage], [key]: found.limit } } }
}
