// Bob Jenkins's lookup3 hash ("hashlittle"), by which HDF5 checks each piece of its metadata.

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Of all bytes, with the initial value that HDF5 takes: 0. */
export function lookup3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let a = (0xdeadbeef + bytes.length) | 0
  let b = a
  let c = a
  let at = 0
  for (; bytes.length - at > 12; at += 12) {
    a = (a + view.getUint32(at, true)) | 0
    b = (b + view.getUint32(at + 4, true)) | 0
    c = (c + view.getUint32(at + 8, true)) | 0
    a = ((a - c) | 0) ^ rotated(c, 4)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotated(a, 6)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotated(b, 8)
    b = (b + a) | 0
    a = ((a - c) | 0) ^ rotated(c, 16)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotated(a, 19)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotated(b, 4)
    b = (b + a) | 0
  }
  if (at === bytes.length) return c >>> 0
  // The last one to twelve bytes, as if zeros followed.
  const rest = new Uint8Array(12)
  rest.set(bytes.subarray(at))
  const end = new DataView(rest.buffer)
  a = (a + end.getUint32(0, true)) | 0
  b = (b + end.getUint32(4, true)) | 0
  c = (c + end.getUint32(8, true)) | 0
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  c = ((c ^ b) - rotated(b, 24)) | 0
  return c >>> 0
}
