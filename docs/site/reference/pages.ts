// The pages of the reference: each is made from the table that the program itself uses.

export interface MadePage {
  /** From docs/. */
  readonly at: string
  readonly text: string
}

export function referencePages(_root: string): MadePage[] {
  return []
}
