// Frames survive any cut of the stream, and pixels arrive as they were.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, FrameReader } from '../../../app/host/frames'
import type { FromEngine, ToEngine } from '../../../app/host/messages'

const tile = (id: number, body: Uint8Array): FromEngine => ({
  kind: 'tile',
  id,
  reply: { status: 200, headers: { 'Content-Type': 'image/png' }, body },
})
const call: ToEngine = { kind: 'call', id: 1, name: 'slide:open', arg: { path: '/ä/slide ✓.svs' } }

function readIn(bytes: Buffer, sizes: readonly number[]): unknown[] {
  const messages: unknown[] = []
  const reader = new FrameReader((message) => messages.push(message))
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length]!
    reader.push(bytes.subarray(at, at + size))
    at += size
  }
  return messages
}

test('messages of every kind, in chunks of any size', () => {
  const messages = [
    call,
    tile(2, Uint8Array.from([0, 255, 10, 13])),
    tile(3, new Uint8Array(0)),
    { kind: 'ready' } as const,
    { kind: 'printed', id: 5, reply: { body: Uint8Array.from([37, 80]), problem: null } } as const,
    tile(4, new Uint8Array(70_000).fill(7)),
  ]
  const bytes = Buffer.concat(messages.map(encodeFrame))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 8 }), (sizes) => {
      expect(readIn(bytes, sizes)).toEqual(messages)
    }),
    { numRuns: 60 },
  )
})

test('a stream that is not ours ends with an error, not with all memory', () => {
  expect(() => new FrameReader(() => undefined).push(Buffer.alloc(64, 0xff))).toThrow(/at most/)
})
