// The bytes of a file that a person chose, a part at a time as base64: no more of it is in memory, and every connection carries text.

/** Of one part. */
export const base64PartBytes = 3 * 2 ** 20
/** What String.fromCharCode takes at once. */
const atOnce = 2 ** 15

export async function* base64Parts(file: Blob): AsyncGenerator<string, void, void> {
  for (let at = 0; at < file.size; at += base64PartBytes)
    yield base64Of(new Uint8Array(await file.slice(at, at + base64PartBytes).arrayBuffer()))
}

/** Characters of all parts together. */
export const base64Length = (file: Blob): number => Math.ceil(file.size / 3) * 4

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += atOnce) text += String.fromCharCode(...bytes.subarray(at, at + atOnce))
  return btoa(text)
}
