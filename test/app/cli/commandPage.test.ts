// What docs/command-line.md shows can be typed: each command is there, with each of its options; and every command and exit code is on the page.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { program } from '../../../app/cli/cli'
import { ExitCode } from '../../../app/cli/exitCodes'
import { cli } from './inProcess'

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
const terminal = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
const root = program(terminal, new AbortController().signal, () => undefined)
const lines = page.split('\n').filter((line) => line.startsWith('npx morphoscope ') && !line.includes('COMMAND'))
type Command = typeof root
const childOf = (command: Pick<Command, 'commands'>, name: string | undefined) =>
  command.commands.find((each) => each.name() === name)

test('every command that the page shows takes the options that stand there', async () => {
  expect(lines.length).toBeGreaterThan(15)
  for (const line of lines) {
    const words = line.split(' ').slice(2)
    const first = childOf(root, words[0])
    expect(first, line).toBeDefined()
    const last = childOf(first!, words[1]) ?? first!
    const options = words.filter((word) => word.startsWith('--'))
    if (first!.name() === 'op') {
      const { out } = await cli('op', words[1]!, '--help')
      expect(
        options.filter((option) => option !== '--help' && !out.includes(option)),
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
  const shown = lines.map((line) => line.split(' ').slice(2, 4))
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

test('every exit code is on the page', () => {
  const codes = [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell]) => cell!.split(',').map(Number))
  expect(codes.toSorted((a, b) => a - b)).toEqual(Object.values(ExitCode).toSorted((a, b) => a - b))
})
