// A step's command as a row of history has it: JSON, deflated. An import's has tens of megabytes, so it is made in small steps.
import { constants, deflateRawSync } from 'node:zlib'
import { DocumentCommand, RegionOfInterest } from '../../../app/contract'
import type { SingleCommand } from '../../../app/contract'
import { finished } from '../../base/breather'
import * as records from './records'

/** Of text that is deflated at once. */
const pieceLength = 2 ** 20

/** Throws INVALID_PARAMETER where it could not be read again. */
export const deflated = (command: DocumentCommand): Buffer => finished(packing(command))

/** The same, in steps. Each piece is deflated by itself and ends at a whole byte, so that all of them are one stream. */
export function* packing(command: DocumentCommand): Generator<void, Buffer, void> {
  const parts: Buffer[] = []
  let [text, bytes] = ['', 0]
  const pack = (last: boolean): void =>
    records.requireKeepable('this step', () => {
      const piece = Buffer.from(text)
      bytes += piece.length
      if (bytes > records.mostStepBytes) throw new Error('it is too large')
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

/** Its JSON, a region at a time. */
function* words(command: DocumentCommand): Generator<string, void, void> {
  if (command.type !== 'together') {
    yield* wordsOfOne(command)
    return
  }
  const { name, commands } = records.requireKeepable('this step', () =>
    records.checked(DocumentCommand, { ...command, commands: command.commands.map(withOneRegion) }),
  ) as typeof command
  yield `{"type":"together","name":${JSON.stringify(name)},"commands":[`
  for (const [at, each] of command.commands.entries()) {
    if (at > 0) yield ','
    // The others are checked by now.
    if (each.type === 'regions:add') yield* wordsOfOne(each)
    else yield JSON.stringify(commands[at])
  }
  yield ']}'
}

const withOneRegion = (command: SingleCommand): SingleCommand =>
  command.type === 'regions:add' ? { ...command, regions: command.regions.slice(0, 1) } : command

function* wordsOfOne(command: SingleCommand): Generator<string, void, void> {
  const shell = records.requireKeepable('this step', () => records.checked(DocumentCommand, withOneRegion(command)))
  if (command.type !== 'regions:add') {
    yield JSON.stringify(shell)
    return
  }
  yield '{"type":"regions:add","regions":['
  for (const [at, region] of command.regions.entries())
    yield (at > 0 ? ',' : '') + records.recordText(RegionOfInterest, region, 'this step')
  yield command.places ? `],"places":${JSON.stringify(command.places)}}` : ']}'
}
