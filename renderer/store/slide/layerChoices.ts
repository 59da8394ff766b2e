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

/** `map`: the layer of a map of density that there is. */
export const layerChoices = (spec: RecipeSpec | null, map: string | null) => [
  ...imageLayers(spec, true),
  ...(map === null ? [] : [{ group: words.names.results, items: [{ value: `layer:${map}`, label: words.map.layer }] }]),
  { group: words.layers.steps, items: (spec?.layers ?? []).map(({ id, label }) => ({ value: `layer:${id}`, label })) },
]
