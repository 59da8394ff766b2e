// `morphoscope op NAME`: one operation on image files; slots and parameters are what the native table lists.
import { callOp } from '../../../main/engine'
import { asOneOf, commonType, imageFormat, readImageFile, toOpImage, writeImageFiles } from '../../../main/ops'
import type { OpInfo, OpParams } from '../../../main/engine'
import type { FileImage } from '../../../main/ops'
import { checkOutputs, flagOf, usage } from './opFlags'

export interface OpRequest {
  /** Files by input slot. */
  inputs: Readonly<Record<string, string>>
  /** Files by output slot; outputs without one are not kept. */
  outputs: Readonly<Record<string, string>>
  params: OpParams
  threads: number
  device: string
  /** May files that are there be replaced? */
  overwrite?: boolean
}
export interface OpReport {
  op: string
  /** What computed it, and by which algorithm. */
  device: string
  variant: string
  /** Of the operation itself; `steps` tells what else took time. */
  ms: number
  steps: { name: string; ms: number }[]
  scalars: Record<string, number>
  outputs: { name: string; path: string; width: number; height: number; type: string }[]
}

function checkNames(
  given: Readonly<Record<string, unknown>>,
  known: readonly { name: string }[],
  what: string,
  op: string,
): void {
  for (const name of Object.keys(given)) {
    if (!known.some((each) => each.name === name))
      throw usage(
        `expected one of ${known.map((each) => each.name).join(', ') || 'nothing'} for ${what} of ${op} but received ${name}`,
      )
  }
}

export async function runOp(
  info: OpInfo,
  { inputs, outputs, params, threads, device, overwrite = false }: OpRequest,
): Promise<OpReport> {
  checkNames(inputs, info.inputs, 'the inputs', info.name)
  checkNames(outputs, info.outputs, 'the outputs', info.name)
  // Before anything is read or computed: a wrong ending would show only at the end.
  for (const path of Object.values(outputs)) imageFormat(path)
  await checkOutputs(Object.values(inputs), Object.values(outputs), overwrite)
  for (const { name, required } of info.params) {
    if (required && params[name] === undefined)
      throw usage(`expected a value for --${flagOf(name)} of ${info.name} but received none`)
  }
  const read: { name: string; image: FileImage; types: OpInfo['inputs'][number]['types'] }[] = []
  for (const slot of info.inputs) {
    const path = inputs[slot.name]
    if (path === undefined) {
      if (slot.optional) continue
      throw usage(`expected a file for --${flagOf(slot.name)} of ${info.name} but received none`)
    }
    const image = await readImageFile(path)
    if (image.channels !== slot.channels) {
      throw usage(
        `expected a ${slot.channels === 4 ? 'colour' : 'grey'} image for --${flagOf(slot.name)} but ${path} is a ${image.channels === 4 ? 'colour' : 'grey'} one`,
      )
    }
    read.push({ name: slot.name, image: asOneOf(image, slot.types, `--${flagOf(slot.name)} (${path})`), types: slot.types })
  }
  const same = read.filter(({ types }) => types.length > 1)
  // Images of the same choice of types belong together (marker and mask): the wider of the files decides.
  const images = read.map(({ name, image, types }) => {
    const partners = same.filter((other) => other.types.join() === types.join())
    const type = partners.length > 1 ? commonType(partners) : undefined
    return toOpImage(name, type ? asOneOf(image, [type], `--${flagOf(name)}`) : image)
  })
  const result = await callOp(info.name, images, params, threads, undefined, device)
  const kept = result.outputs
    .filter(({ name }) => outputs[name] !== undefined)
    .map((image) => ({ path: outputs[image.name]!, image }))
  await writeImageFiles(kept)
  return {
    op: info.name,
    device: result.device,
    variant: result.variant,
    ms: result.ms,
    steps: result.steps,
    scalars: result.scalars,
    outputs: kept.map(({ path, image: { name, width, height, channels, data } }) => {
      const type = data instanceof Uint8Array ? 'uint8' : data instanceof Uint16Array ? 'uint16' : 'int32'
      return { name, path, width, height, type: channels === 4 ? 'rgba' : type }
    }),
  }
}
