// What the pages of docs show can be typed: each command is there, with each of its options; and docs/command-line.md has every command.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../../../app/cli/cli'
import { cli } from './inProcess'

const docs = join(import.meta.dirname, '..', '..', '..', 'docs')
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
/** Of a page those that are typed, each on one line. */
const linesOf = (page: string): string[] =>
  readFileSync(join(docs, page), 'utf8')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.startsWith('npx morphoscope ') && !line.includes('COMMAND'))
const terminal = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
const root = program(terminal, new AbortController().signal, () => undefined)
type Command = typeof root
const childOf = (command: Pick<Command, 'commands'>, name: string | undefined) =>
  command.commands.find((each) => each.name() === name)

test('every command that a page shows takes the options that stand there', async () => {
  const lines = pages.flatMap(linesOf)
  expect(lines.length).toBeGreaterThan(30)
  for (const line of lines) {
    const words = line.split(' ').slice(2)
    const first = childOf(root, words[0])
    expect(first, line).toBeDefined()
    const last = childOf(first!, words[1]) ?? first!
    const options = words.filter((word) => word.startsWith('--') && word !== '--help').map((word) => word.split('=')[0]!)
    if (first!.name() === 'op') {
      const { out } = await cli('op', words[1]!, '--help')
      expect(
        options.filter((option) => !out.includes(option)),
        line,
      ).toEqual([])
    } else {
      const known = last.options.map(({ long }) => long)
      expect(
        options.filter((option) => !known.includes(option)),
        line,
      ).toEqual([])
    }
  }
})

test('every command is on the page', () => {
  const shown = linesOf('command-line.md').map((line) => line.split(' ').slice(2, 4))
  for (const command of root.commands) {
    const names =
      command.commands.length === 0 ? [[command.name()]] : command.commands.map((each) => [command.name(), each.name()])
    for (const name of names)
      expect(
        shown.some((words) => name.every((word, i) => words[i] === word)),
        name.join(' '),
      ).toBe(true)
  }
})
