// An image file of any size, unpacked row by row into a working file that operations on tiles read by parts. In a process of its own: only that
// can be stopped midway, and a file that breaks the decoder breaks nothing else.
import { spawn } from 'node:child_process'
import { mkdtemp, open, rm, stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { EngineError } from '../base/errors'
import { failsOn } from '../base/sharp'
import type { PixelType } from '../../native/index'

export interface Unpacked {
  readonly path: string
  readonly offset: number
  /** Removes the working file. */
  dispose(): Promise<void>
}
/** What the file says of itself, as sharp names it. */
export interface Packed {
  readonly width: number
  readonly height: number
  readonly space: string
  readonly depth: 'uchar' | 'ushort' | 'int' | 'uint'
}
export interface Scratch {
  readonly folder: string
  readonly signal?: AbortSignal | undefined
  /** How much of a file has been unpacked or packed, 0 to 1. */
  readonly progress?: ((doing: string, done: number) => void) | undefined
}

/** sharp reads anything that libvips does, in bounded memory where it reads from top to bottom; libvips' own format is a header and raw rows. */
const program = `
const [library, from, space, to, failOn] = process.argv.slice(1)
const image = require(library)(from, { ignoreIcc: true, limitInputPixels: false, failOn, sequentialRead: true })
image.pipelineColourspace(space).toColourspace(space).toFile(to).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})`
const headerBytes = 64
/** libvips' numbers of the types that operations take; unsigned 32 bits are those with sign as long as no value is too large. */
const formats: Readonly<Record<Packed['depth'], { number: number; type: PixelType; bytes: number }>> = {
  uchar: { number: 0, type: 'uint8', bytes: 1 },
  ushort: { number: 2, type: 'uint16', bytes: 2 },
  uint: { number: 4, type: 'int32', bytes: 4 },
  int: { number: 5, type: 'int32', bytes: 4 },
}
const magic = { little: 0x08f2a6b6, big: 0xb6a6f208 }

export const typeOfPacked = (depth: Packed['depth']): PixelType => formats[depth].type

/** Throws INVALID_PARAMETER, with the file's name, for what cannot be read or finds no room. */
export async function unpack(path: string, packed: Packed, scratch: Scratch): Promise<Unpacked> {
  const { width, height, depth } = packed
  const needed = headerBytes + width * height * formats[depth].bytes
  await requireRoom(scratch.folder, needed, `to unpack ${path}`)
  const folder = await mkdtemp(join(scratch.folder, 'morphoscope-'))
  const to = join(folder, 'unpacked.v')
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await decode(path, packed.space, to, needed, scratch)
    await check(path, to, packed)
    if (depth === 'uint') await requireSigned(path, to, needed, scratch.signal)
    return { path: to, offset: headerBytes, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Throws INVALID_PARAMETER where `folder` has less room than that. */
export async function requireRoom(folder: string, bytes: number, why: string): Promise<void> {
  const disk = await statfs(folder).catch((error: unknown) => {
    throw new EngineError('INVALID_PARAMETER', `${folder} is no folder for working files: ${String(error)}`)
  })
  const room = disk.bavail * disk.bsize
  if (bytes <= room) return
  const gib = (n: number): string => `${(n / 2 ** 30).toFixed(1)} GiB`
  throw new EngineError(
    'INVALID_PARAMETER',
    `${folder} has ${gib(room)} left, and ${gib(bytes)} are needed ${why}: name another folder with --scratch.`,
  )
}

async function decode(path: string, space: string, to: string, bytes: number, scratch: Scratch): Promise<void> {
  const { signal, progress } = scratch
  signal?.throwIfAborted()
  const library = createRequire(import.meta.url).resolve('sharp')
  const child = spawn(process.execPath, ['-e', program, '--', library, path, space, to, failsOn(path)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop)
  const looks = setInterval(
    () =>
      void stat(to).then(
        ({ size }) => progress?.(`unpacking ${path}`, Math.min(1, size / bytes)),
        () => undefined,
      ),
    500,
  )
  try {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)))
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    signal?.throwIfAborted()
    if (code !== 0)
      throw new EngineError(
        'INVALID_PARAMETER',
        code === null ? `${path} made its decoder crash: it may be damaged` : `${path} is damaged`,
        said.trim(),
      )
  } finally {
    clearInterval(looks)
    signal?.removeEventListener('abort', stop)
  }
}

/** Is it what was expected, to the byte? A file that changed meanwhile is not. */
async function check(path: string, unpacked: string, { width, height, depth }: Packed): Promise<void> {
  const file = await open(unpacked)
  try {
    const { buffer } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
    const read = (at: number): number => (little ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at))
    // Little-endian machines write the magic number's bytes in the one order, others in the other.
    const known = buffer.readUInt32BE(0) === (little ? magic.big : magic.little)
    const found = [read(4), read(8), read(12), read(20), read(24)]
    const expected = [width, height, 1, formats[depth].number, 0]
    const { size } = await file.stat()
    if (!known || found.join() !== expected.join() || size < headerBytes + width * height * formats[depth].bytes)
      throw new EngineError('INVALID_PARAMETER', `${path} is not what it was when it was opened: ${found.join(' ')}`)
  } finally {
    await file.close()
  }
}

/** No value past 2^31 - 1, which int32 cannot hold. */
async function requireSigned(path: string, unpacked: string, end: number, signal: AbortSignal | undefined): Promise<void> {
  const file = await open(unpacked)
  try {
    const part = Buffer.alloc(2 ** 22)
    for (let at = headerBytes; at < end;) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(part, 0, Math.min(part.length, end - at), at)
      const negative = new Int32Array(part.buffer, part.byteOffset, bytesRead >> 2).find((value) => value < 0)
      if (negative !== undefined)
        throw new EngineError('INVALID_PARAMETER', `${path} holds ${negative + 2 ** 32}: expected values below 2^31`)
      if (bytesRead === 0) throw new EngineError('INVALID_PARAMETER', `${unpacked} is incomplete`)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}
