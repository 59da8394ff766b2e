// What the journeys see: counts over the pixels of the screen and of the overlay's canvas, never the app's own account of itself.
import type { CDPSession, Locator, Page } from '@playwright/test'
import sharp from 'sharp'

export interface Picture {
  readonly width: number
  readonly height: number
  /** RGB. */
  readonly data: Buffer
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** What the screen has where `locator` is. Asks the browser itself: Playwright's own screenshot waits half a second for each. */
export async function picture(locator: Locator): Promise<Picture> {
  const page = locator.page()
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  const box = await locator.boundingBox()
  if (!box) throw new Error('what is looked at is not on the screen')
  const { data: png } = await (
    await session
  ).send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip: { ...box, scale: 1 } })
  const { data, info } = await sharp(Buffer.from(png, 'base64')).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

export function share({ data }: Picture, is: (r: number, g: number, b: number) => boolean): number {
  let count = 0
  for (let i = 0; i < data.length; i += 3) if (is(data[i]!, data[i + 1]!, data[i + 2]!)) count++
  return (count * 3) / data.length
}

/** H&E: pink to purple, so green is the weakest of the three. */
export const isTissue = (r: number, g: number, b: number): boolean => r > 90 && r - g > 18 && b - g > 8
export const isGrey = (r: number, g: number, b: number): boolean => Math.max(r, g, b) - Math.min(r, g, b) < 6

/** The centre of the darkest bluish patch away from the rim: a nucleus, for any reader of H&E. */
export function darkestNucleus({ width, height, data }: Picture, patch = 9): { x: number; y: number } {
  let best = { x: 0, y: 0, value: Infinity }
  for (let y = 120; y < height - 145; y += 4) {
    for (let x = 160; x < width - 175; x += 4) {
      let value = 0
      for (let dy = 0; dy < patch; dy += 2) {
        for (let dx = 0; dx < patch; dx += 2) value += data[((y + dy) * width + x + dx) * 3]!
      }
      if (value < best.value) best = { x, y, value }
    }
  }
  return { x: best.x + (patch >> 1), y: best.y + (patch >> 1) }
}

export interface OverlayLook {
  readonly width: number
  readonly height: number
  /** Pixels that are drawn at all. */
  readonly covered: number
  /** Drawn pixels that are no grey: outlines are coloured. */
  readonly coloured: number
  /** Changes with any pixel. */
  readonly hash: number
  /** CSS px from the canvas's corner, each in a small place that outline encloses: inside an object. */
  readonly insides: { x: number; y: number }[]
}

/** Reads the overlay's own canvas. */
export function overlay(page: Page): Promise<OverlayLook> {
  return page.getByTestId('overlay-canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { width, height } = canvas
    if (width === 0 || height === 0) return { width, height, covered: 0, coloured: 0, hash: 0, insides: [] }
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
    let covered = 0
    let coloured = 0
    let hash = 2166136261
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b, a] = [data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!]
      if (a === 0) continue
      covered++
      if (Math.max(r, g, b) - Math.min(r, g, b) > 40) coloured++
      hash = Math.imul(hash ^ (i + (r << 8) + (g << 16) + b), 16777619) >>> 0
    }
    const drawn = (x: number, y: number) => data[(y * width + x) * 4 + 3]! > 0
    /** Whether what is not drawn around a place ends at what is: the gap between some outlines goes on, the inside of one does not. */
    const enclosed = (x: number, y: number) => {
      const seen = new Set([y * width + x])
      for (const at of seen) {
        if (seen.size > 600) return false
        for (const next of [at - 1, at + 1, at - width, at + width]) if (data[next * 4 + 3] === 0) seen.add(next)
      }
      return seen.size > 30
    }
    const clear = (x: number, y: number) =>
      !drawn(x, y) && !drawn(x + 2, y) && !drawn(x - 2, y) && !drawn(x, y + 2) && !drawn(x, y - 2)
    const insides: { x: number; y: number }[] = []
    const scale = canvas.getBoundingClientRect().width / width
    // Away from the rim, where panels and the navigator lie over the viewer.
    for (let y = Math.round(height * 0.25); y < height * 0.75 && insides.length < 12; y += 6) {
      for (let x = Math.round(width * 0.25); x < width * 0.7 && insides.length < 12; x += 6) {
        if (clear(x, y) && enclosed(x, y)) {
          insides.push({ x: x * scale, y: y * scale })
          x += 60
        }
      }
    }
    return { width, height, covered, coloured, hash, insides }
  })
}

/** How many of the overlay's px have which colour, the commonest first: "190,255,0" for whole ones, with their alpha for others. */
export const inksOf = (page: Page): Promise<[string, number][]> =>
  page.getByTestId('overlay-canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const counts = new Map<string, number>()
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 0) continue
      const key = data[i + 3] === 255 ? [...data.subarray(i, i + 3)].join() : `alpha ${data[i + 3]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return [...counts].sort((a, b) => b[1] - a[1])
  })
