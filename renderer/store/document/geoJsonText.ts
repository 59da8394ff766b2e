// The text of a GeoJSON file that a person chose, also of one that gzip packed: never more than an import takes.
import { mostImportBytes } from '../../../app/contract'
import { words } from '../../words'

/** A string: why there is no text. */
export async function geoJsonText(file: Blob): Promise<{ text: string } | string> {
  const tooLarge = words.regionFiles.tooLarge(mostImportBytes / 2 ** 20)
  if (file.size > mostImportBytes) return tooLarge
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first !== 0x1f || second !== 0x8b) return { text: await file.text() }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length
      if (bytes > mostImportBytes) {
        void reader.cancel()
        return tooLarge
      }
      pieces.push(read.value)
    }
  } catch {
    return words.regionFiles.notUnpacked
  }
  return { text: await new Blob(pieces).text() }
}
