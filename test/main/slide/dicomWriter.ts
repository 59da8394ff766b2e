// A small DICOM whole slide of one uncompressed frame, as the standard has it, with a colour profile or without.

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

/** `samples`: red, green and blue of each px, of a square of `side` px. */
export function dicomOf(samples: Uint8Array, side: number, icc: Uint8Array | null): Buffer {
  const path = [text(0x0048_0106, 'SH', '1'), text(0x0048_0112, 'DS', '20')]
  if (icc) path.unshift(element(0x0028_2000, 'OB', Buffer.from(icc)))
  const spacing = sequence(0x0028_9110, text(0x0028_0030, 'DS', String.raw`0.00025\0.00025`))
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    text(0x0002_0010, 'UI', '1.2.840.10008.1.2.1'),
    text(0x0008_0008, 'CS', String.raw`ORIGINAL\PRIMARY\VOLUME\NONE`),
    text(0x0008_0016, 'UI', '1.2.840.10008.5.1.4.1.1.77.1.6'),
    text(0x0020_000e, 'UI', '1.2.3.4'),
    text(0x0020_9311, 'CS', 'TILED_FULL'),
    whole(0x0028_0002, 'US', 3),
    text(0x0028_0004, 'CS', 'RGB'),
    whole(0x0028_0006, 'US', 0),
    text(0x0028_0008, 'IS', '1'),
    whole(0x0028_0010, 'US', side),
    whole(0x0028_0011, 'US', side),
    whole(0x0028_0100, 'US', 8),
    whole(0x0028_0101, 'US', 8),
    whole(0x0028_0102, 'US', 7),
    whole(0x0028_0103, 'US', 0),
    whole(0x0048_0006, 'UL', side),
    whole(0x0048_0007, 'UL', side),
    sequence(0x0048_0105, Buffer.concat(path)),
    sequence(0x5200_9229, spacing),
    element(0x7fe0_0010, 'OB', Buffer.from(samples)),
  ])
}
