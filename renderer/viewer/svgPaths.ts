// Shapes of the slide as SVG: level-0 px under one transform, so that a moving view draws no path anew.
import type { View } from '../arithmetic/geometry'

export const transformOf = ({ center, zoom, rotation, flipped, width, height }: View): string =>
  `translate(${width / 2} ${height / 2})${flipped ? ' scale(-1 1)' : ''} rotate(${rotation}) scale(${zoom}) translate(${-center.x} ${-center.y})`

export const pathOfRings = (rings: readonly (readonly (readonly [number, number])[])[]): string =>
  rings.map((ring) => `M${ring.map(([x, y]) => `${x} ${y}`).join('L')}Z`).join('')
