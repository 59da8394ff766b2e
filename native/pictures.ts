// Windows of ids and pictures of the slide with outlines: what crosses to the native engine and back.

/** left, top, …: pixels of 2^level × 2^level px, which show what any of them holds; xs, ys: pixels that show one px each. */
export type PaintWindow =
  | { left: number; top: number; level: number; width: number; height: number }
  | { xs: Int32Array; ys: Int32Array }

/** A picture in JavaScript's memory, which the engine writes. */
export interface OutlinedPicture {
  /** width × height × 3 bytes. */
  readonly rgb: Uint8Array<ArrayBuffer>
  /** width × height: 1 where an outline was painted. */
  readonly drawn: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
  /** Of its corner, in its px. */
  readonly x0: number
  readonly y0: number
  /** Its px per px of the objects' plane. */
  readonly toPicture: number
  /** Px of the objects' plane that cells reach beyond their nuclei; 0: none are painted. */
  readonly cellReach: number
}
