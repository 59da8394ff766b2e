// Where an HDF5 file goes.

/** What HDF5 files are written into: an export's file (OutputFile), or any other that grows at its end. */
export interface Sink {
  readonly bytes: number
  /** Returns the offset at which the data lies. */
  append(data: Uint8Array): Promise<number>
  /** Overwrites bytes that are there already. */
  patch(data: Uint8Array, offset: number): Promise<void>
}
