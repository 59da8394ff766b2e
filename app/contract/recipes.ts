// Recipes: what a bundled one offers, what a user has chosen in it, and a place in it.
import type { MeasurementKey } from './results/measurements'
import * as z from './zod'

export const ParamValue = z.union([z.number(), z.boolean(), z.string()])
export type ParamValue = z.infer<typeof ParamValue>

/** µm and µm² are resolved at the analysed resolution; px and px² are of the analysed image; level: a grey value. */
export const Unit = z.enum(['um', 'um2', 'px', 'px2', 'level', 'od', 'ratio', 'percent', 'count', 'none'])
export type Unit = z.infer<typeof Unit>
/** After a value; '' where it has none. */
export const unitSymbols = {
  um: 'µm',
  um2: 'µm²',
  px: 'px',
  px2: 'px²',
  level: 'level',
  od: 'OD',
  ratio: '',
  percent: '%',
  count: '',
  none: '',
} as const satisfies Record<Unit, string>

const paramBase = {
  key: z.string(),
  label: z.string(),
  help: z.string(),
  /** The first of the recipe's layers that the value changes: those before it are the same whatever it is. null: none, only objects. */
  changes: z.string().nullable().optional(),
  advanced: z.boolean().optional(),
  /** It means something only where another parameter of its stage has one of these values. */
  when: z.object({ key: z.string(), is: z.array(z.union([z.string(), z.boolean()])) }).optional(),
}
export const ParamSpec = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('number'),
    ...paramBase,
    unit: Unit,
    min: z.number(),
    max: z.number(),
    step: z.number(),
    default: z.number(),
    integer: z.boolean().optional(),
    /** What 0 means, in a word, where it means more than none. */
    zero: z.string().optional(),
    /** Where 0 asks for the whole slide: what previews take in its place as long as that would keep them waiting. */
    previewValue: z.number().positive().optional(),
  }),
  z.object({
    kind: z.literal('choice'),
    ...paramBase,
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    default: z.string(),
  }),
  z.object({ kind: z.literal('toggle'), ...paramBase, default: z.boolean() }),
])
export type ParamSpec = z.infer<typeof ParamSpec>

export const StageSpec = z.object({ id: z.string(), label: z.string(), help: z.string(), params: z.array(ParamSpec) })
export type StageSpec = z.infer<typeof StageSpec>

/** h-e, h-dab: optical densities of two stains and what neither explains; rgb: the light of a camera's channels. */
export const StainSetId = z.enum(['h-e', 'h-dab', 'rgb'])
export type StainSetId = z.infer<typeof StainSetId>
/** Its channels, and what their figures are: the engine's times `factor`, in `unit`, which `suffix` names in headers. */
export const stainSets = {
  'h-e': { names: ['hematoxylin', 'eosin', 'residual'], title: 'Optical density', unit: 'OD', suffix: '_od', factor: 1 },
  'h-dab': { names: ['hematoxylin', 'dab', 'residual'], title: 'Optical density', unit: 'OD', suffix: '_od', factor: 1 },
  // Grey values of 0 to 255: the engine counts in 256ths.
  rgb: { names: ['red', 'green', 'blue'], title: 'Intensity', unit: '', suffix: '', factor: 256 },
} as const satisfies Record<StainSetId, { names: readonly string[]; title: string; unit: string; suffix: string; factor: number }>

/** On the screen and in words: "hematoxylin" is Hematoxylin, and DAB stays an abbreviation. */
export const stainTitle = (name: string): string =>
  name.toLowerCase() === 'dab' ? 'DAB' : name.charAt(0).toUpperCase() + name.slice(1)

/**
 * What tile addresses call a recipe's stains: its set's id, and where a value of its stage `stains` is no default the vectors of both behind
 * it, in thousandths.
 */
export function stainsWord({ stainSet, stages }: Pick<RecipeSpec, 'stainSet' | 'stages'>, values: Recipe['params']): string {
  const params = stages.find(({ id }) => id === 'stains')?.params ?? []
  const vectors = params.map(({ key, default: usual }) => values['stains']?.[key] ?? usual)
  if (params.every(({ default: usual }, k) => vectors[k] === usual)) return stainSet
  return [stainSet, ...vectors.map((value) => Math.round(1000 * Number(value)))].join('-')
}

