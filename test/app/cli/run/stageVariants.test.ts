// Algorithms chosen on the command line, and their names against the engine's.
import { expect, it } from 'vitest'
import { stageVariants } from '../../../../app/cli/run/stageVariants'
import { StageVariants, variantNames } from '../../../../app/contract'
import { ops } from '../../../../native/index'

it('reads each, and refuses what is none', () => {
  expect(stageVariants(undefined)).toEqual({})
  expect(stageVariants(['split/watershed=drop-of-water', ' mask/reconstruct = queue '])).toEqual({
    variants: { 'split/watershed': 'drop-of-water', 'mask/reconstruct': 'queue' },
  })
  for (const wrong of [
    '',
    'split',
    'split/watershed',
    'split/watershed=',
    'split/watershed=queue',
    'split/distance=exact',
    '=auto',
  ])
    expect(() => stageVariants([wrong])).toThrow(`--variant: expected stage/operation=variant, of reconstruct (auto, `)
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`s${i}/watershed`, 'auto']))
  expect(StageVariants.safeParse(many).success).toBe(false)
})

it('knows the names that the engine knows', () => {
  for (const [op, names] of Object.entries(variantNames)) {
    const variant = ops()
      .find(({ name }) => name === op)!
      .params.find(({ name }) => name === 'variant')!
    expect([op, variant]).toMatchObject([op, { choices: [...names] }])
  }
})
