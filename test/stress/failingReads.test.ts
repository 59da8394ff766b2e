// Two hundred seeds of a slide on which 1 % of the tiles fail once each, and some with more: a small sample runs in npm test.
import { expect, it } from 'vitest'
import type { Recipe } from '../../app/contract'
import { failingReads } from './failingReadsIn'
import { times } from './seeded'

const recipe: Recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'x', params: {} }

it.each([
  ['1 %', 10, times('SEEDS', 200)],
  ['8 %', 80, times('SEEDS', 200) / 4],
])('%s of the tiles fail once each', async (_, share, count) => {
  const seeds = Array.from({ length: Math.ceil(count) }, (_, i) => i + 1)
  const region = { x: 400, y: 400, width: 1300, height: 1300 }
  const found = await failingReads({ region, recipe, seeds, share })
  expect(found).toHaveLength(seeds.length)
  for (const of of found) expect(of).toMatchObject({ wrong: 0, resumedDiffers: false })
  const sum = (each: (of: (typeof found)[number]) => number): number => found.reduce((all, of) => all + each(of), 0)
  process.stdout.write(
    `${found.length} seeds: ${sum(({ unreadableTiles }) => unreadableTiles)} unread tiles, ${sum(({ uncertainTiles }) => uncertainTiles)} beside such, ${sum(({ told }) => told)} objects differ, all told\n`,
  )
})
