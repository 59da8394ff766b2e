// The bytes of a file brought into an engine as a window brings them in: as base64, a part at a time.
import type { CallArg, ImportedFile } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'

type How = Partial<CallArg<'import:begin'>> & { readonly partBytes?: number; readonly signal?: AbortSignal }

export async function importedBytes(
  engine: Engine,
  asked: Pick<CallArg<'import:begin'>, 'slideId' | 'recipe'> & How,
  bytes: Uint8Array,
): Promise<ImportedFile> {
  const { partBytes = 2 ** 20, signal, ...begin } = asked
  const importId = await engine.invoke('import:begin', {
    ...{ called: 'their labels.tif', form: 'labels', unsaid: 'regions', tail: '', length: (bytes.length * 4) / 3 },
    ...begin,
  })
  for (let at = 0; at < bytes.length; at += partBytes) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(partBytes, bytes.length - at))
    await engine.invoke('import:part', { importId, text: part.toString('base64') })
  }
  return engine.invoke('import:end', { importId }, signal)
}
