// A Zarr of version 2 as an export's folder: groups, and arrays whose chunks come in any order, each a file of its own.
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { OutputFolder } from '../output/outputSet'

const deflated = promisify(deflate)
const level = 6
/** zlib is what Node has, and every reader. */
const compressor = { id: 'zlib', level }

export type Attributes = Readonly<Record<string, unknown>>
export interface ArrayAbout {
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  /** As NumPy writes it: "<u4". */
  readonly dtype: string
  readonly fill?: number | string | null
  readonly filters?: readonly { readonly id: string }[]
  readonly attributes?: Attributes
}

/** In ASCII: Zarr 2 of Python reads nothing else. */
const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
const within = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)

export class ZarrStore {
  readonly #out: OutputFolder

  constructor(out: OutputFolder) {
    this.#out = out
  }

  /** `path`: "" is the root. */
  async group(path: string, attributes: Attributes = {}): Promise<void> {
    await this.#out.write(within(path, '.zgroup'), json({ zarr_format: 2 }))
    await this.#attributes(path, attributes)
  }

  async array(path: string, { shape, chunks, dtype, fill = 0, filters, attributes = {} }: ArrayAbout): Promise<void> {
    const about = { zarr_format: 2, shape, chunks, dtype, compressor, fill_value: fill, order: 'C', filters: filters ?? null }
    await this.#out.write(`${path}/.zarray`, json({ ...about, dimension_separator: '/' }))
    await this.#attributes(path, attributes)
  }

  /** Whole, in the machine's order, which is the least byte first. `place`: none for an array without dimensions. */
  async chunk(path: string, place: readonly number[], data: Uint8Array): Promise<void> {
    await this.#out.write(`${path}/${place.length === 0 ? '0' : place.join('/')}`, await deflated(data, { level }))
  }

  async #attributes(path: string, attributes: Attributes): Promise<void> {
    if (Object.keys(attributes).length > 0) await this.#out.write(within(path, '.zattrs'), json(attributes))
  }
}
