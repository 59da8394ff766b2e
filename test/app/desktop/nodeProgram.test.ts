// Which Node runs the engine on Linux: the one that is named, else the packaged one, else PATH's, and never one that is too old.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findNode } from '../../../app/desktop/nodeProgram'

const folder = mkdtempSync(join(tmpdir(), 'morphoscope-node-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fakeNode(name: string, version: string): string {
  mkdirSync(join(folder, name))
  const program = join(folder, name, 'node')
  writeFileSync(program, `#!/bin/sh\necho ${version}\n`)
  chmodSync(program, 0o755)
  return program
}

test('the first that is new enough', (context) => {
  context.skip(process.platform === 'win32', 'a shell script stands in for Node')
  const old = fakeNode('old', 'v18.20.0')
  const fit = fakeNode('fit', 'v20.1.0')
  const packaged = fakeNode('packaged', 'v24.0.0')
  const path = [join(folder, 'old'), join(folder, 'absent'), join(folder, 'fit')].join(delimiter)
  expect(findNode({ override: undefined, resources: undefined, path })).toEqual({ node: fit })
  expect(findNode({ override: undefined, resources: join(folder, 'packaged'), path })).toEqual({ node: packaged })
  expect(findNode({ override: packaged, resources: undefined, path })).toEqual({ node: packaged })
  expect(findNode({ override: old, resources: undefined, path })).toEqual({ message: expect.stringContaining(old) as string })
  expect(findNode({ override: undefined, resources: undefined, path: '' })).toEqual({
    message: expect.stringContaining('Install Node') as string,
  })
})
