// The guide as a page of Markdown beside its pictures: assets/guide/README.md, made of the same data as the window's.
import { commands, type Command, type KeySet } from '../../app/commands'
import { guideChapters } from '../../app/guide'
import { keysOf, withKeys } from '../../renderer/store/base/commandKeys'

const shown = (command: Command, set: KeySet): string => keysOf(command, set).join(', ') || keysOf('palette', set)[0]!

export function guideText(): string {
  const chapters = guideChapters.map(({ id, title, words, alt, marks, commands: named }) =>
    [
      `## ${title}`,
      `![${alt}](${id}.webp)`,
      ...(marks.length > 0 ? [marks.map((mark, i) => `${i + 1}. ${mark.words}`).join('\n')] : []),
      ...words.map((text) => withKeys(text, 'morphoscope')),
      ...(named.length > 0
        ? [
            [
              '| key | of QuPath’s | does |',
              '|---|---|---|',
              ...named.map(
                (command) => `| ${shown(command, 'morphoscope')} | ${shown(command, 'qupath')} | ${commands[command].label} |`,
              ),
            ].join('\n'),
          ]
        : []),
    ].join('\n\n'),
  )
  return [
    '# The guide',
    'What is where. The window has the same under F1.\n\n<!-- Text: app/guide.ts; this page and its pictures are made by npm run guide. -->',
    ...chapters,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}
