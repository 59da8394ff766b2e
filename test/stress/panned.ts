// A hand that drags the slide about, and how long the frames take meanwhile.
import { viewerOf } from '../e2e/journey'
import type { Shell } from '../e2e/shells'

export interface Frames {
  readonly p50: number
  readonly p95: number
  readonly worst: number
  readonly frames: number
}

/** Milliseconds between frames while the mouse drags the slide about: p50, p95, worst, and how many. */
export async function panned({ page }: Shell, seconds: number): Promise<Frames> {
  const box = (await viewerOf(page).boundingBox())!
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let before = performance.now()
    const next = (): void => {
      const now = performance.now()
      frames.push(now - before)
      before = now
      if ((window as unknown as { frames?: number[] }).frames === frames) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  const until = Date.now() + seconds * 1000
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  for (let n = 0; Date.now() < until; n++) {
    await page.mouse.move(middle.x + 150 * Math.sin(n / 9), middle.y + 150 * Math.cos(n / 7))
    await new Promise((resolve) => setTimeout(resolve, 16))
  }
  await page.mouse.up()
  const frames = await page.evaluate(() => {
    const all = (window as unknown as { frames: number[] }).frames
    Object.assign(window, { frames: undefined })
    return all
  })
  frames.sort((a, b) => a - b)
  const at = (share: number): number => Math.round(frames[Math.floor(frames.length * share)]!)
  return { p50: at(0.5), p95: at(0.95), worst: Math.round(frames.at(-1)!), frames: frames.length }
}
