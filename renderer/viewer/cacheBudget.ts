// What caches of tiles may hold: so many screens of pixels, as fewer than one screen's would be loaded anew with every frame.
const leastBytes = 48 * 2 ** 20

/** Bytes of `screens` screens of 4 bytes a px, of the screen that the page is on when it asks. */
export function screensOfBytes(screens: number): number {
  if (typeof screen === 'undefined') return leastBytes
  return Math.max(leastBytes, Math.ceil(screens * 4 * screen.width * screen.height * devicePixelRatio ** 2))
}
