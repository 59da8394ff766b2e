// A small DICOM whole slide of one frame, as the standard has it: uncompressed, with a colour profile or without, or in JPEG 2000.

const long = new Set(['OB', 'OW', 'SQ'])

function element(tag: number, vr: string, value: Buffer): Buffer {
  const padded = value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.from(vr === 'UI' || vr === 'OB' ? '\0' : ' ')])
  const head = Buffer.alloc(long.has(vr) ? 12 : 8)
  head.writeUInt16LE(tag >>> 16, 0)
  head.writeUInt16LE(tag & 0xffff, 2)
  head.write(vr, 4, 'latin1')
  if (long.has(vr)) head.writeUInt32LE(padded.length, 8)
  else head.writeUInt16LE(padded.length, 6)
  return Buffer.concat([head, padded])
}
const text = (tag: number, vr: string, value: string): Buffer => element(tag, vr, Buffer.from(value, 'latin1'))
function whole(tag: number, vr: 'US' | 'UL', value: number): Buffer {
  const bytes = Buffer.alloc(vr === 'US' ? 2 : 4)
  bytes.writeUIntLE(value, 0, bytes.length)
  return element(tag, vr, bytes)
}
function sequence(tag: number, item: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(0xe000_fffe, 0)
  head.writeUInt32LE(item.length, 4)
  return element(tag, 'SQ', Buffer.concat([head, item]))
}

interface Shape {
  readonly side: number
  readonly samples: 1 | 3
  /** Stored, in 8 or 16. */
  readonly bits: number
  readonly isSigned: boolean
  readonly photometric: string
}

/** A picture of one frame; `pixels`: its element. */
function slideOf({ side, samples, bits, isSigned, photometric }: Shape, syntax: string, icc: Uint8Array | null, pixels: Buffer) {
  const path = [text(0x0048_0106, 'SH', '1'), text(0x0048_0112, 'DS', '20')]
  if (icc) path.unshift(element(0x0028_2000, 'OB', Buffer.from(icc)))
  const spacing = sequence(0x0028_9110, text(0x0028_0030, 'DS', String.raw`0.00025\0.00025`))
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    text(0x0002_0010, 'UI', syntax),
    text(0x0008_0008, 'CS', String.raw`ORIGINAL\PRIMARY\VOLUME\NONE`),
    text(0x0008_0016, 'UI', '1.2.840.10008.5.1.4.1.1.77.1.6'),
    text(0x0020_000e, 'UI', '1.2.3.4'),
    text(0x0020_9311, 'CS', 'TILED_FULL'),
    whole(0x0028_0002, 'US', samples),
    text(0x0028_0004, 'CS', photometric),
    ...(samples === 3 ? [whole(0x0028_0006, 'US', 0)] : []),
    text(0x0028_0008, 'IS', '1'),
    whole(0x0028_0010, 'US', side),
    whole(0x0028_0011, 'US', side),
    whole(0x0028_0100, 'US', bits > 8 ? 16 : 8),
    whole(0x0028_0101, 'US', bits),
    whole(0x0028_0102, 'US', bits - 1),
    whole(0x0028_0103, 'US', isSigned ? 1 : 0),
    whole(0x0048_0006, 'UL', side),
    whole(0x0048_0007, 'UL', side),
    sequence(0x0048_0105, Buffer.concat(path)),
    sequence(0x5200_9229, spacing),
    pixels,
  ])
}

/** `samples`: red, green and blue of each px, of a square of `side` px. */
export function dicomOf(samples: Uint8Array, side: number, icc: Uint8Array | null): Buffer {
  const shape: Shape = { side, samples: 3, bits: 8, isSigned: false, photometric: 'RGB' }
  return slideOf(shape, '1.2.840.10008.1.2.1', icc, element(0x7fe0_0010, 'OB', Buffer.from(samples)))
}

/** Of one JPEG 2000 frame. */
export function dicomOfFrame(codestream: Buffer, shape: Shape): Buffer {
  const item = (bytes: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32LE(0xe000_fffe, 0)
    head.writeUInt32LE(bytes.length, 4)
    return Buffer.concat([head, bytes])
  }
  const head = Buffer.alloc(12)
  head.writeUInt16LE(0x7fe0, 0)
  head.writeUInt16LE(0x0010, 2)
  head.write('OB', 4, 'latin1')
  head.writeUInt32LE(0xffff_ffff, 8)
  const end = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])
  const even = codestream.length % 2 === 0 ? codestream : Buffer.concat([codestream, Buffer.alloc(1)])
  return slideOf(shape, '1.2.840.10008.1.2.4.90', null, Buffer.concat([head, item(Buffer.alloc(0)), item(even), end]))
}
