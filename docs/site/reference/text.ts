// What the made pages are written with: the program's own words as Markdown that stays words, and tables.

/** Outside of code nothing of it is markup. */
export const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replace(/[\\*_[\]<>]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/\{\{/g, '&#123;&#123;'),
    )
    .join('')

/** Of a table: on one line, with no end of the cell in it. */
export const cell = (text: string): string => plain(text).replaceAll('|', '\\|').replaceAll('\n', '<br>')

export const code = (text: string): string => `\`${text}\``

/** As a sentence. */
export const sentence = (text: string): string => {
  const trimmed = text.trim()
  // A unit that begins it stays as it is.
  const first = trimmed.startsWith('µ') ? 'µ' : trimmed.charAt(0).toUpperCase()
  return trimmed === '' ? '' : `${first}${trimmed.slice(1)}${/[.!?:]$/.test(trimmed) ? '' : '.'}`
}

/** Cells are Markdown already. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

export const page = (head: { readonly title: string; readonly order?: number }, ...parts: readonly string[]): string =>
  [
    ['---', `title: ${JSON.stringify(head.title)}`, ...(head.order === undefined ? [] : [`order: ${head.order}`]), '---'].join(
      '\n',
    ),
    `# ${plain(head.title)}`,
    ...parts.filter((part) => part !== ''),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
