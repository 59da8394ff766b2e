// The page of files: what is read, what is written, and the program's own formats with their versions, as the code that writes them has them.
import { exportFiles, Recipe, RecipeSpec, unitSymbols } from '../../../app/contract'
import { Prepared } from '../../../main/shards/prepared'
import { JournalHead } from '../../../main/run/journal/journal'
import { migrations } from '../../../main/project/schema'
import { words } from '../../../renderer/words'
import { readOthers, readSlides, runJsonTexts, writtenFormats } from './fileTexts'
import type { ReadFormat } from './fileTexts'
import type { MadePage } from './pages'
import { schemaNames, schemaPlace } from './schemas'
import { cell, code, page, sentence, table } from './text'

const ownFormats = (): string[][] => [
  [
    'a recipe, `.json`',
    code(Recipe.shape.format.value),
    String(Recipe.shape.version.value),
    'The values of a bundled recipe; absent ones are its defaults.',
  ],
  [
    'a bundled recipe',
    code(RecipeSpec.shape.format.value),
    String(RecipeSpec.shape.version.value),
    `Steps and values with their texts, in ${Object.keys(unitSymbols).map(code).join(', ')}: [how it looks](../../assets/recipes/README.md).`,
  ],
  [
    '`run.json`',
    '`morphoscope-run`',
    writtenFormats['run.json'].version.replace(/\D+/, ''),
    'The record of a run: [below](#run-json).',
  ],
  [
    'a project, `NAME.morphoscope`',
    'a folder with SQLite',
    String(migrations.length),
    'Older ones are brought to this version when they are opened: [on disk](../../main/project/disk.md).',
  ],
  [
    'a run that goes on, `.journal`',
    code(JournalHead.shape.format.value),
    String(JournalHead.shape.version.value),
    'From it `run --resume` goes on: [the journal](../../main/run/journal/journal.md).',
  ],
  [
    '`prepared.json`',
    code(Prepared.shape.format.value),
    String(Prepared.shape.version.value),
    'What `prepare` finds for all shards: [shards](../../main/shards/README.md).',
  ],
]

const readRow = ({ name, endings, text }: ReadFormat): string[] => [
  cell(name),
  endings.map((each) => code(`.${each}`)).join(' '),
  cell(text),
]

export function filesPage(): MadePage {
  return {
    at: 'reference/files.md',
    text: page(
      { title: 'Files', order: 5 },
      '## Slides that are read',
      table(['format', 'endings', 'what of it'], readSlides.map(readRow)),
      '## Other files that are read',
      table(['format', 'endings', 'what of it'], readOthers.map(readRow)),
      '## Files that an export writes',
      '`--files` chooses them by these names, and so does the window’s dialog. What each holds in detail: [the files of an export](../../main/export/files.md).',
      table(
        ['file', 'what it is', 'format', 'version'],
        exportFiles.map((name) => [
          code(name),
          cell(sentence(words.exportDialog.files[name])),
          cell(writtenFormats[name].format),
          cell(writtenFormats[name].version),
        ]),
      ),
      'Columns of the tables are [on a page of their own](columns.md).',
      '## Formats of this program',
      table(['file', 'its format', 'version', 'what it is'], ownFormats()),
      '### Schemas',
      `As JSON Schema, for editors and scripts: ${schemaNames.map((name) => `<a href="/${schemaPlace(name)}" target="_self">${name}.json</a>`).join(', ')}. They are made of the checks that the program itself reads these files with.`,
      '## run.json {#run-json}',
      'Its names on the first level. Some are there only where they say something.',
      table(
        ['name', 'what it is'],
        Object.entries(runJsonTexts).map(([name, text]) => [code(name), cell(text)]),
      ),
    ),
  }
}
