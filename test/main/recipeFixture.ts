// A small recipe spec with one parameter of every kind, for tests that need no native engine.
import { RecipeSpec } from '../../app/contract'
import type { Recipe } from '../../app/contract'

export const spec: RecipeSpec = RecipeSpec.parse({
  format: 'morphoscope-recipe-spec',
  version: 1,
  id: 'test',
  name: 'Test',
  description: 'For tests',
  pipeline: 'he-nuclei',
  stainSet: 'h-e',
  stages: [
    {
      id: 'image',
      label: 'Image',
      help: '',
      params: [
        { kind: 'number', key: 'pixelSizeUm', label: '', help: '', unit: 'none', min: 0, max: 10, step: 0.05, default: 0.5 },
        {
          kind: 'choice',
          key: 'channel',
          label: '',
          help: '',
          choices: [
            { value: 'red', label: '' },
            { value: 'hematoxylin', label: '' },
          ],
          default: 'hematoxylin',
        },
      ],
    },
    {
      id: 'objects',
      label: 'Objects',
      help: '',
      params: [
        { kind: 'number', key: 'radius', label: '', help: '', unit: 'um', min: 0, max: 20, step: 0.5, default: 4 },
        { kind: 'number', key: 'minArea', label: '', help: '', unit: 'um2', min: 0, max: 1000, step: 1, default: 10 },
        { kind: 'number', key: 'count', label: '', help: '', unit: 'count', min: 0, max: 9, step: 1, default: 3, integer: true },
        { kind: 'toggle', key: 'split', label: '', help: '', default: true },
      ],
    },
  ],
  layers: [{ id: 'channel', label: 'Channel' }],
})

export function recipe(params: Recipe['params'] = {}): Recipe {
  return { format: 'morphoscope-recipe', version: 1, spec: 'test', name: 'mine', params }
}
