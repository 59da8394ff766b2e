// Phrases: which one a text is made by, what becomes of its values, and that no text takes long.
import { expect, test } from 'vitest'
import { german, messages } from '../../../app/german/messages'
import { Phrasebook, phrasesIn } from '../../../app/german/phrases'
import { germanTitle, titles } from '../../../app/german/titles'

const bookOf = (text: string): Phrasebook => new Phrasebook(phrasesIn(text))

test('values go where German has them, by number or in their order', () => {
  const book = bookOf(`
{} of {} for {}
  Für {3}: {1} von {2}
{} beside {}
  {} neben {}
`)
  expect(book.german('3 of 4 for you')).toBe('Für you: 3 von 4')
  expect(book.german('a beside b')).toBe('a neben b')
  expect(book.german('a above b')).toBe(null)
})

test('a number alone is one, a part is German where it can be, or must be', () => {
  const book = bookOf(`
{n} tiles
  {} Kacheln
It has {P}.
  Es hat {}.
It may have {p}.
  Es kann {} haben.
`)
  expect(book.german('12,345 tiles')).toBe('12\u202f345 Kacheln')
  expect(book.german('The odd tiles')).toBe(null)
  expect(book.german('It has 3 tiles.')).toBe('Es hat 3 Kacheln.')
  expect(book.german('It has something.')).toBe(null)
  expect(book.german('It may have 3 tiles.')).toBe('Es kann 3 Kacheln haben.')
  expect(book.german('It may have something.')).toBe('Es kann something haben.')
})

test('words of a phrase are its own; a place without a number is left out', () => {
  const book = bookOf(`
{} {_} {} it
  {} {}
    hit = getroffen
`)
  expect(book.german('2 hits hit it')).toBe('2 getroffen')
})

test('what begins with words of its own is meant before what begins with a value, then what has most letters', () => {
  const book = bookOf(`
{} is here now
  Jetzt ist {} da
The {} is here now
  {} da
The {} is {}
  {} ist {}
`)
  expect(book.german('The tile is here now')).toBe('tile da')
})

test('sentences and parts of a list are said one by one; one without German leaves all as it is', () => {
  const book = bookOf(`
It is over.
  Es ist vorbei.
{} is gone.
  {} ist weg.
a part
  ein Teil
`)
  expect(book.german('It is over. /a/b.svs is gone. It is over.')).toBe('Es ist vorbei. /a/b.svs ist weg. Es ist vorbei.')
  expect(book.german('It is over. But it was nice.')).toBe(null)
  expect(book.german('a part; a part')).toBe('ein Teil; ein Teil')
})

test('a phrase that leaves out a value, or has one too many, is refused', () => {
  expect(() => phrasesIn('{} of {}\n  {}')).toThrow('expected all values')
  expect(() => phrasesIn('one\n  {}')).toThrow('expected the same values')
  expect(() => phrasesIn('{}{} of it\n  {} {}')).toThrow('expected something between two values')
  expect(() => phrasesIn('one\neins')).toThrow('expected an English line')
})

test('no phrase stands twice, and none is the same in both languages but names', () => {
  for (const phrases of [messages, titles]) {
    const seen = new Set<string>()
    const twice = phrases.filter(({ english, takes }) => {
      const key = `${english} ${takes.join()}`
      return seen.has(key) || !seen.add(key)
    })
    expect(twice.map(({ english }) => english)).toEqual([])
  }
})

const names = [
  'Score',
  'SD',
  'Eosin',
  'eosin',
  'Macenko',
  'Tumor',
  'Stroma',
  'Region',
  'Region {}',
  'NaN',
  'null',
  'true or false',
]
test('German differs from English but in names', () => {
  const same = [...messages, ...titles].filter(
    ({ english, german: parts, end }) => english === parts.map(({ before }) => `${before}{}`).join('') + end,
  )
  expect(
    same
      .map(({ english }) => english)
      .filter(
        (each) =>
          !names.includes(each) &&
          /\p{L}{2}/u.test(each) &&
          !/^(\{\}|[\p{Lu}\d:; ]|regions|slides|runs|classes|edits|history|cpu.*)+$/u.test(each),
      ),
  ).toEqual([])
})

test('a hostile text takes no time', () => {
  const hostile = [
    'expected '.repeat(1800),
    'expected a for b but received '.repeat(500),
    'The project '.repeat(1300),
    `${'a is damaged: '.repeat(1100)}.`,
    'A. '.repeat(5000),
    `${'It is over. '.repeat(1300)}x`,
    'x; '.repeat(5000),
    `${'above 1, '.repeat(1700)}`,
    '('.repeat(16_000),
    'x'.repeat(10_000_000),
  ]
  for (const text of hostile) {
    const began = performance.now()
    german(text)
    germanTitle(text)
    expect(performance.now() - began, text.slice(0, 30)).toBeLessThan(1000)
  }
})

test.each([
  ['Hematoxylin mean', 'Hämatoxylin Mittel'],
  ['Membrane: DAB mean', 'Membran: DAB Mittel'],
  ['CD3 mean above 700, CD8 mean above 1200', 'CD3 Mittel über 700, CD8 Mittel über 1200'],
  ['DAB mean: 1+ above 0.2, 2+ above 0.4, 3+ above 0.6 OD', 'DAB Mittel: 1+ über 0.2, 2+ über 0.4, 3+ über 0.6 OD'],
  ['-50 to 0', '-50 bis 0'],
  ['Whole slide, run 3', 'Ganzer Schnitt, Lauf 3'],
  ['Tumor: points 2', 'Tumor: Punkte 2'],
  ['Distance to nearest Positive', 'Abstand zum nächsten: Positiv'],
])('the title %s', (english, said) => {
  expect(germanTitle(english)).toBe(said)
})

test('a user’s own name is no title', () => {
  expect(germanTitle('Case 12, left')).toBe(null)
})
