// The command line without a slide: usage errors, help, exit codes, and how values are read.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asCliError, ExitCode } from '../../../app/cli/exitCodes'
import { flagOf, parseParam } from '../../../app/cli/op/opFlags'
import { parseFiles } from '../../../app/cli/run/run'
import { parseRegion } from '../../../app/cli/run/verify'
import { duration, table } from '../../../app/cli/terminal'
import { errorCodes } from '../../../app/contract'
import type { OpParam } from '../../../main/engine'
import { cli } from './inProcess'

describe('usage', () => {
  it.each([
    [['nothing'], /unknown command 'nothing'/],
    [['info'], /missing required argument 'slide'/],
    [['info', 'a.svs', '--jso'], /unknown option '--jso'.*--json/s],
    [['info', 'a.svs', 'b.svs'], /too many arguments/],
    [['run', 'a.svs'], /expected a folder for --out/],
    [['run', 'a.svs', '--out', 'x', '--threads', '1.5'], /--threads.*whole number from 1 to 1024 but received 1\.5/],
    [['run', 'a.svs', '--out', 'x', '--mpp', '0x1'], /--mpp.*0\.01 to 100 but received 0x1/],
    [['run', 'a.svs', '--out', 'x', '--region', '1,2,3'], /x,y,width,height.*--region.*1,2,3/],
    [['run', 'a.svs', '--out', 'x', '--region', '0,0,0,5'], /--region/],
    [['run', 'a.svs', '--out', 'x', '--files', 'report.pdf'], /printed by the desktop app alone: ask for report\.html/],
    [['run', 'a.svs', '--out', 'x', '--files', 'objects.csv,virus.exe'], /--files but received virus\.exe/],
    [['run', 'a.svs', '--out', 'x', '--recipe', 'nonsense'], /he-nuclei.*or a file for --recipe but received nonsense/],
    [['run', 'a.svs', '--out', 'x', '--set', 'nonsense'], /stage\.param=value.*--set/],
    [['run', 'a.svs', '--out', 'x', '--set', 'nonsense.a=1'], /nonsense/],
    [['run', 'a.svs', '--out', 'x', '--device', 'cuda'], /cpu, gpu0, gpu1, … for --device but received cuda/],
    [['op', 'label', '--image', 'a.npy', '--out', 'x.npy', '--device', 'gpu01'], /for --device but received gpu01/],
    [['serve', '--port', '70000'], /0 to 65535/],
    [['serve', '--host', '0.0.0.0'], /loopback.*--allow-remote/],
  ])('%j is refused', async (args, message) => {
    const { code, out, err } = await cli(...args)
    expect([code, out]).toEqual([ExitCode.usage, ''])
    expect(err).toMatch(message)
    expect(err).not.toContain('    at ')
  })
  it('shows help where it is asked for, and where nothing is', async () => {
    const help = await cli('--help')
    expect([help.code, help.err]).toEqual([0, ''])
    for (const command of ['info', 'devices', 'run', 'op', 'bench', 'serve']) expect(help.out).toContain(command)
    expect((await cli('run', '--help')).out).toContain('--region <x,y,w,h>')
    expect((await cli('--version')).out).toMatch(/^\d+\.\d+\.\d+$/)
    const none = await cli()
    expect([none.code, none.out]).toEqual([ExitCode.usage, ''])
    expect(none.err).toContain('Usage: morphoscope')
  })
  it('says what is not there', async () => {
    const missing = await cli('info', '/nowhere/a.svs')
    expect(missing).toMatchObject({ code: ExitCode.noInput, out: '', err: expect.stringContaining('/nowhere/a.svs') as unknown })
    expect((await cli('run', '/nowhere/a.svs', '--out', '/tmp/x')).code).toBe(ExitCode.noInput)
    expect((await cli('run', 'a.svs', '--out', 'x', '--recipe', '/nowhere/r.json')).code).toBe(ExitCode.noInput)
  })
  it('says which file is no slide', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'morphoscope-cli-'))
    await writeFile(join(directory, 'a.svs'), 'no slide')
    const { code, err } = await cli('info', join(directory, 'a.svs'))
    expect(code).toBe(ExitCode.badSlide)
    expect(err).toContain('a.svs')
    await rm(directory, { recursive: true })
  })
})

