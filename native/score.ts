// What the score of an object is made of, by the engine's own table (native/contract/object_score.hpp).

/** A measurement that counts nothing up to `none`, in full from `full` on, and in proportion between. */
export interface ScoreRamp {
  readonly of: 'contrast' | 'solidity'
  readonly none: number
  readonly full: number
}
export interface ScoreTable {
  readonly version: number
  /** A score is the mean of these. */
  readonly parts: readonly ScoreRamp[]
}
/** 0 to 100. `full`: from what value of the measurement on it is 100. */
export interface ScorePart {
  readonly of: ScoreRamp['of']
  readonly part: number
  readonly full: number
}

type Scored = Readonly<Record<ScoreRamp['of'] | 'score', number>>

/** null where an object has no score, or has it of another version's table. */
export function partsBy({ parts }: ScoreTable, object: Scored): ScorePart[] | null {
  if (Number.isNaN(object.score)) return null
  const shares = parts.map(({ of, none, full }) => Math.min(1, Math.max(0, (object[of] - none) / (full - none))))
  const score = Math.floor((100 * shares.reduce((sum, share) => sum + share, 0)) / parts.length + 0.5)
  return score === object.score ? parts.map(({ of, full }, i) => ({ of, full, part: 100 * shares[i]! })) : null
}
