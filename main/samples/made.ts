// What each sample is: its words, its file's ending, and how it is made.
export interface Made {
  readonly bytes: Uint8Array
  /** What is in it, a sentence each. */
  readonly truth: readonly string[]
  /** GeoJSON, where it has regions. */
  readonly regions?: object
}
export interface MadeSample {
  readonly words: string
  /** That readers know it by. */
  readonly ending: string
  readonly make: () => Promise<Made>
}
