// Which columns of a table are places, radii and classes, by their names: those of QuPath, CellProfiler, scikit-image and napari, and our own. Pure.

export type Unit = 'px' | 'um'

export interface PointColumns {
  readonly x: number
  readonly y: number
  readonly unit: Unit
  /** Half of a diameter. */
  readonly radius: { readonly at: number; readonly unit: Unit; readonly half: boolean; readonly name: string } | null
  readonly className: number | null
  /** Where coordinates begin, in px of the slide, row by row: our own tables say it. */
  readonly origin: readonly [x: number, y: number] | null
}

/** What stands around "x" and "y" and says nothing else. */
const about = new Set(
  'centroid center centre location position pos coord coordinate coordinates nucleus nuclei cell cells areashape object objects spot point level0 in of'.split(
    ' ',
  ),
)
const px = new Set(['px', 'pixel', 'pixels'])
const um = new Set(['um', 'micron', 'microns', 'micrometer', 'micrometers', 'micrometre', 'micrometres'])
const sizes = new Set(['radius', 'diameter', 'equivalentdiameter'])
const classNames = new Set(['class', 'classification', 'phenotype', 'cell type', 'celltype', 'cell class'])

const tokensOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((each) => each !== '')

const unitOf = (tokens: readonly string[]): Unit | null =>
  tokens.some((each) => um.has(each)) ? 'um' : tokens.some((each) => px.has(each)) ? 'px' : null

/** Of a column of places its axis, and what is alike in the other axis' name. */
function axisOf(name: string): { readonly axis: 'x' | 'y'; readonly rest: string; readonly unit: Unit } | null {
  const tokens = tokensOf(name)
  const counted = tokens.length === 2 && (tokens[0] === 'centroid' || tokens[0] === 'axis')
  const axisAt = tokens.findIndex((each) => each === 'x' || each === 'y' || (counted && (each === '0' || each === '1')))
  if (axisAt < 0) return null
  const rest = tokens.filter((_, i) => i !== axisAt)
  if (!rest.every((each) => about.has(each) || px.has(each) || um.has(each) || each === 'axis')) return null
  const token = tokens[axisAt]!
  // Of arrays the first axis is down.
  const axis = token === 'x' || token === '1' ? 'x' : 'y'
  return { axis, rest: `${counted ? '#' : ''}${rest.join(' ')}`, unit: unitOf(tokens) ?? 'px' }
}

/** The first two columns that go together; null: there are none. */
export function pointColumns(names: readonly string[]): PointColumns | null {
  const axes = names.map((name) => axisOf(name.replace(/^\ufeff/, '').trim()))
  const exact = (name: string): number => names.findIndex((each) => each.trim() === name)
  for (const [x, of] of axes.entries()) {
    if (of?.axis !== 'x') continue
    const y = axes.findIndex((other) => other?.axis === 'y' && other.rest === of.rest)
    if (y < 0) continue
    const [originX, originY] = [exact('origin_x_px'), exact('origin_y_px')]
    const className = names.findIndex((name) => classNames.has(tokensOf(name).join(' ')))
    return {
      ...{ x, y, unit: of.unit, radius: radiusIn(names, of.unit) },
      className: className < 0 ? null : className,
      origin: originX >= 0 && originY >= 0 ? [originX, originY] : null,
    }
  }
  return null
}

function radiusIn(names: readonly string[], usual: Unit): PointColumns['radius'] {
  for (const [at, name] of names.entries()) {
    const tokens = tokensOf(name)
    const size = tokens.find((each) => sizes.has(each))
    const isPlain = tokens.every(
      (each) => sizes.has(each) || about.has(each) || px.has(each) || um.has(each) || each === 'equivalent',
    )
    if (size !== undefined && isPlain) return { at, unit: unitOf(tokens) ?? usual, half: size !== 'radius', name: name.trim() }
  }
  return null
}
