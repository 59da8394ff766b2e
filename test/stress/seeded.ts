// Chance that comes back: numbers from a seed, and how often a campaign does what it does (more by hand than in `npm test`).

/** Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export const seed = Number(process.env['MORPHOSCOPE_STRESS_SEED'] ?? 11)

/** `few` in npm test; by hand MORPHOSCOPE_STRESS_<NAME>. */
export const times = (name: string, few: number): number => Number(process.env[`MORPHOSCOPE_STRESS_${name}`] ?? few)

/** A hand-run campaign may take hours. */
export const noLimit = 12 * 60 * 60 * 1000
