// The pages of the reference: each is made from the table that the program itself uses.
import { codesPage } from './codes'
import { columnsPage } from './columns'
import { commandPages, operationsPage } from './commands'
import { filesPage } from './files'
import { glossaryPage } from './glossary'
import { keysPage } from './keys'
import { recipePages } from './recipes'
import { page } from './text'

export interface MadePage {
  /** From docs/. */
  readonly at: string
  readonly text: string
}

const start: MadePage = {
  at: 'reference/README.md',
  text: page(
    { title: 'Reference', order: 0 },
    'Everything by its name. These pages are made from the tables that the program itself uses, when the site is built.',
    [
      '- [Commands](commands/README.md) of the command line, each with its options, and [operations](operations.md) on images.',
      '- [Recipes](recipes/README.md), with the range, unit and default of every value.',
      '- [Columns](columns.md) of the tables, with unit and formula.',
      '- [Files](files.md) that are read and written, with their versions.',
      '- [Exit codes and error codes](codes.md), with what to do next.',
      '- [Commands and keys](keys.md) of the window.',
      '- [Glossary](glossary.md): one word for one thing.',
    ].join('\n'),
  ),
}

export function referencePages(root: string): MadePage[] {
  return [
    start,
    ...commandPages(),
    operationsPage(),
    ...recipePages(root),
    columnsPage(),
    filesPage(),
    codesPage(),
    keysPage(),
    glossaryPage(),
  ]
}
