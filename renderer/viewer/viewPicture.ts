// The view as one picture: the slide's canvas, what lies over it as it is drawn on the screen, the scale bar, and what the colours mean.
import { horizontalMpp, slideMpp } from '../store/slices/slideSlice'
import { getState } from '../store/store'
import { isPlain, toned } from '../store/slices/toneSlice'
import { scaleBar } from '../arithmetic/format'
import { words } from '../words'
import { drawLegends } from './legends/drawLegends'
import { shownLegends } from './legends/shownLegends'

/** What a shape's look comes from, where a picture of it has no style sheet. */
const looks = [
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'vector-effect', 'paint-order', 'opacity', 'display', 'visibility', 'font', 'text-anchor'],
]

/** An SVG layer of the page with its looks written into it. */
function standing(layer: SVGSVGElement, width: number, height: number): string {
  const copy = layer.cloneNode(true) as SVGSVGElement
  const from = [...layer.querySelectorAll('*')]
  ;[...copy.querySelectorAll<SVGElement>('*')].forEach((element, at) => {
    const computed = getComputedStyle(from[at]!)
    element.setAttribute('style', looks.map((name) => `${name}:${computed.getPropertyValue(name)}`).join(';'))
  })
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.removeAttribute('class')
  return new XMLSerializer().serializeToString(copy)
}

async function imageOf(svg: string): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** From the left, CSS px: what the split bar takes away. */
const cutOf = (element: Element): number => (getComputedStyle(element).clipPath === 'none' ? 0 : (getState().ui.split ?? 0))

/** Of the scale bar and what is below it, CSS px. */
const barHeight = 56

function drawBar(pen: CanvasRenderingContext2D, height: number): void {
  const { slide, ui } = getState()
  if (!slide.info || !ui.view) return
  const bar = scaleBar(ui.view.zoom, horizontalMpp(slide.info, ui.view.rotation))
  const length = slideMpp(slide.info) === null ? words.viewer.scaleUncalibrated(bar.label) : bar.label
  pen.font = '600 13px system-ui, sans-serif'
  const wide = Math.max(bar.widthPx, pen.measureText(length).width) + 18
  pen.fillStyle = 'rgba(8, 11, 14, 0.72)'
  pen.fillRect(14, height - barHeight, wide, 42)
  pen.strokeStyle = '#fff'
  pen.lineWidth = 1.5
  const left = 14 + (wide - bar.widthPx) / 2
  pen.beginPath()
  pen.moveTo(left, height - 47)
  pen.lineTo(left, height - 41)
  pen.lineTo(left + bar.widthPx, height - 41)
  pen.lineTo(left + bar.widthPx, height - 47)
  pen.stroke()
  pen.fillStyle = '#fff'
  pen.textAlign = 'center'
  pen.fillText(length, 14 + wide / 2, height - 22)
}

/** PNG, as many px as the screen has for it. `root`: the viewer's element. */
export async function viewPicture(root: HTMLElement): Promise<Blob> {
  const ratio = window.devicePixelRatio || 1
  const { clientWidth: width, clientHeight: height } = root
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('expected a 2D canvas but the browser gave none')
  pen.fillStyle = getComputedStyle(root).backgroundColor
  pen.fillRect(0, 0, canvas.width, canvas.height)
  const slide = root.querySelector<HTMLCanvasElement>('.openseadragon-canvas canvas')
  if (slide) pen.drawImage(slide, 0, 0, canvas.width, canvas.height)
  const { tone } = getState()
  if (!isPlain(tone)) {
    const image = pen.getImageData(0, 0, canvas.width, canvas.height)
    toned(tone, image.data)
    pen.putImageData(image, 0, 0)
  }
  // In the order in which they lie over each other.
  for (const layer of root.querySelectorAll<HTMLCanvasElement | SVGSVGElement>(
    ':scope > canvas, :scope > svg.fill, :scope > div > canvas',
  )) {
    if (getComputedStyle(layer).visibility === 'hidden') continue
    pen.save()
    const from = cutOf(layer) * canvas.width
    pen.beginPath()
    pen.rect(from, 0, canvas.width - from, canvas.height)
    pen.clip()
    if (layer instanceof HTMLCanvasElement) {
      // One may lie beyond the view's edges.
      const [box, all] = [layer.getBoundingClientRect(), root.getBoundingClientRect()]
      pen.drawImage(layer, (box.x - all.x) * ratio, (box.y - all.y) * ratio, box.width * ratio, box.height * ratio)
    }
    if (layer instanceof SVGSVGElement)
      pen.drawImage(await imageOf(standing(layer, width, height)), 0, 0, canvas.width, canvas.height)
    pen.restore()
  }
  pen.scale(ratio, ratio)
  drawBar(pen, height)
  drawLegends(pen, shownLegends(getState()), height - barHeight)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))), 'image/png')
  })
}
