// An image as a file holds it, before an operation asks for a type: grey values or colour, and the types they can take without loss.
import type { OpImage, PixelType } from '../../native/index'
import { EngineError } from '../base/errors'

export type ImageData = Uint8Array | Uint16Array | Int32Array
export interface FileImage {
  readonly width: number
  readonly height: number
  /** 4 is RGBA. */
  readonly channels: 1 | 4
  readonly data: ImageData
}

export function pixelTypeOf(data: ImageData): PixelType {
  return data instanceof Uint8Array ? 'uint8' : data instanceof Uint16Array ? 'uint16' : 'int32'
}

const ranges: Readonly<Record<PixelType, readonly [number, number]>> = {
  uint8: [0, 255],
  uint16: [0, 65_535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
}
const widening: readonly PixelType[] = ['uint8', 'uint16', 'int32']

function minMax(data: ImageData): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const value of data) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

function converted(data: ImageData, type: PixelType): ImageData {
  if (pixelTypeOf(data) === type) return data
  return type === 'uint8' ? Uint8Array.from(data) : type === 'uint16' ? Uint16Array.from(data) : Int32Array.from(data)
}

/**
 * The image with one of `types`: its own where that is among them, else the narrowest that holds every value. Files often carry
 * another type than they mean (labels as int64, masks as bool), and no value changes.
 */
export function asOneOf(image: FileImage, types: readonly PixelType[], what: string): FileImage {
  const own = pixelTypeOf(image.data)
  if (types.includes(own)) return image
  const [low, high] = minMax(image.data)
  const fitting = widening.find((type) => types.includes(type) && low >= ranges[type][0] && high <= ranges[type][1])
  if (!fitting) {
    const received = image.data.length > 0 ? `${own} with values from ${low} to ${high}` : own
    throw new EngineError(
      'INVALID_PARAMETER',
      `expected pixels of type ${types.join(' or ')} for ${what} but received ${received}`,
    )
  }
  return { ...image, data: converted(image.data, fitting) }
}

/** The same for several images that an operation takes together: all of one type where their slots allow it. */
export function commonType(images: readonly { image: FileImage; types: readonly PixelType[] }[]): PixelType | undefined {
  const needed = Math.max(...images.map(({ image }) => widening.indexOf(pixelTypeOf(image.data))))
  return widening.find((type, i) => i >= needed && images.every(({ types }) => types.includes(type)))
}

export function toOpImage(name: string, { width, height, channels, data }: FileImage): OpImage {
  return { name, width, height, channels, data }
}
