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
  variant: string
  ms: number
  pixels: number
  work: StageWork[]
}
