// Values of the recipe that the open slide tells, or one of its regions: asked of the engine, and put in as one step that can be taken back.
import { isArea, type CallArg, type Result, type StainMethod } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { change } from './historyActions'
import { tell, tellError } from '../base/notify'
import { areaSelected } from '../slices/projectSlice'
import { valuesChanged } from './recipeActions'
import type { Values } from '../slices/recipeCuts'
import { currentSpec, recipeOf, setParam } from '../slices/recipeSlice'
import { getState } from '../store'

/** What is looked at: the slide's sample, or one of the selected region alone. */
export type Source = 'slide' | 'region'

type ClassLimitRequest = CallArg<'slide:classLimit'>
interface Question<V> {
  readonly texts: {
    readonly title: (source: Source) => string
    /** Of the step that can be undone. */
    readonly step: (source: Source) => string
    /** Why it may tell nothing. */
    readonly untold: Record<Source, string>
  }
  readonly ask: (asked: ClassLimitRequest) => Promise<Result<V | null>>
  /** By stage and key. */
  readonly valuesOf: (found: V) => Values
  /** What else there is to say of it. */
  readonly said?: (found: V) => string
}

async function take<V>({ texts, ask, valuesOf, said }: Question<V>, source: Source): Promise<void> {
  const { slide, recipe, project } = getState()
  const asked = recipeOf(recipe)
  const slideId = slide.info?.slideId
  const shape = source === 'region' ? areaSelected(project)?.shape : undefined
  if (!asked || slideId === undefined || (source === 'region' && !shape)) return
  const title = texts.title(source)
  const mpp = slide.mppGiven === null ? {} : { mpp: slide.mppGiven }
  const within = shape && isArea(shape) ? { within: shape } : {}
  const result = await ask({ slideId, recipe: asked, ...mpp, ...within })
  // Meant for what was open when it was asked for.
  if (getState().slide.info?.slideId !== slideId || currentSpec(getState().recipe)?.id !== asked.spec) return
  if (!result.ok) return tellError(result.error, title)
  const found = result.value
  if (!found) return tell(texts.untold[source], title, 8000)
  const put = change('recipe', texts.step(source), (state) =>
    Object.entries(valuesOf(found)).reduce(
      (changed, [stage, values]) =>
        Object.entries(values).reduce((inStage, [key, value]) => setParam(inStage, stage, key, value), changed),
      state,
    ),
  )
  if (said) tell(said(found), title, 8000)
  if (put) valuesChanged()
}

export const takeStains = (method: StainMethod, source: Source): Promise<void> =>
  take(
    {
      texts: words.fromSlide.stains,
      ask: (asked) => api().call('slide:stains', { ...asked, method }),
      valuesOf: (stains) => ({ stains }),
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
      texts: words.fromSlide.limit,
      ask: (asked) => api().call('slide:classLimit', asked),
      valuesOf: ({ limit }) => ({ [stage]: { [key]: limit } }),
      said: ({ limit, nuclei, above }) => words.fromSlide.limit.found(classes.above.label, limit, above / nuclei, nuclei),
    },
    source,
  )
}
