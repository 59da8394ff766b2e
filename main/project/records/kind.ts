// One kind of record: how it lies in its table, its one check, and how many there can be. Put and loaded by the same.
import type { Columns, RowOf } from './rows'

export interface Kind<R, C extends Columns = Columns> {
  readonly table: string
  readonly columns: C
  /** The column that tells one from the others. */
  readonly key: keyof C & string
  /** Rows. */
  readonly most: number
  /** Of one text or blob. */
  readonly mostBytes: number
  /** What all of them together may take in memory, and what is said beyond it. */
  readonly mostWeight: number
  readonly tooHeavy: string
  /** What a sentence calls it. */
  words(record: R): string
  /** Checked. Throws an Error that says what is wrong with it. */
  row(record: R): RowOf<C>
  /** Checked. Throws an Error that says what is wrong with it. */
  record(row: RowOf<C>): R
  /** Bytes that it takes in memory. `record` is absent before it is read. */
  weight(row: RowOf<C>, record?: R): number
}
