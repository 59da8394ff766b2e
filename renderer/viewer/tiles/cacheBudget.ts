// What caches of tiles may hold: so many screens of pixels, as fewer than one screen's would be loaded anew with every frame.
const leastBytes = 48 * 2 ** 20
/** What engines serve of a slide. */
const slideTilePx = 256

/** Bytes of `screens` screens of 4 bytes a px, of the screen that the page is on when it asks. */
export function screensOfBytes(screens: number): number {
  if (typeof screen === 'undefined') return leastBytes
  return Math.max(leastBytes, Math.ceil(screens * 4 * screen.width * screen.height * devicePixelRatio ** 2))
}

/** As many of the slide's tiles, which are seen at half to all of their px. */
export const tilesOfScreens = (screens: number): number => Math.ceil(screensOfBytes(screens) / (4 * slideTilePx ** 2))
