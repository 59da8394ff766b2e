// `morphoscope op` for every operation and every variant of it, made from the native table: what is right runs, what is wrong is refused
// by name with exit code 2 and leaves no file.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ExitCode } from '../../../../app/cli/exitCodes'
import { flagOf } from '../../../../app/cli/op/opFlags'
import { ops } from '../../../../main/engine'
import { readImageFile, writeImageFiles } from '../../../../main/ops'
import type { OpInfo, OpParam, OpSlot } from '../../../../main/engine'
import type { FileImage } from '../../../../main/ops'
import { cli } from '../inProcess'

const folder = mkdtempSync(join(tmpdir(), 'morphoscope-every-op-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string): string => join(folder, name)
// What one failed test left must not fail the next.
afterEach(() => rmSync(file('out.npy'), { force: true }))

const [width, height] = [7, 5]
const count = width * height
const grey = (data: FileImage['data'], w = width, h = height): FileImage => ({ width: w, height: h, channels: 1, data })
const ramp = Array.from({ length: count }, (_, i) => (i * 37) % 200)
const images: Readonly<Record<string, FileImage>> = {
  'uint8.npy': grey(Uint8Array.from(ramp)),
  'uint16.npy': grey(Uint16Array.from(ramp, (v) => v * 300)),
  'int32.npy': grey(Int32Array.from(ramp, (v) => v * 100_000)),
  // Fits no narrower type.
  'wide.npy': grey(Int32Array.from(ramp, (v) => v * 1000 - 70_000)),
  'colour.npy': { width, height, channels: 4, data: Uint8Array.from({ length: 4 * count }, (_, i) => (i * 11) % 256) },
  'small.npy': grey(new Uint8Array(count - width), width, height - 1),
}

beforeAll(async () => {
  await writeImageFiles(Object.entries(images).map(([name, image]) => ({ path: file(name), image })))
  const floats = Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1'),
    Buffer.from(`{'descr': '<f4', 'fortran_order': False, 'shape': (${height}, ${width}), }`.padEnd(117) + '\n', 'latin1'),
    Buffer.alloc(4 * count),
  ])
  writeFileSync(file('floats.npy'), floats)
  writeFileSync(file('cut.npy'), floats.subarray(0, 60))
  writeFileSync(file('text.png'), 'no image')
})

const known = ops()
/** The values of an operation's `variant` that the CPU has; one call without it where it has none. */
const variantsOf = ({ params }: OpInfo): readonly (string | undefined)[] => {
  const variant = params.find(({ name }) => name === 'variant')
  return variant?.choices.filter((choice) => !variant.notOnCpu?.includes(choice)) ?? [undefined]
}
const cases = known.flatMap((info) => variantsOf(info).map((variant) => [info, variant] as const))
const named = cases.map(
  ([info, variant]) => [`${info.name}${variant === undefined ? '' : ` ${variant}`}`, info, variant] as const,
)

const goodFile = (slot: OpSlot, type?: string): string =>
  file(slot.channels === 4 ? 'colour.npy' : `${type ?? slot.types[0]}.npy`)
const valueOf = ({ kind, choices, low }: OpParam): string =>
  kind === 'choice' ? choices[0]! : kind === 'toggle' ? 'true' : String(Math.max(low, 1))

/** A right command line as its parts, of which a test changes one. */
function right(
  info: OpInfo,
  variant: string | undefined,
  type?: string,
): { inputs: Map<string, string>; params: Map<string, string> } {
  const inputs = new Map(
    info.inputs.filter(({ optional }) => !optional).map((slot) => [`--${flagOf(slot.name)}`, goodFile(slot, type)]),
  )
  const params = new Map(
    info.params.filter(({ required }) => required).map((param) => [`--${flagOf(param.name)}`, valueOf(param)]),
  )
  if (variant !== undefined) params.set('--variant', variant)
  return { inputs, params }
}
const line = (...maps: ReadonlyMap<string, string>[]): string[] => maps.flatMap((map) => [...map].flat())

async function expectRefused(
  info: OpInfo,
  args: readonly string[],
  message: RegExp | string,
  code: number = ExitCode.usage,
): Promise<void> {
  const out = file('out.npy')
  const result = await cli('op', info.name, ...args, ...(args.includes('--out') ? [] : ['--out', out]))
  expect(result, args.join(' ')).toMatchObject({ code, out: '' })
  if (typeof message === 'string') expect(result.err).toContain(message)
  else expect(result.err).toMatch(message)
  expect(result.err).not.toContain('    at ')
  expect(existsSync(out), args.join(' ')).toBe(false)
}
const without = (map: ReadonlyMap<string, string>, key: string): Map<string, string> =>
  new Map([...map].filter(([each]) => each !== key))
const withValue = (map: ReadonlyMap<string, string>, key: string, value: string): Map<string, string> =>
  new Map([...map, [key, value]])

it('knows every operation and variant that there is a command line for', () => {
  expect(known.length).toBeGreaterThanOrEqual(36)
  const variants = Object.fromEntries(known.map((info) => [info.name, variantsOf(info).length]))
  expect(variants).toMatchObject({ reconstruct: 8, watershed: 3, distance: 3, 'max-tree': 4, label: 1 })
})

