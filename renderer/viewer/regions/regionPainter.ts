// Many regions on a canvas: painted in small steps, from dots to lines as they are large on the screen, and again only where something is another.
import { isArea, type RegionOfInterest, type RegionShape } from '../../../app/contract'
import type { Point, View } from '../../arithmetic/geometry'
import { indexOf } from '../../arithmetic/regionIndex'
import { boxOfShape, type Box } from '../../arithmetic/regionShapes'
import type { Field } from './shownRegions'

/** Smaller on the screen, CSS px: a dot; a box; a line without a rim. */
const [dotPx, boxPx, plainPx] = [2, 6, 16]
/** A line's width with its rim goes so far beyond it. */
const beyondPx = 8
/** A pointer takes the line so near to it, as it does of SVG. */
const reachPx = 6
/** Between two steps: of lines, and of dots and boxes. */
const [eachStep, eachDots] = [100, 2000]

export interface Picture {
  readonly regions: readonly RegionOfInterest[]
  readonly field: Field
  /** Drawn elsewhere. */
  readonly without: ReadonlySet<RegionOfInterest>
  readonly selected: (id: string) => boolean
  /** The same function while no colour is another. */
  readonly colourOf: (region: RegionOfInterest) => string
  readonly rim: string
}

type Pen = CanvasRenderingContext2D

/** `from` becomes 0, 0; px per level-0 px. */
function trace(pen: Pen, shape: RegionShape, from: Point, scale: number): void {
  const [x, y] = [(each: number) => (each - from.x) * scale, (each: number) => (each - from.y) * scale]
  pen.beginPath()
  if (shape.kind === 'points') {
    for (const [px, py] of shape.points) {
      pen.moveTo(x(px), y(py))
      pen.lineTo(x(px) + 0.01, y(py))
    }
  } else if (shape.kind === 'line') for (const [px, py] of shape.points) pen.lineTo(x(px), y(py))
  else if (shape.kind === 'polygon') {
    for (const ring of shape.parts.flat()) {
      ring.forEach(([px, py], i) => (i === 0 ? pen.moveTo(x(px), y(py)) : pen.lineTo(x(px), y(py))))
      pen.closePath()
    }
  } else {
    const [width, height] = [shape.width * scale, shape.height * scale]
    if (shape.kind === 'rectangle') pen.rect(x(shape.x), y(shape.y), width, height)
    else pen.ellipse(x(shape.x) + width / 2, y(shape.y) + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI)
  }
}

/** So that 0, 0 is the middle of the field, turned as the view is, in CSS px. */
function turn(pen: Pen, { view, width, height }: Field, ratio: number): void {
  pen.setTransform(ratio, 0, 0, ratio, (ratio * width) / 2, (ratio * height) / 2)
  if (view.flipped) pen.scale(-1, 1)
  pen.rotate((view.rotation * Math.PI) / 180)
}

/** Whether it is a dot or a box, at a zoom. */
const isSmall = ({ shape }: RegionOfInterest, { width, height }: Box, zoom: number): boolean =>
  shape.kind !== 'points' && Math.max(width, height) * zoom < boxPx

/** In whole px of the canvas, so that it is the same however it is painted. */
interface Block {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Where dots and boxes lie on a canvas of the field; null: it is a line there. */
function blocksOf({ regions, field }: Picture, ratio: number): (place: number) => Block | null {
  const { center, zoom, rotation, flipped } = field.view
  const index = indexOf(regions)
  const turned = (rotation * Math.PI) / 180
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)]
  const isUpright = Math.abs(cos) >= Math.abs(sin)
  return (place) => {
    const box = index.boxAt(place)
    if (!isSmall(regions[place]!, box, zoom)) return null
    const [x, y] = [(box.x + box.width / 2 - center.x) * zoom, (box.y + box.height / 2 - center.y) * zoom]
    const right = (x * cos - y * sin) * (flipped ? -1 : 1)
    const sides = [Math.max(dotPx, box.width * zoom), Math.max(dotPx, box.height * zoom)].map((side) => Math.round(side * ratio))
    const [width, height] = (isUpright ? sides : sides.reverse()) as [number, number]
    return {
      left: Math.round((field.width / 2 + right) * ratio - width / 2),
      top: Math.round((field.height / 2 + x * sin + y * cos) * ratio - height / 2),
      ...{ width, height },
    }
  }
}

