// Empties a canvas so that it is seen to be empty.

/**
 * In halves: Chromium (Electron 43, software rendering) takes one clearRect over all of a canvas for a reason to drop what was recorded
 * before it, the clearing too; where nothing is drawn after it, the old picture stays on screen.
 */
export function clearCanvas(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas
  const half = Math.ceil(width / 2)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, half, height)
  context.clearRect(half, 0, width - half, height)
}
