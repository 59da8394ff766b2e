// Rows of a .npy file of two dimensions, in either byte order, read where they lie.
import type { FileHandle } from 'node:fs/promises'
import { EngineError } from '../../../base/errors'
import { npyHeadOf } from '../../../base/npyHead'
import type { SampleArray } from '../../../../native/index'

export interface NumpyRows {
  readonly width: number
  readonly height: number
  readonly readRows: (y: number, rows: number) => Promise<SampleArray>
}

/** Of version 1 it has at most 65,535 bytes and ten before; a longer one holds no image. */
const mostHeadBytes = 65_546

const arrays: Readonly<Record<string, (buffer: ArrayBuffer) => SampleArray>> = {
  u1: (buffer) => new Uint8Array(buffer),
  b1: (buffer) => new Uint8Array(buffer),
  i1: (buffer) => new Int8Array(buffer),
  u2: (buffer) => new Uint16Array(buffer),
  i2: (buffer) => new Int16Array(buffer),
  u4: (buffer) => new Uint32Array(buffer),
  i4: (buffer) => new Int32Array(buffer),
  u8: (buffer) => numbersOf(new BigUint64Array(buffer)),
  i8: (buffer) => numbersOf(new BigInt64Array(buffer)),
  f4: (buffer) => new Float32Array(buffer),
  f8: (buffer) => new Float64Array(buffer),
}

/** Beyond 2^53 numbers are no longer told apart: they are no labels then. */
function numbersOf(values: BigUint64Array | BigInt64Array): Float64Array {
  // By halves, as numbers that are made of single bigints take ten times as long.
  const halves = new Uint32Array(values.buffer)
  const isSigned = values instanceof BigInt64Array
  const numbers = new Float64Array(values.length)
  for (let i = 0; i < numbers.length; i++) {
    const high = halves[2 * i + 1]!
    numbers[i] =
      high === 0
        ? halves[2 * i]!
        : isSigned && high >= 2 ** 31
          ? -1
          : high >= 2 ** 21
            ? Infinity
            : high * 2 ** 32 + halves[2 * i]!
  }
  return numbers
}

/** Throws INVALID_PARAMETER, by `called`. */
export async function numpyRows(called: string, file: FileHandle): Promise<NumpyRows> {
  const refused = (why: string): EngineError => new EngineError('INVALID_PARAMETER', `${called} ${why}`)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(mostHeadBytes), 0, mostHeadBytes, 0)
  const { descr, fortran, shape, dataAt } = npyHeadOf(called, buffer.subarray(0, bytesRead))
  if (descr.endsWith('O'))
    throw refused('holds objects of Python, as Cellpose’s _seg.npy does. Save its masks alone: numpy.save(file, masks).')
  const array = /^[<>|=]/.test(descr) ? arrays[descr.slice(1)] : undefined
  if (!array)
    throw refused(`holds numbers of type ${descr.slice(0, 40)}: expected integers, as ${Object.keys(arrays).join(', ')}.`)
  const sides = shape.filter((side) => side !== 1)
  const [height, width] = shape.length === 2 ? shape : sides
  if (height === undefined || width === undefined || (shape.length !== 2 && sides.length !== 2))
    throw refused(`has the shape (${shape.join(', ').slice(0, 100)}): expected (height, width).`)
  if (fortran && height > 1 && width > 1)
    throw refused('is in Fortran order: expected C order (numpy.ascontiguousarray makes it so).')
  const each = Number(descr.slice(2))
  const { size } = await file.stat()
  // Also where a claimed size is beyond any number.
  if (!(height * width * each <= size - dataAt))
    throw refused(`claims ${width} × ${height} numbers of ${each} bytes, and has ${size - dataAt} bytes of them.`)
  return {
    ...{ width, height },
    readRows: async (y, rows) => {
      const bytes = Buffer.from(new ArrayBuffer(rows * width * each))
      for (let done = 0; done < bytes.length;) {
        const read = await file.read(bytes, done, bytes.length - done, dataAt + y * width * each + done)
        if (read.bytesRead === 0) throw refused('became shorter while it was read.')
        done += read.bytesRead
      }
      if (descr.startsWith('>')) {
        if (each === 2) bytes.swap16()
        else if (each === 4) bytes.swap32()
        else if (each === 8) bytes.swap64()
      }
      return array(bytes.buffer)
    },
  }
}