describe('exit codes', () => {
  it('has one for every error of the contract', () => {
    const codes = errorCodes.map((code) => asCliError({ code, message: 'x' }).exitCode)
    expect(codes).toEqual([2, 65, 75, 66, 69, 69, 75, 75, 75, 73, 73, 75, 130, 70])
  })
  it('tells a disk that is full from a folder that cannot be made', () => {
    expect(asCliError({ code: 'OUTPUT_FAILED', message: 'x', detail: 'ENOSPC: no space left' }).exitCode).toBe(74)
    expect(asCliError({ code: 'OUTPUT_FAILED', message: 'x (EACCES)' }).exitCode).toBe(73)
  })
  it('takes anything else for a bug', () => {
    for (const thrown of [new TypeError('x'), 'text', undefined, null, { code: 'EPERM', message: 'x' }])
      expect(asCliError(thrown).exitCode).toBe(70)
  })
})

describe('values', () => {
  it('reads regions and files', () => {
    expect(parseRegion(' -5, 0,10,20 ')).toEqual({ x: -5, y: 0, width: 10, height: 20 })
    expect(parseFiles('run.json, objects.csv')).toEqual(['run.json', 'objects.csv'])
    expect(parseFiles(undefined)).toHaveLength(5)
  })
  it('reads parameters of operations by their kind', () => {
    const param = (kind: OpParam['kind']): OpParam => ({
      name: 'minArea',
      help: '',
      kind,
      choices: ['a', 'b'],
      low: -1,
      high: 10,
      fallback: 0,
      required: false,
    })
    expect(parseParam(param('integer'), '7')).toBe(7)
    expect(parseParam(param('number'), '.5')).toBe(0.5)
    expect(parseParam(param('toggle'), 'no')).toBe(false)
    expect(parseParam(param('choice'), 'b')).toBe('b')
    for (const [kind, text] of [
      ['integer', '1.5'],
      ['integer', ''],
      ['integer', '11'],
      ['number', '-2'],
      ['number', 'NaN'],
      ['number', '0x1'],
      ['toggle', 'maybe'],
      ['choice', 'c'],
    ] as const) {
      expect(() => parseParam(param(kind), text)).toThrow(/for --min-area but received/)
    }
    expect(flagOf('at_least')).toBe('at-least')
  })
  it('shows times and tables', () => {
    expect([0, 1234, 61_000, 7_260_000].map(duration)).toEqual(['0.0 s', '1.2 s', '1 min 1 s', '2 h 1 min'])
    expect(
      table([
        ['a', '1'],
        ['long', '2'],
      ]),
    ).toBe('a     1\nlong  2')
  })
})

/** The build writes them; `npx vitest` alone may have none. */
describe.skipIf(!existsSync(join(import.meta.dirname, '..', '..', '..', 'dist', 'renderer', 'licences.json')))('licences', () => {
  it('are listed, with the place of each part', async () => {
    const { code, out, err } = await cli('licences')
    expect(code).toBe(ExitCode.ok)
    expect(out).toMatch(/^react-dom +\d\S+ +MIT +the window$/m)
    expect(out).toMatch(/^libvips +\d\S+ +LGPL-3\.0-or-later +libvips$/m)
    expect(err).toContain('morphoscope licences NAME')
  })
  it('are read in whole, of one part or of all', async () => {
    const one = await cli('licences', 'openseadragon')
    expect(one.out).toMatch(/^openseadragon \d/m)
    expect(one.out).toContain('Redistributions in binary form must reproduce the above copyright')
    expect(one.out).not.toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    expect((await cli('licenses', '--all')).out).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
    const none = await cli('licences', 'no-such-part')
    expect(none).toMatchObject({ code: ExitCode.noInput, out: '', err: expect.stringContaining('no-such-part') as unknown })
  })
  it('are a bill of materials where that is asked for', async () => {
    const { out } = await cli('licences', '--sbom')
    expect(JSON.parse(out)).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'morphoscope' } } })
  })
})
