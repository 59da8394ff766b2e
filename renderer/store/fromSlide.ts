// Values of the recipe that the open slide tells, or one of its regions: asked of the engine, and put in as one step that can be taken back.
import { isArea, type CallArg, type Result, type StainMethod, noun } from '../../app/contract'
import { api } from '../api'
import { formatPercent } from '../arithmetic/format'
import { change } from './historyActions'
import { tell, tellError } from './notify'
import { areaSelected } from './projectSlice'
import { valuesChanged } from './recipeActions'
import { currentSpec, recipeOf, setParam, type Values } from './recipeSlice'
import { getState } from './store'

/** What is looked at: the slide's sample, or one of the selected region alone. */
export type Source = 'slide' | 'region'

type Asked = CallArg<'slide:classLimit'>
interface Question<V> {
  /** "Stains", "limit": what is taken. */
  readonly what: string
  readonly ask: (asked: Asked) => Promise<Result<V | null>>
  /** By stage and key. */
  readonly valuesOf: (found: V) => Values
  /** What else there is to say of it. */
  readonly words?: (found: V) => string
  /** Why it may tell nothing. */
  readonly untold: Record<Source, string>
}

async function take<V>({ what, ask, valuesOf, words, untold }: Question<V>, source: Source): Promise<void> {
  const { slide, recipe, project } = getState()
  const asked = recipeOf(recipe)
  const slideId = slide.info?.slideId
  const shape = source === 'region' ? areaSelected(project)?.shape : undefined
  if (!asked || slideId === undefined || (source === 'region' && !shape)) return
  const from = source === 'region' ? 'the selected region' : 'the slide'
  const title = `${what} from ${from}`
  const mpp = slide.mppGiven === null ? {} : { mpp: slide.mppGiven }
  const within = shape && isArea(shape) ? { within: shape } : {}
  const result = await ask({ slideId, recipe: asked, ...mpp, ...within })
  // Meant for what was open when it was asked for.
  if (getState().slide.info?.slideId !== slideId || currentSpec(getState().recipe)?.id !== asked.spec) return
  if (!result.ok) return tellError(result.error, title)
  const found = result.value
  if (!found) return tell(`${untold[source]} The values stay as they are.`, title, 8000)
  const put = change('recipe', `${what.toLowerCase()} from ${source === 'region' ? 'the region' : 'the slide'}`, (state) =>
    Object.entries(valuesOf(found)).reduce(
      (changed, [stage, values]) =>
        Object.entries(values).reduce((inStage, [key, value]) => setParam(inStage, stage, key, value), changed),
      state,
    ),
  )
  if (words) tell(words(found), title, 8000)
  if (put) valuesChanged()
}

export const takeStains = (method: StainMethod, source: Source): Promise<void> =>
  take(
    {
      what: 'Stains',
      ask: (asked) => api().call('slide:stains', { ...asked, method }),
      valuesOf: (stains) => ({ stains }),
      untold: {
        slide: 'Its sample has too little stain, or one stain alone.',
        region:
          'It has too little stain, or one stain alone; a larger region, or one with nuclei and what is around them, tells more.',
      },
    },
    source,
  )

/** The limit between the recipe's classes; it must have some. */
export function takeClassLimit(source: Source): Promise<void> {
  const classes = currentSpec(getState().recipe)?.classes
  if (!classes) return Promise.resolve()
  const [stage = '', key = ''] = classes.limit.split('.')
  return take(
    {
      what: 'Limit',
      ask: (asked) => api().call('slide:classLimit', asked),
      valuesOf: ({ limit }) => ({ [stage]: { [key]: limit } }),
      words: ({ limit, nuclei, above }) =>
        `${classes.above.label} above OD ${limit.toFixed(2)}: ${formatPercent(above / nuclei)} of ${nuclei} ${noun(nuclei, 'nucleus', 'nuclei')} of a sample.`,
      untold: { slide: 'Its sample has too few nuclei.', region: 'It has too few nuclei; a larger region tells more.' },
    },
    source,
  )
}
