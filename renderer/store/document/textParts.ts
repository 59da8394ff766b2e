// The text of a GeoJSON file that a person chose, a part at a time, also of one that gzip packed: no more of it is in memory.
import { mostPartLength, packedShare, tailLength } from '../../../app/contract'

export interface FileText {
  readonly parts: AsyncGenerator<string, void, void>
  /** Characters, about. */
  readonly length: number
  /** Its last characters; '': nobody knows before all of it is unpacked. */
  readonly tail: string
}

/** Thrown where a packed file ends before its end. */
export class NotUnpacked extends Error {}

export async function fileText(file: Blob): Promise<FileText> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isPacked = first === 0x1f && second === 0x8b
  return {
    parts: partsOf(file, isPacked),
    length: file.size * (isPacked ? packedShare : 1),
    tail: isPacked ? '' : await file.slice(Math.max(0, file.size - tailLength)).text(),
  }
}

async function* partsOf(file: Blob, isPacked: boolean): AsyncGenerator<string, void, void> {
  const bytes = isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
  const reader = bytes.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true })
      // A stream gives some 64 KB at a time, and each part is a call.
      if (text.length < mostPartLength / 8) continue
      yield text
      text = ''
    }
  } catch (error) {
    if (isPacked) throw new NotUnpacked(undefined, { cause: error })
    throw error
  } finally {
    void reader.cancel().catch(() => undefined)
  }
  yield text + decoder.decode()
}
