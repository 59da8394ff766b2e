// What can be looked at in place of the slide's colours, as a list to choose from.
import { tissueLayer, type RecipeSpec } from '../../../app/contract'
import { words } from '../../words'
import { stainNames } from '../slices/slideSlice'

export const imageLayers = (spec: RecipeSpec | null, withTissue: boolean) => [
  {
    group: words.names.image,
    items: [
      { value: 'slide', label: words.names.slide },
      ...(withTissue ? [{ value: `layer:${tissueLayer}`, label: words.names.tissue }] : []),
    ],
  },
  { group: words.names.stains, items: stainNames[spec?.stainSet ?? 'h-e'].map((label, i) => ({ value: `stain:${i}`, label })) },
]

export const layerChoices = (spec: RecipeSpec | null) => [
  ...imageLayers(spec, true),
  { group: words.layers.steps, items: (spec?.layers ?? []).map(({ id, label }) => ({ value: `layer:${id}`, label })) },
]