function paintLine(pen: Pen, place: number, picture: Picture): void {
  const { center, zoom } = picture.field.view
  const region = picture.regions[place]!
  const { shape } = region
  const box = indexOf(picture.regions).boxAt(place)
  const size = Math.max(box.width, box.height) * zoom
  const colour = picture.colourOf(region)
  trace(pen, shape, center, zoom)
  const isChosen = picture.selected(region.id)
  const isPlain = shape.kind !== 'points' && size < plainPx
  const width = shape.kind === 'points' ? 8 : isPlain ? 1.5 : 2
  pen.lineCap = shape.kind === 'points' ? 'round' : 'butt'
  if (!isPlain) {
    pen.strokeStyle = picture.rim
    pen.lineWidth = shape.kind === 'points' ? 12 : 4
    pen.stroke()
  }
  if (isChosen && isArea(shape)) {
    pen.globalAlpha = 0.1
    pen.fillStyle = colour
    pen.fill('evenodd')
    pen.globalAlpha = 1
  }
  pen.strokeStyle = colour
  pen.lineWidth = width + (isChosen ? 1 : 0)
  if (region.locked && shape.kind !== 'points') pen.setLineDash([7, 4])
  pen.stroke()
  if (region.locked) pen.setLineDash([])
}

/** The px of an opaque colour as an ImageData has them. */
function pixelsOf(pen: Pen): (colour: string) => number {
  const known = new Map<string, number>()
  return (colour) => {
    let pixel = known.get(colour)
    if (pixel !== undefined) return pixel
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
    pixel = new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0]!
    known.set(colour, pixel)
    return pixel
  }
}

/** All of it, on a canvas that gets the field's size: dots and boxes first, lines over them. */
export function* painting(canvas: HTMLCanvasElement, picture: Picture, ratio: number): Generator<void, void, void> {
  const { field, regions, without } = picture
  canvas.width = Math.round(field.width * ratio)
  canvas.height = Math.round(field.height * ratio)
  canvas.style.width = `${field.width}px`
  canvas.style.height = `${field.height}px`
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen || canvas.width === 0 || canvas.height === 0) return
  const blockOf = blocksOf(picture, ratio)
  const pixelOf = pixelsOf(pen)
  const image = new ImageData(canvas.width, canvas.height)
  const pixels = new Uint32Array(image.data.buffer)
  const lines: number[] = []
  let count = 0
  for (const place of indexOf(regions).meeting(field.box)) {
    const region = regions[place]!
    if (without.has(region)) continue
    const block = blockOf(place)
    if (!block) lines.push(place)
    else fill(pixels, image.width, block, pixelOf(picture.colourOf(region)))
    if (++count % eachDots === 0) yield
  }
  pen.putImageData(image, 0, 0)
  turn(pen, field, ratio)
  pen.lineJoin = 'round'
  count = 0
  for (const place of lines) {
    paintLine(pen, place, picture)
    if (++count % eachStep !== 0) continue
    // Else all of it would be drawn when the canvas is shown, in one frame.
    pen.getImageData(0, 0, 1, 1)
    yield
  }
}

/** What lies beyond the sides is left out. */
function fill(pixels: Uint32Array, across: number, { left, top, width, height }: Block, pixel: number): void {
  const [from, to] = [Math.max(0, left), Math.min(across, left + width)]
  const down = Math.min(pixels.length / across, top + height)
  if (from < to) for (let y = Math.max(0, top); y < down; y++) pixels.fill(pixel, y * across + from, y * across + to)
}

/** More is painted as a whole. */
const [mostOther, mostAgain] = [100, 1000]

