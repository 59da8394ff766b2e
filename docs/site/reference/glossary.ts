// The glossary's page, from its table.
import type { MadePage } from './pages'
import { cell, page, table } from './text'
import { terms } from './terms'

export function glossaryPage(): MadePage {
  const sorted = terms.toSorted((a, b) => a.word.localeCompare(b.word, 'en', { sensitivity: 'base' }))
  return {
    at: 'reference/glossary.md',
    text: page(
      { title: 'Glossary', order: 8 },
      'One word for one thing: the window, the command line and these pages use them alike.',
      table(
        ['word', 'what it is', 'elsewhere called'],
        sorted.map(({ word, text, elsewhere }) => [`**${cell(word)}**`, cell(text), cell(elsewhere ?? '')]),
      ),
    ),
  }
}
