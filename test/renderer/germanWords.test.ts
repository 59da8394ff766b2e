// The German texts beside the English ones: nothing is missing, left English, or without a value that English tells; and one word for one thing.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../app/commands'
import { commandGroups, commandLabels } from '../../app/german/commands'
import { words as desktop } from '../../app/desktop/english'
import { words as germanDesktop } from '../../app/desktop/german'
import { areas as english } from '../../renderer/words/english'
import { areas as german } from '../../renderer/words/german'

type Text = string | ((...values: never[]) => unknown)
/** Each text by its path. */
function leaves(of: unknown, path: string): Map<string, Text> {
  if (typeof of === 'string' || typeof of === 'function') return new Map([[path, of as Text]])
  if (typeof of !== 'object' || of === null) return new Map()
  return new Map(Object.entries(of).flatMap(([name, each]) => [...leaves(each, `${path}/${name}`)]))
}
const all = (...of: readonly [unknown, string][]): Map<string, Text> =>
  new Map(of.flatMap(([each, name]) => [...leaves(each, name)]))
const labels = Object.fromEntries(Object.entries(commands).map(([name, { label }]) => [name, label]))
const inEnglish = all([english, ''], [desktop, 'desktop'], [labels, 'commands'])
const inGerman = all([german, ''], [germanDesktop, 'desktop'], [commandLabels, 'commands'])
/** What people look for a command by has both languages' words. */
const isSaid = (path: string): boolean => !path.startsWith('/palette/otherWords/')
const pairs = [...inEnglish]
  .filter(([path]) => isSaid(path))
  .map(([path, text]) => ({ path, english: text, german: inGerman.get(path) }))

test('every English text has a German one, and no other', () => {
  expect(pairs.length).toBeGreaterThan(900)
  expect(pairs.filter((each) => typeof each.german !== typeof each.english).map(({ path }) => path)).toEqual([])
  expect([...inGerman.keys()].filter((path) => isSaid(path) && !inEnglish.has(path))).toEqual([])
  expect(Object.keys(commandGroups).sort()).toEqual([...new Set(Object.values(commands).map(({ group }) => group))].sort())
})

/** Words that are the same in both languages, names, and what has no letters. */
const same: readonly string[] = [
  '/data/Study.morphoscope',
  '/path/to/recipe.json',
  'Auto',
  'Cividis',
  'Cyan',
  'DAB',
  'Deutsch',
  'English',
  'Eosin',
  'Esc',
  'Filter',
  'Filter: area > 40 and circularity < 0.8',
  'Format',
  'Gamma',
  'Import',
  'Lasso',
  'Log',
  'Magenta',
  'Magma',
  'Median',
  'Morphoscope',
  'Name',
  'Otsu',
  'Overlay',
  'PNG',
  'Pause',
  'Positive = A1, Negative = B1',
  'Pseudonym',
  'Radius, µm',
  'Region',
  'SD',
  'Start',
  'Status',
  'System',
  'Tour',
  'Viridis',
  'class = positive and area > 30',
  'µm',
]

test('a German text that is the English one is a word of both languages', () => {
  const found = pairs.flatMap(({ english: one, german: other }) =>
    typeof one === 'string' && one === other && /\p{L}{2}/u.test(one) ? [one] : [],
  )
  expect([...new Set(found)].sort()).toEqual([...same].sort())
})