/** What an object is called by one of its figures: `id` in tables, `label` on the screen and in QuPath. */
export const ObjectClass = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/),
  label: z.string(),
  /** Red, green, blue. */
  color: z.tuple([z.number().int().min(0).max(255), z.number().int().min(0).max(255), z.number().int().min(0).max(255)]),
})
export type ObjectClass = z.infer<typeof ObjectClass>
/** Objects are of the class `above` where their mean of a stain is above a limit, else of the class `below`. Parameters are named "stage.param". */
export const ClassRule = z.object({
  /** 0 … 2, of the stain set. */
  channel: z.number().int().min(0).max(2),
  /** The parameter that holds the limit, of unit od. */
  limit: z.string(),
  below: ObjectClass,
  above: ObjectClass,
  /** The choice of another rule than this. */
  others: z
    .object({
      by: z.string(),
      /** Two more limits: where the choice is `gradesChoice` they part what is above into 1+, 2+ and 3+. */
      grades: z.array(z.string()).length(2),
      /** Where the choice is `areaChoice`: the limit of `areaColumn`, %. */
      area: z.string(),
    })
    .optional(),
})
export type ClassRule = z.infer<typeof ClassRule>

export const gradesChoice = 'grades'
export const areaChoice = 'area'
export const areaColumn = 'stainedArea' satisfies MeasurementKey
/** Parameters on which the classes of objects depend, and no outline: "stage.param". */
export const classParamsOf = (classes: ClassRule | undefined): readonly string[] =>
  classes ? [classes.limit, ...(classes.others ? [classes.others.by, ...classes.others.grades, classes.others.area] : [])] : []

/** A bundled recipe file (assets/recipes/*.json): a pipeline of the native engine with what each of its parameters means. */
export const RecipeSpec = z.object({
  format: z.literal('morphoscope-recipe-spec'),
  version: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string(),
  description: z.string(),
  /** The native pipeline's id. */
  pipeline: z.string(),
  stages: z.array(StageSpec),
  /** Intermediate images that the layer switch offers, in stage order; `id` is the native plane's name. */
  layers: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Which stain set its channels come from: decides the stain layers and the OD measurements. */
  stainSet: StainSetId,
  /** Absent: its objects have no classes. */
  classes: ClassRule.optional(),
})
export type RecipeSpec = z.infer<typeof RecipeSpec>

/** What the sliders edit, the CLI takes and every export carries: a spec's id with values. Absent values are defaults. */
export const Recipe = z.strictObject({
  format: z.literal('morphoscope-recipe'),
  version: z.literal(1),
  /** Id of a RecipeSpec. */
  spec: z
    .string()
    .max(64)
    .regex(/^[a-z0-9-]+$/),
  name: z.string().max(200),
  params: z.record(z.string().max(64), z.record(z.string().max(64), ParamValue)),
})
export type Recipe = z.infer<typeof Recipe>

/** Recipes for other stains have the same steps; the sample is H&E, and shows what these do. */
const standsFor: Readonly<Record<string, string>> = { 'ihc-nuclei': 'he-nuclei', 'fluorescence-nuclei': 'he-nuclei' }
/** Of the small picture of what less and more of a value do, in assets/guide/effects, which has not one of each. */
export const effectNameOf = (spec: string, stage: string, key: string): string => `${standsFor[spec] ?? spec}.${stage}.${key}`

export const maxRecipeVersions = 200
/** Words of people, on one line, as they are read: nothing that turns or hides characters. */
export const VersionName = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u, 'expected a name on one line, without spaces around it')
/** A recipe's values that somebody keeps under a name. */
export const RecipeVersion = z.object({ name: VersionName, recipe: Recipe })
export type RecipeVersion = z.infer<typeof RecipeVersion>

/** A place in a recipe: a stage, or one of its parameters. */
export const RecipePlace = z.object({ stage: z.string(), param: z.string().optional() })
export type RecipePlace = z.infer<typeof RecipePlace>
