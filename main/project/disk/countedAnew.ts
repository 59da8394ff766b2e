// Numbers that count up are counted from the first again where a file has them so high that a change would pass what can be read: no document of ours gets there.
import type { Database } from 'libsql'
import type { Found } from './load'

/** Whoever works all day long for a thousand years stays below it; what is left up to the limit of what is read is theirs too. */
const highest = 2 ** 50

/** The same content, in the file as well, in its own order. */
export function countedAnew(db: Database, found: Found): Found {
  const { content, steps, revision } = found
  const placed = [...content.regions.values()]
  const areHigh = steps.some(({ seq }) => seq > highest)
  const lieHigh = placed.some(({ place }) => Math.abs(place) > highest)
  if (!areHigh && !lieHigh && revision <= highest) return found
  db.exec('BEGIN IMMEDIATE')
  try {
    // Each becomes lower or stays, the lowest first: none takes the number of one that is still to come.
    const step = db.prepare('UPDATE history SET seq = ? WHERE seq = ?')
    if (areHigh) steps.forEach(({ seq }, i) => step.run(i + 1, seq))
    const region = db.prepare('UPDATE regions SET place = ? WHERE id = ?')
    if (lieHigh) placed.forEach(({ region: { id } }, i) => region.run(i + 1, id))
    db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run('revision', '1')
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
  const regions = lieHigh
    ? new Map(placed.map(({ region }, i) => [region.id, { region, place: i + 1 }] as const))
    : content.regions
  return {
    ...found,
    content: { ...content, regions },
    steps: areHigh ? steps.map((each, i) => ({ ...each, seq: i + 1 })) : steps,
    revision: 1,
  }
}
