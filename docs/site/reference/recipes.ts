// A page for each bundled recipe: its steps, and every value with its range, unit, default and small picture.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { effectNameOf, RecipeSpec, stainSets, unitSymbols } from '../../../app/contract'
import type { ParamSpec, StageSpec } from '../../../app/contract'
import { words } from '../../../renderer/words'
import type { MadePage } from './pages'
import { cell, code, page, plain, table } from './text'

/** As the recipe panel lists them: the first choice first. */
const order = ['he-nuclei', 'ihc-nuclei', 'fluorescence-nuclei', 'max-tree-nuclei', 'cell-detection', 'iwpp-nuclei']

export function bundledRecipes(root: string): RecipeSpec[] {
  const folder = join(root, 'assets', 'recipes')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => RecipeSpec.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

const effects = 'assets/guide/effects'
interface Shown {
  readonly less: number | null
  readonly more: number | null
}

/** The small picture of a value, and what its parts show: of the recipe that it was made with. */
function effectText(root: string, specs: readonly RecipeSpec[], spec: string, stage: string, key: string): string {
  const name = effectNameOf(spec, stage, key)
  const made = specs.find(({ id }) => id === name.split('.')[0])
  const usual = made?.stages.find(({ id }) => id === stage)?.params.find((param) => param.key === key)?.default
  const shown = (JSON.parse(readFileSync(join(root, effects, 'effects.json'), 'utf8')) as Record<string, Shown>)[name]
  if (!made || usual === undefined || !shown || !existsSync(join(root, effects, `${name}.webp`))) return ''
  const values = [shown.less, words.param.default(String(usual)), shown.more].filter((each) => each !== null).join(' · ')
  const whose = made.id === spec ? '' : ` It was made with ${plain(made.name)}, which has this value too.`
  return `![${words.param.effectAlt(values)}](../../../${effects}/${name}.webp)\n\n${plain(words.param.effect(values))}.${whose}`
}

function facts(param: ParamSpec): string[][] {
  switch (param.kind) {
    case 'number': {
      const unit = unitSymbols[param.unit]
      const withUnit = (value: number) => `${value}${unit === '' ? '' : ` ${unit}`}`
      return [
        ['range', `${param.min} to ${withUnit(param.max)}${param.integer ? ', whole numbers' : ''}`],
        ['default', withUnit(param.default)],
        ...(param.zero === undefined ? [] : [['0 means', cell(param.zero)]]),
        ...(param.previewValue === undefined
          ? []
          : [['in previews', `0 is taken as ${withUnit(param.previewValue)} while it would keep you waiting`]]),
      ]
    }
    case 'choice':
      return [
        ['choices', param.choices.map(({ value, label }) => `${code(value)} (${cell(label)})`).join(', ')],
        ['default', code(param.default)],
      ]
    case 'toggle':
      return [
        ['choices', '`true`, `false`'],
        ['default', code(String(param.default))],
      ]
  }
}

function paramText(root: string, specs: readonly RecipeSpec[], spec: RecipeSpec, stage: StageSpec, param: ParamSpec): string {
  const when = param.when && stage.params.find(({ key }) => key === param.when!.key)
  const layer = spec.layers.find(({ id }) => id === param.changes)
  return [
    `### ${plain(param.label)} {#${stage.id}-${param.key}}`,
    plain(param.help),
    table(
      ['set', code(`${stage.id}.${param.key}`)],
      [
        ...facts(param),
        ...(layer ? [['first changes', cell(layer.label)]] : [['first changes', 'no image']]),
        ...(when
          ? [['only where', `${cell(when.label)} is ${param.when!.is.map((each) => code(String(each))).join(' or ')}`]]
          : []),
      ],
    ),
    param.kind === 'number' ? effectText(root, specs, spec.id, stage.id, param.key) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function classesText({ classes, stainSet }: RecipeSpec): string {
  if (!classes) return ''
  const { channel, limit, below, above } = classes
  const [stage, key] = limit.split('.')
  return `Objects are of the class ${plain(above.label)} where their mean of ${stainSets[stainSet].names[channel]} is above [${code(limit)}](#${stage}-${key}), else of the class ${plain(below.label)}.`
}

export function recipePages(root: string): MadePage[] {
  const specs = bundledRecipes(root)
  return [
    {
      at: 'reference/recipes/README.md',
      text: page(
        { title: 'Recipes', order: 3 },
        'The bundled recipes. The window shows the same texts beside each slider. On the command line `--set stage.value=1` changes a value.',
        table(
          ['recipe', 'name', 'for'],
          specs.map(({ id, name, description }) => [`[${code(id)}](${id}.md)`, cell(name), cell(description)]),
        ),
        'How well each works is [measured](../../../test/bench/README.md#quality). How the file of a recipe looks: [assets/recipes](../../../assets/recipes/README.md).',
      ),
    },
    ...specs.map((spec, i): MadePage => ({
      at: `reference/recipes/${spec.id}.md`,
      text: page(
        { title: spec.name, order: i },
        plain(spec.description),
        table(
          ['recipe', code(spec.id)],
          [
            ['version of its file', String(spec.version)],
            ['channels', stainSets[spec.stainSet].names.join(', ')],
            ['images of its steps', spec.layers.map(({ label }) => cell(label)).join(', ')],
          ],
        ),
        classesText(spec),
        ...spec.stages.flatMap((stage) => [
          `## ${plain(stage.label)} {#${stage.id}}`,
          plain(stage.help),
          ...stage.params.map((param) => paramText(root, specs, spec, stage, param)),
        ]),
      ),
    })),
  ]
}
