// What can be looked at in place of the slide's colours, as a list to choose from.
import { tissueLayer, type RecipeSpec } from '../../app/contract'
import { stainNames } from './slideSlice'

export const imageLayers = (spec: RecipeSpec | null, withTissue: boolean) => [
  {
    group: 'Image',
    items: [{ value: 'slide', label: 'Slide' }, ...(withTissue ? [{ value: `layer:${tissueLayer}`, label: 'Tissue' }] : [])],
  },
  { group: 'Stains', items: stainNames[spec?.stainSet ?? 'h-e'].map((label, i) => ({ value: `stain:${i}`, label })) },
]

export const layerChoices = (spec: RecipeSpec | null) => [
  ...imageLayers(spec, true),
  { group: 'Steps of the recipe', items: (spec?.layers ?? []).map(({ id, label }) => ({ value: `layer:${id}`, label })) },
]
