// The text of a GeoJSON file, also of one that gzip packed: bounded before it is unpacked.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { kindOf } from '../../../main/engine'
import { mostImportBytes } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'

/** Throws CliError: what cannot be read, is no file, cannot be unpacked, or holds too much. */
export async function geoJsonText(file: string): Promise<string> {
  const bytes = await bytesOf(file)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = isPacked ? await unpacked(file, bytes) : bytes
  if (text.length > mostImportBytes) throw tooLarge(file)
  return text.toString('utf8')
}

const tooLarge = (file: string): CliError =>
  new CliError(
    ExitCode.badSlide,
    `${file} holds more than ${mostImportBytes / 2 ** 20} MB of GeoJSON: export the annotations alone, or split it.`,
  )

/** What `read` gives of a file that can be read; CliError where none is there. */
export async function readingFile<T>(file: string, read: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  try {
    // A pipe that nobody writes to would hold the opening for ever.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw new CliError(ExitCode.noInput, `${file} is ${kindOf(stat)}: expected a GeoJSON file.`)
      return await read(handle, stat.size)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(ExitCode.noInput, `${file} cannot be read (${code ?? message}).`)
  }
}

const bytesOf = (file: string): Promise<Buffer> =>
  readingFile(file, (handle, size) => {
    if (size > mostImportBytes) throw tooLarge(file)
    return handle.readFile()
  })

async function unpacked(file: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: mostImportBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(file)
    throw new CliError(ExitCode.badSlide, `${file} cannot be unpacked: it is no whole gzip file.`)
  }
}
