// A step's command as a row of history has it: JSON, deflated. An import's has tens of megabytes, so it is made in small steps.
import { promisify } from 'node:util'
import { constants, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { DocumentCommand, mostRegions, mostStepBytes, RegionId, RegionOfInterest, RegionPlace } from '../../../app/contract'
import type { SingleCommand } from '../../../app/contract'
import { finished } from '../../base/breather'
import type { Waiting } from '../../base/breather'
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

/** Shorter text is read at once. */
const leastLong = 2 ** 18
const added = Buffer.from('{"type":"regions:add","regions":[')
const deletedStart = '{"type":"regions:delete","ids":['

/**
 * A step's command, read in small steps where it adds or deletes very many regions. `aside`: it is inflated beside the thread, which is waited for.
 * Throws an Error where it is none.
 */
export function* unpacking(bytes: Buffer, aside: boolean): Generator<Waiting, DocumentCommand, void> {
  let whole: Buffer | undefined
  if (aside) yield inflating(bytes).then((value) => void (whole = value))
  return yield* unpacked(whole ?? inflateRawSync(bytes, { maxOutputLength: mostStepBytes }))
}

/** The same of what is inflated already. */
export function* unpacked(whole: Buffer): Generator<Waiting, DocumentCommand, void> {
  const isAdded = whole.subarray(0, added.length).equals(added)
  if (whole.length < leastLong || (!isAdded && whole.toString('latin1', 0, deletedStart.length) !== deletedStart)) {
    const text = whole.toString('utf8')
    if (weightOf(text) > mostWeight) throw new Error('it is too large')
    return recordOf(DocumentCommand, text)
  }
  return isAdded ? yield* regionsAdded(whole) : yield* idsDeleted(whole.toString('utf8'))
}

const inflating = promisify(
  (bytes: Buffer, done: (error: Error | null, whole: Buffer) => void) =>
    void inflateRaw(bytes, { maxOutputLength: mostStepBytes }, done),
)

/** Each region is judged by itself; then the step with the first of them, for what else it says. */
function* regionsAdded(whole: Buffer): Generator<void, DocumentCommand, void> {
  const regions: RegionOfInterest[] = []
  let [at, weight] = [added.length, 0]
  for (let next: number | undefined = comma; next === comma; at += 1) {
    const end = yield* endOfValue(whole, at)
    const text = whole.toString('utf8', at, end)
    weight += weightOf(text)
    if (weight > mostWeight) throw new Error('it is too large')
    regions.push(recordOf(RegionOfInterest, text))
    next = whole[(at = end)]
    if (next !== comma && next !== listEnd) throw new Error('is no JSON (a list does not end)')
    yield
  }
  const rest = whole.toString('utf8', at)
  const shell = JSON.parse(`{"type":"regions:add","regions":[]${rest}`) as { places?: unknown }
  const { places } = shell
  if (regions.length > mostRegions || (Array.isArray(places) && places.length > mostRegions))
    throw new Error('it has too many regions')
  const first = Array.isArray(places) ? { places: places.slice(0, 1) } : {}
  checked(DocumentCommand, { ...shell, regions: regions.slice(0, 1), ...first })
  if (!Array.isArray(places)) return { type: 'regions:add', regions }
  for (const place of places) {
    checked(RegionPlace, place)
    yield
  }
  return { type: 'regions:add', regions, places: places as number[] }
}

function* idsDeleted(text: string): Generator<void, DocumentCommand, void> {
  const command = JSON.parse(text) as { ids: unknown[] }
  yield
  if (command.ids.length > mostRegions) throw new Error('it has too many regions')
  checked(DocumentCommand, { ...command, ids: command.ids.slice(0, 1) })
  for (const id of command.ids) {
    checked(RegionId, id)
    yield
  }
  return { type: 'regions:delete', ids: command.ids as string[] }
}

const [comma, quote, backslash, listEnd] = [...Buffer.from(',"\\]')] as [number, number, number, number]
const [opening, closing] = [new Set(Buffer.from('[{')), new Set(Buffer.from(']}'))]
/** So many bytes are looked through in one step. */
const stepBytes = 2 ** 17

/** Of a value of a list that begins here: where it is over. What is in it JSON.parse says. */
function* endOfValue(bytes: Buffer, from: number): Generator<void, number, void> {
  let [depth, isText] = [0, false]
  for (let at = from; at < bytes.length; at++) {
    if ((at - from) % stepBytes === stepBytes - 1) yield
    const byte = bytes[at]!
    if (isText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (opening.has(byte)) depth += 1
    else if (depth === 0 && (byte === comma || closing.has(byte))) return at
    else if (closing.has(byte)) depth -= 1
  }
  throw new Error('is no JSON (it ends too soon)')
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