/** Two of each kind: what a text tells of a value changes with it. */
const kinds: readonly (readonly [unknown, unknown])[] = [
  ['object', 'region'],
  [2, 5],
  [true, false],
  [['Aa'], ['Bb']],
  [0.25, 0.5],
]
const told = (text: Text, values: readonly unknown[]): string | null => {
  try {
    const said = (text as (...given: unknown[]) => unknown)(...values)
    const plain = typeof said === 'string' ? said : JSON.stringify(said)
    return plain === undefined || /NaN|undefined|\[object/.test(plain) ? null : plain
  } catch {
    return null
  }
}
/** Kinds of values that both take. */
function kindsOf(one: Text, other: Text, count: number): readonly (readonly [unknown, unknown])[] | null {
  for (let i = 0; i < kinds.length ** count; i++) {
    const chosen = Array.from({ length: count }, (_, k) => kinds[Math.floor(i / kinds.length ** k) % kinds.length]!)
    const [first, second] = [0, 1].map((n) => chosen.map((kind) => kind[n]))
    if ([one, other].every((text) => told(text, first!) !== null && told(text, second!) !== null)) return chosen
  }
  return null
}
/** They take what the engine tells, as an object or a pair. */
const ofObjects: readonly string[] = [
  '/regions/regionFigures/row',
  '/results/figures/classInterval',
  '/results/hotSpot/none',
  '/results/shares/cuts',
  '/results/shares/interval',
  '/runs/elsewhere/ended',
  '/slides/tone/colourOf',
]

/** Which of its values a text tells: it differs where one of them does, whatever the others are. */
const telling = (text: Text, chosen: readonly (readonly [unknown, unknown])[]): number[] =>
  chosen.flatMap(([, other], k) =>
    [0, 1].some((n) => {
      const values = chosen.map((kind) => kind[n])
      return told(text, values.with(k, n === 0 ? other : chosen[k]![0])) !== told(text, values)
    })
      ? [k]
      : [],
  )

test('a German text tells every value that the English one tells', () => {
  const wrong: string[] = []
  const untried: string[] = []
  for (const { path, english: one, german: other } of pairs) {
    if (typeof one !== 'function' || typeof other !== 'function') continue
    // A German one may leave a value out at the end of its list, which its length tells.
    const count = Math.max(one.length, other.length)
    const chosen = kindsOf(one, other, count)
    if (chosen === null) {
      untried.push(path)
      continue
    }
    const [tells, itTells] = [telling(one, chosen), telling(other, chosen)]
    if (tells.join() !== itTells.join()) wrong.push(`${path}: ${tells.join()} and ${itTells.join()}`)
  }
  expect(wrong).toEqual([])
  expect(untried.sort()).toEqual([...ofObjects].sort())
})

/** "Run" on a button is what it does, and a level of grey is none of a slide's. */
const otherMeaning = ['/timings/work/run', '/viewerTools/ruleMeasures/above/0', '/viewerTools/ruleMeasures/level/0']

/** The table of app/german/README.md. */
const glossary = readFileSync('app/german/README.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| English'))
  .flatMap((line) => {
    const [, a, b, , c, d] = line.split('|').map((cell) => cell.trim())
    return [
      [a, b],
      [c, d],
    ]
  })
  .filter((pair): pair is [string, string] => Boolean(pair[0]) && Boolean(pair[1]))

test('what is called by one word of the glossary has its German word', () => {
  expect(glossary.length).toBeGreaterThan(50)
  const words = new Map(glossary.map(([from, to]) => [from.toLowerCase(), to.toLowerCase()]))
  const wrong = pairs.flatMap(({ path, english: one, german: other }) => {
    const word = typeof one === 'string' ? words.get(one.toLowerCase()) : undefined
    return word !== undefined && !otherMeaning.includes(path) && typeof other === 'string' && other.toLowerCase() !== word
      ? [`${path}: ${other}, not ${word}`]
      : []
  })
  expect(wrong).toEqual([])
})

/** What the glossary has other words for. */
const refused =
  /\b(Slides?|Nukleus|Nuklei|Zellkerne?n?|Thresholds?|Schwellwerte?|Tiles?|Outlines?|Cut-?offs?|Objektträger|Präparate?|Maskierung|Benutzer|User)\b/
test('no text has a word that the glossary has another for', () => {
  const found = pairs.flatMap(({ path, german: other }) =>
    typeof other === 'string' && refused.test(other) ? [`${path}: ${other}`] : [],
  )
  expect(found).toEqual([])
})