/** Regions that are others now, or drawn elsewhere; null: too many, or the picture is of another field. */
function otherThan(before: Picture, now: Picture): RegionOfInterest[] | null {
  if (before.field !== now.field || before.colourOf !== now.colourOf || before.selected !== now.selected) return null
  const [was, is] = [before.regions, now.regions]
  const others: RegionOfInterest[] = []
  if (was !== is) {
    if (Math.abs(was.length - is.length) > mostOther) return null
    // A change touches few: what lies before and behind them is the same.
    let [from, wasTo, isTo] = [0, was.length, is.length]
    while (from < Math.min(wasTo, isTo) && was[from] === is[from]) from++
    while (wasTo > from && isTo > from && was[wasTo - 1] === is[isTo - 1]) [wasTo, isTo] = [wasTo - 1, isTo - 1]
    const [known, kept] = [indexOf(was), indexOf(is)]
    for (const region of is.slice(from, isTo)) if (known.get(region.id) !== region) others.push(region)
    for (const region of was.slice(from, wasTo)) if (kept.get(region.id) !== region) others.push(region)
  }
  for (const region of before.without) if (!now.without.has(region)) others.push(region)
  for (const region of now.without) if (!before.without.has(region)) others.push(region)
  return others.length > mostOther ? null : others
}

/** Paints what is another now on a canvas that has all of the picture before; false: it is to be painted as a whole. */
export function paintOthers(canvas: HTMLCanvasElement, before: Picture, now: Picture, ratio: number): boolean {
  const others = otherThan(before, now)
  const pen = canvas.getContext('2d')
  if (!others || !pen) return false
  const { field, regions } = now
  const { center, zoom } = field.view
  const boxes = others.map(({ shape }): Box => {
    const { x, y, width, height } = boxOfShape(shape)
    const beyond = beyondPx / zoom
    return { x: x - beyond, y: y - beyond, width: width + 2 * beyond, height: height + 2 * beyond }
  })
  const again = new Set(boxes.flatMap((box) => indexOf(regions).meeting(box)))
  if (again.size > mostAgain) return false
  pen.save()
  turn(pen, field, ratio)
  pen.beginPath()
  for (const { x, y, width, height } of boxes) pen.rect((x - center.x) * zoom, (y - center.y) * zoom, width * zoom, height * zoom)
  pen.clip()
  pen.clearRect(-field.width * 2, -field.height * 2, field.width * 4, field.height * 4)
  const blockOf = blocksOf(now, ratio)
  const shown = [...again].filter((place) => !now.without.has(regions[place]!)).sort((a, b) => a - b)
  const lines = shown.filter((place) => {
    const block = blockOf(place)
    if (!block) return true
    pen.fillStyle = now.colourOf(regions[place]!)
    pen.save()
    pen.resetTransform()
    pen.fillRect(block.left, block.top, block.width, block.height)
    pen.restore()
    return false
  })
  for (const place of lines) paintLine(pen, place, now)
  pen.restore()
  return true
}

let scratch: Pen | null = null

/** Of dots and boxes the one whose middle is nearest to a point of level 0, as far as a pointer reaches; of like ones the topmost. */
export function smallUnder(
  { regions, without }: Pick<Picture, 'regions' | 'without'>,
  zoom: number,
  at: Point,
): RegionOfInterest | null {
  const reach = reachPx / zoom
  const index = indexOf(regions)
  let [found, least]: [RegionOfInterest | null, number] = [null, reach]
  for (const place of index.meeting({ x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach })) {
    const [region, box] = [regions[place]!, index.boxAt(place)]
    if (without.has(region) || !isSmall(region, box, zoom)) continue
    const distance = Math.hypot(box.x + box.width / 2 - at.x, box.y + box.height / 2 - at.y)
    if (distance <= least) [found, least] = [region, distance]
  }
  return found
}

/** The topmost whose line is at a point of level 0, else the nearest dot or box; none of those that are drawn elsewhere. */
export function regionUnder(picture: Picture, view: View, at: Point): RegionOfInterest | null {
  const { regions, without } = picture
  const index = indexOf(regions)
  scratch ??= document.createElement('canvas').getContext('2d')
  const pen = scratch
  if (!pen) return null
  const reach = beyondPx / view.zoom
  const box = { x: at.x - reach, y: at.y - reach, width: 2 * reach, height: 2 * reach }
  pen.lineCap = 'round'
  const place = index.meeting(box).findLast((each) => {
    const region = regions[each]!
    const { shape } = region
    if (without.has(region) || isSmall(region, index.boxAt(each), view.zoom)) return false
    trace(pen, shape, at, view.zoom)
    pen.lineWidth = shape.kind === 'points' ? 2 * beyondPx : 2 * reachPx
    return pen.isPointInStroke(0, 0)
  })
  return place === undefined ? smallUnder(picture, view.zoom, at) : regions[place]!
}
