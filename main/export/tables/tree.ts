// What a file of groups and arrays has, whatever format it is written in: HDF5 or Zarr.

export type ElementType = 'int8' | 'int16' | 'int32' | 'float32' | 'float64' | 'string' | 'bool'
export type AttributeValue = string | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue>>

export interface Group {
  readonly attributes: Attributes
  readonly members: Readonly<Record<string, Node>>
}
export interface Dataset {
  readonly attributes: Attributes
  readonly data: Rows | Values
}
/** Few enough to be held: one value without dimensions, else a list. */
export type Values =
  | { readonly type: 'string'; readonly values: string | readonly string[] }
  | { readonly type: 'float64'; readonly values: number | readonly number[] }
export type Node = Group | Dataset

/** A dataset that comes in rows, which are announced. */
export interface Rows {
  readonly type: ElementType
  readonly dims: readonly number[]
  /** Whole rows, in the machine's order. */
  append(data: Uint8Array): Promise<void>
}
/** A list of strings that comes in parts. */
export interface TextRows {
  readonly rows: Rows
  append(texts: readonly string[]): Promise<void>
}

/** What is begun with the path that it will have below the root. */
export interface TreeFile {
  rows(path: string, type: Exclude<ElementType, 'string' | 'bool'>, dims: readonly [number, ...number[]]): Rows
  texts(path: string, count: number): TextRows
  /** Names everything. Nothing may be written afterwards. */
  finish(root: Group): Promise<void>
}
