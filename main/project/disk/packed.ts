// A step's command as a row of history has it: JSON, deflated. An import's has tens of megabytes, so it is made in small steps.
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { DocumentCommand, mostStepBytes, RegionId, RegionOfInterest, RegionPlace } from '../../../app/contract'
import type { SingleCommand } from '../../../app/contract'
import { finished } from '../../base/breather'
import { weightOf } from '../../base/jsonWeight'
import { checked, requireKeepable, recordOf, textOf } from '../records/check'

/** Of a command in memory. */
const mostWeight = 320 * 2 ** 20
/** Of text that is deflated at once. */
const pieceLength = 2 ** 18

/** Throws INVALID_PARAMETER where it could not be read again. */
export const deflated = (command: DocumentCommand): Buffer => finished(packing(command))

/** The same, in steps. Each piece is deflated by itself and ends at a whole byte, so that all of them are one stream. */
export function* packing(command: DocumentCommand): Generator<void, Buffer, void> {
  const parts: Buffer[] = []
  let [text, bytes, weight] = ['', 0, 0]
  const pack = (last: boolean): void =>
    requireKeepable('this step', () => {
      const piece = Buffer.from(text)
      bytes += piece.length
      weight += weightOf(text)
      if (bytes > mostStepBytes || weight > mostWeight) throw new Error('it is too large')
      parts.push(deflateRawSync(piece, { level: 1, finishFlush: last ? constants.Z_FINISH : constants.Z_SYNC_FLUSH }))
      text = ''
    })
  for (const word of words(command)) {
    text += word
    if (text.length >= pieceLength) pack(false)
    yield
  }
  pack(true)
  return Buffer.concat(parts)
}

/** Throws an Error where it is none. */
export function inflated(bytes: Buffer): DocumentCommand {
  const text = inflateRawSync(bytes, { maxOutputLength: mostStepBytes }).toString('utf8')
  if (weightOf(text) > mostWeight) throw new Error('it is too large')
  return recordOf(DocumentCommand, text)
}

/** Its JSON, a region at a time. */
function* words(command: DocumentCommand): Generator<string, void, void> {
  if (command.type !== 'together') {
    yield* wordsOfOne(command)
    return
  }
  const { name, commands } = requireKeepable('this step', () =>
    checked(DocumentCommand, { ...command, commands: command.commands.map(withOneRegion) }),
  ) as typeof command
  yield `{"type":"together","name":${JSON.stringify(name)},"commands":[`
  for (const [at, each] of command.commands.entries()) {
    if (at > 0) yield ','
    // The others are checked by now.
    if (each.type === 'regions:add' || each.type === 'regions:delete') yield* wordsOfOne(each)
    else yield JSON.stringify(commands[at])
  }
  yield ']}'
}

/** The others are checked as they are written. */
const withOneRegion = (command: SingleCommand): SingleCommand =>
  command.type === 'regions:add'
    ? { ...command, regions: command.regions.slice(0, 1), ...(command.places && { places: command.places.slice(0, 1) }) }
    : command.type === 'regions:delete'
      ? { ...command, ids: command.ids.slice(0, 1) }
      : command

function* wordsOfOne(command: SingleCommand): Generator<string, void, void> {
  const shell = requireKeepable('this step', () => checked(DocumentCommand, withOneRegion(command)))
  if (command.type === 'regions:delete') {
    yield '{"type":"regions:delete","ids":['
    for (const [at, id] of command.ids.entries())
      yield (at > 0 ? ',' : '') + requireKeepable('this step', () => textOf(RegionId, id))
    yield ']}'
    return
  }
  if (command.type !== 'regions:add') {
    yield JSON.stringify(shell)
    return
  }
  yield '{"type":"regions:add","regions":['
  for (const [at, region] of command.regions.entries())
    yield (at > 0 ? ',' : '') + requireKeepable('this step', () => textOf(RegionOfInterest, region))
  if (command.places) {
    yield '],"places":['
    for (const [at, place] of command.places.entries())
      yield (at > 0 ? ',' : '') + requireKeepable('this step', () => textOf(RegionPlace, place))
  }
  yield ']}'
}
