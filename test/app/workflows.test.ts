// The public checks (.github/workflows): valid to a validator, and nothing in them that this repository does not have. They run at GitHub alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateWorkflow } from '@action-validator/core'
import { describe, expect, it } from 'vitest'
import { root } from '../../app/setup/shell.mjs'

const folder = join(root, '.github', 'workflows')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!)

it('a fault is found', () => {
  expect(validateWorkflow('on: push\njobs:\n  a:\n    steps: []\n').errors.length).toBeGreaterThan(0)
})

describe.each(readdirSync(folder))('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')

  it('is a workflow', () => {
    // GitHub has this permission since 2024; the validator's list is older.
    expect(validateWorkflow(text.replace(/^ +attestations: write\n/m, '')).errors).toEqual([])
  })

  it('asks for scripts and files that are here', () => {
    const asked = all(text, /\bnpm run ([\w:]+)/g)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((script) => scripts[script] === undefined)).toEqual([])
    const files = all(text, /\b((?:app|assets|test)\/[\w./-]+\.\w+)/g)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('ends each job by the clock, may only read unless a job says more, and puts nothing of a proposal into a command', () => {
    const jobs = text.slice(text.indexOf('\njobs:'))
    expect(all(jobs, /^ {2}([\w-]+):$/gm)).toHaveLength(all(jobs, /^ {4}(timeout-minutes): \d+$/gm).length)
    expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m)
    expect(all(text, /^ *- run: (.*\$\{\{.*)$/gm)).toEqual([])
  })
})
