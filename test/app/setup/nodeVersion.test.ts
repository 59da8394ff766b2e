// Which Node the packages ask for, and that an older one gets words instead of a syntax error.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../app/setup/shell.mjs'

const require = createRequire(import.meta.url)
const { subset } = require('semver') as { subset: (inner: string, outer: string) => boolean }
const { advice } = require('../../../app/setup/checkNode.cjs') as {
  advice: (version: string, range: string) => { stop: boolean; message: string } | null
}
const json = <T>(name: string): T => JSON.parse(readFileSync(join(root, name), 'utf8')) as T
interface Package {
  engines?: { node?: string }
  optional?: boolean
  scripts?: Record<string, string>
}
const own = json<Package>('package.json')
const range = own.engines!.node!
const packages = Object.entries(json<{ packages: Record<string, Package> }>('package-lock.json').packages)

describe('engines', () => {
  it('is in what every package asks for, those of other platforms aside', () => {
    const asked = packages.filter(([path, { engines, optional }]) => path !== '' && !optional && engines?.node !== undefined)
    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter(([, { engines }]) => !subset(range, engines!.node!)).map(([path]) => path)).toEqual([])
  })
  it('is no narrower than they ask: Node 22, 24 and 26 are there from the first version that all of them take', () => {
    const takes = (version: string) =>
      packages.every(
        ([path, { engines, optional }]) => path === '' || optional || !engines?.node || subset(version, engines.node),
      )
    for (const version of ['22.22.2', '24.15.0', '26.0.0'])
      expect([version, takes(version), subset(version, range)]).toEqual([version, true, true])
    for (const version of ['20.20.2', '22.22.1', '24.14.0', '25.0.0'])
      expect([version, takes(version), subset(version, range)]).toEqual([version, false, false])
  })
})

describe('an older Node', () => {
  it('is told what to install', () => {
    expect(advice('v22.22.2', range)).toBeNull()
    expect(advice('v24.18.0', range)).toBeNull()
    expect(advice('v27.1.0', range)).toBeNull()
    for (const version of ['v10.24.1', 'v18.20.8', 'v20.18.0'])
      expect(advice(version, range)).toEqual({
        stop: true,
        message: `This is Node ${version.slice(1)}, which is too old for Morphoscope. Please install Node 22 (22.22.2 or newer), 24 (24.15 or newer) or 26 and newer: from https://nodejs.org, or with nvm: nvm install 22.`,
      })
    for (const version of ['v20.20.2', 'v22.12.0', 'v23.11.1', 'v25.1.0']) {
      const said = advice(version, range)
      expect([version, said?.stop]).toEqual([version, false])
      expect(said?.message).toMatch(/^This is Node [\d.]+\. It works so far, but the packages ask for Node 22/)
    }
  })
  it('reads that before any file of today’s JavaScript', () => {
    for (const script of ['start', 'test', 'setup', 'build'])
      expect(own.scripts?.[script]).toMatch(/^node -r \.\/app\/setup\/checkNode\.cjs app\/setup\/\w+\.mjs$/)
    // What Node 10 does not read: optional chaining, ??, classes' fields, arrow functions are kept out for good measure.
    const text = readFileSync(join(root, 'app', 'setup', 'checkNode.cjs'), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    expect(text).not.toMatch(/=>|\?\.|\?\?|`|\bconst\b|\blet\b|\bclass\b|\bimport\b/)
  })
})
