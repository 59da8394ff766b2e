// A GeoJSON text brought into an engine as a window brings a file in: a part at a time.
import type { CallArg, ImportedFile } from '../../../../app/contract'
import { tailLength } from '../../../../app/contract'
import type { Engine } from '../../../../main/engine'

type How = Partial<CallArg<'import:begin'>> & { readonly partLength?: number; readonly signal?: AbortSignal }

export async function importedText(
  engine: Engine,
  asked: Pick<CallArg<'import:begin'>, 'slideId' | 'recipe'> & How,
  text: string,
): Promise<ImportedFile> {
  const { partLength = 65_536, signal, ...begin } = asked
  const importId = await engine.invoke('import:begin', {
    ...{ called: 'their cells.geojson', unsaid: 'regions', tail: text.slice(-tailLength), length: text.length },
    ...begin,
  })
  for (let at = 0; at < text.length; at += partLength)
    await engine.invoke('import:part', { importId, text: text.slice(at, at + partLength) })
  return engine.invoke('import:end', { importId }, signal)
}
