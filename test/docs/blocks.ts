// What a page of the documentation asks its reader to type, and what it says comes out: its fenced blocks, in their order.
export interface Block {
  /** 1 for the page's first line. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** Lines of its text in the page: from this one, up to before that one. */
  readonly from: number
  readonly to: number
}

/** A program, or a package of Python or of npm, that not everybody has. */
export interface Need {
  readonly of: 'program' | 'Python' | 'npm'
  readonly name: string
}

export type Step =
  | { readonly kind: 'run'; readonly block: Block; readonly prints?: Block; readonly needs: readonly Need[] }
  | { readonly kind: 'file'; readonly block: Block; readonly name: string }
  | { readonly kind: 'skipped'; readonly block: Block; readonly why: string }

/** What a reader saves in a file. */
const saved = new Set(['python', 'json', 'r', 'sql', 'groovy', 'js'])
const notRun = /^\*?Not run by the tests: (.+?)\*?$/
const oneNeed = /(?:(Python|npm)’s )?`([\w./@-]+)`/
const needed = new RegExp(
  `^\\*?Run by the tests only where (${oneNeed.source}(?:(?:, | and )${oneNeed.source})*) (?:is|are)\\.?\\*?$`,
)
const needsOf = (line: string): Need[] =>
  [...(needed.exec(line)?.[1] ?? '').matchAll(new RegExp(oneNeed, 'g'))].map(([, of, name]) => ({
    of: (of as 'Python' | 'npm' | undefined) ?? 'program',
    name: name!,
  }))
const named = /\b[Ss]ave this as `([\w.-]+)`/

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const opened = /^(```+)(\S*)\s*$/.exec(lines[at]!)
    if (!opened) continue
    const from = at + 1
    let to = from
    while (to < lines.length && lines[to] !== opened[1]) to++
    if (to === lines.length) throw new Error(`line ${at + 1}: a block that does not end`)
    blocks.push({ line: at + 1, language: opened[2]!, text: lines.slice(from, to).join('\n'), from, to })
    at = to
  }
  return blocks
}

/** Throws where a block is neither run, nor saved, nor said to be left out. */
export function stepsOf(page: string): Step[] {
  const lines = page.split('\n')
  const blocks = blocksOf(lines)
  const steps: Step[] = []
  for (const [i, block] of blocks.entries()) {
    const after = lines.slice(block.to + 1).find((line) => line.trim() !== '') ?? ''
    const before = lines.slice(0, block.line - 1).findLast((line) => line.trim() !== '') ?? ''
    const why = notRun.exec(after)?.[1]
    const name = named.exec(before)?.[1]
    const next = blocks[i + 1]
    const previous = steps.at(-1)
    if (why !== undefined) steps.push({ kind: 'skipped', block, why })
    else if (saved.has(block.language) && name !== undefined) steps.push({ kind: 'file', block, name })
    else if (block.language === 'sh')
      steps.push({
        ...{ kind: 'run', block },
        ...(next?.language === 'text' && { prints: next }),
        needs: needsOf(after),
      })
    else if (!(block.language === 'text' && previous?.kind === 'run' && previous.prints === block))
      throw new Error(
        `line ${block.line}: a block that is not sh or text, not saved ("Save this as \`NAME\`") and not "Not run by the tests: WHY"`,
      )
  }
  return steps
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** In what a page shows, … stands for anything within a line, and alone in a line for any lines. */
export function agrees(shown: string, printed: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:[^\n]*\n)*?' : `${line.trimEnd().split('…').map(escaped).join('[^\n]*?')}\n`))
    .join('')
  const text = `${printed.trimEnd().replace(/[ \t]+$/gm, '')}\n`
  return new RegExp(`^${pattern}$`).test(text)
}

/** What was printed, as a page shows it: without this machine's folder and its times. */
export const shownAs = (printed: string, folder: string): string =>
  printed
    .trimEnd()
    .replaceAll(folder, '…')
    .replace(/\bin \d+(\.\d+)? s\b/g, 'in … s')
    .replace(/[ \t]+$/gm, '')