it('refuses by name the variants that only a GPU has', async () => {
  for (const info of known) {
    for (const param of info.params) {
      for (const choice of param.notOnCpu ?? []) {
        const { inputs, params } = right(info, choice)
        const has = param.choices.filter((each) => !param.notOnCpu?.includes(each)).join(', ')
        const message = new RegExp(
          `expected .*${has.split(', ')[0]}.* for ${param.name} of ${info.name} on cpu but received .*${choice}`,
        )
        await expectRefused(info, line(inputs, params), message)
      }
    }
  }
})

describe.each(named)('op %s', (_, info, variant) => {
  const { inputs, params } = right(info, variant)

  it('runs on every type of its first input, and writes what it lists', async () => {
    for (const type of info.inputs[0]!.types) {
      const each = right(info, variant, info.inputs[0]!.channels === 4 ? undefined : type)
      // A second input of another choice of types (a binary mask) keeps its own.
      for (const slot of info.inputs)
        if (!slot.optional && !slot.types.includes(type)) each.inputs.set(`--${flagOf(slot.name)}`, goodFile(slot))
      const outputs = info.outputs.map(
        (slot, i) => [`--out${i === 0 ? '' : `-${flagOf(slot.name)}`}`, file(`result-${i}.npy`)] as const,
      )
      const { code, err } = await cli('op', info.name, ...line(each.inputs, each.params, new Map(outputs)), '--threads', '2')
      expect([code, err]).toEqual([0, ''])
      for (const [, path] of outputs) {
        expect((await readImageFile(path)).width).toBeGreaterThan(0)
        rmSync(path)
      }
    }
  })

  it('refuses files that are absent, of another type, size or kind', async () => {
    for (const slot of info.inputs) {
      const flag = `--${flagOf(slot.name)}`
      const give = (path: string): string[] => line(withValue(inputs, flag, file(path)), params)
      if (!slot.optional)
        await expectRefused(
          info,
          line(without(inputs, flag), params),
          `expected a file for ${flag} of ${info.name} but received none`,
        )
      await expectRefused(info, give('nowhere.npy'), /There is no file .*nowhere\.npy/, ExitCode.noInput)
      await expectRefused(info, give('floats.npy'), /floats\.npy holds pixels of type <f4: expected one of \|u1/)
      await expectRefused(info, give('cut.npy'), /cut\.npy is incomplete/)
      await expectRefused(info, give('text.png'), /text\.png cannot be read as an image/)
      await expectRefused(info, give('text.jpg'), /expected a file that ends in \.npy, .* but received .*text\.jpg/)
      if (slot.channels === 4) await expectRefused(info, give('uint8.npy'), `expected a colour image for ${flag} but`)
      else {
        await expectRefused(info, give('colour.npy'), `expected a grey image for ${flag} but`)
        if (!slot.types.includes('int32'))
          await expectRefused(
            info,
            give('wide.npy'),
            new RegExp(`expected pixels of type ${slot.types.join(' or ')} for ${flag} .* but received int32 with values from`),
          )
        // One image alone has no wrong size.
        if (inputs.size > 1 || slot.optional)
          await expectRefused(
            info,
            give('small.npy'),
            /expected the extent \d+x\d+ .* but received \d+x\d+|expected the extent .* but received/,
          )
      }
    }
  })

  it('refuses every parameter that is missing, out of range or of another kind', async () => {
    for (const param of info.params) {
      const flag = `--${flagOf(param.name)}`
      const give = (value: string): string[] => line(inputs, withValue(params, flag, value))
      if (param.required)
        await expectRefused(
          info,
          line(inputs, without(params, flag)),
          `expected a value for ${flag} of ${info.name} but received none`,
        )
      const wrong: string[] =
        param.kind === 'choice'
          ? ['nonsense', '']
          : param.kind === 'toggle'
            ? ['maybe']
            : [
                'many',
                '',
                'NaN',
                '0x10',
                String(param.low - Math.max(1, Math.abs(param.low))),
                String(param.high * 2 + 2),
                ...(param.kind === 'integer' ? ['1.5'] : []),
              ]
      for (const value of wrong) {
        await expectRefused(
          info,
          give(value),
          new RegExp(`expected .+ for ${flag} but received ${value.replace(/[.+]/g, '\\$&')}`),
        )
      }
    }
  })

  it('refuses what it does not know, and an output that it cannot write', async () => {
    const all = line(inputs, params)
    await expectRefused(info, [...all, '--nonsense', '1'], "unknown option '--nonsense'")
    await expectRefused(info, [...all, 'more'], /too many arguments/)
    await expectRefused(info, [...all, '--threads', '0'], 'expected a whole number from 1 to 256 for --threads but received 0')
    await expectRefused(info, [...all, '--out', file('out.xyz')], /expected a file that ends in .* but received .*out\.xyz/)
    await expectRefused(info, [...all, '--out', join(file('uint8.npy'), 'out.npy')], /uint8\.npy/, ExitCode.cannotCreate)
    expect((await cli('op', info.name, ...all)).err).toContain(`expected a file for --out of ${info.name} but received none`)
    expect(readdirSync(folder).filter((name) => name.startsWith('out') || name.startsWith('result'))).toEqual([])
  })
})
