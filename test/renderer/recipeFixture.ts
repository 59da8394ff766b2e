// A recipe spec of one stage with a parameter of each kind, for the tests of the store.
import { RecipeSpec } from '../../app/contract'

export const spec = RecipeSpec.parse({
  format: 'morphoscope-recipe-spec',
  version: 1,
  id: 'one',
  name: 'One',
  description: '',
  pipeline: 'one',
  stainSet: 'h-e',
  layers: [],
  stages: [
    {
      id: 'mask',
      label: 'Mask',
      help: '',
      params: [
        { kind: 'number', key: 'level', label: 'Level', help: '', unit: 'level', min: 0, max: 10, step: 0.1, default: 5 },
        { kind: 'number', key: 'size', label: 'Size', help: '', unit: 'px', min: 1, max: 99, step: 2, default: 3, integer: true },
        {
          kind: 'choice',
          key: 'way',
          label: 'Way',
          help: '',
          choices: [
            { value: 'a', label: 'A' },
            { value: 'b', label: 'B' },
          ],
          default: 'a',
        },
        { kind: 'toggle', key: 'on', label: 'On', help: '', default: true },
      ],
    },
  ],
})
