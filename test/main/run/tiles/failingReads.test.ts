// A slide with reads that fail once: run, journal, repair, resume. What run.json calls certain is what the whole slide gives. Two hundred seeds: test/stress.
import { expect, it } from 'vitest'
import type { Recipe } from '../../../../app/contract'
import { canFailReads, failingReads } from '../../../stress/failingReadsIn'

const recipe: Recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'x', params: {} }

it.skipIf(!canFailReads)(
  'where reads fail once nothing wrong is called certain, and a run that goes on is whole',
  async () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
    // Where four windows meet.
    const region = { x: 774, y: 774, width: 500, height: 500 }
    const found = await failingReads({ region, recipe, seeds, share: 60 })
    expect(found.map(({ seed }) => seed)).toEqual(seeds)
    for (const of of found) expect(of).toMatchObject({ wrong: 0, resumedDiffers: false })
    const sum = (each: (of: (typeof found)[number]) => number): number => found.reduce((all, of) => all + each(of), 0)
    // It is not for nothing: objects were wrong, and said to be; tiles were gone on with; and most was certain.
    expect(sum(({ told }) => told)).toBeGreaterThan(30)
    expect(sum(({ resumedTiles }) => resumedTiles)).toBeGreaterThan(5)
    for (const { unreadableTiles, uncertainTiles, certainShare } of found) {
      if (unreadableTiles + uncertainTiles > 0) expect(certainShare).toBeLessThan(1)
      expect(certainShare).toBeGreaterThan(0.5)
    }
  },
  120_000,
)
