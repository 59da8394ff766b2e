// What a stage of a window cost, and what its operations did.
/** What operations did: which algorithm ran, its sweeps or steps, and what its queues moved (pixels, on a GPU tiles). */
export interface StageWork {
  op: string
  variant: string
  calls: number
  rounds: number
  queued: number
  /** Most entries of one queue at once, where anybody looked; 0: nobody did. */
  longest: number
}
export interface StageTiming {
  stage: string
  device: string
  /** What its operations chose, each once: "sweeps + queue; graph"; empty: none of them chooses. */
  variant: string
  ms: number
  pixels: number
  work: StageWork[]
  /** Of a stage that is timed in parts: which. */
  part?: string | undefined
  /** Of what was read: what read it, with its version. */
  reader?: string | undefined
  /** Of copies to and from a GPU: the host's memory, "pinned" or "staged" through pinned memory. */
  memory?: string | undefined
  /** It was not computed: an earlier window or run left it. */
  kept?: boolean | undefined
}
