// Reads that a whole run stands on: tried once more where parts could not be read, as a drive may answer the second time.
import type { Slide } from '../../native/index'

type Reads = Pick<Slide, 'readScaled'>

export function patientReads(native: Reads): Reads {
  return {
    readScaled: async (...asked) => {
      const read = await native.readScaled(...asked)
      return read.unreadable.length === 0 ? read : native.readScaled(...asked)
    },
  }
}
