// OpenSeadragon asks for the next frame for ever, also of a view in which nothing moves. Here it looks ten times a second while it rests.

/** So long after the last change, frames still follow each other. */
const awakeMs = 1000
const restMs = 100
/** What a view does while it moves, loads or draws. Pan, zoom and rotate are told before their first frame. */
const changes = ['animation', 'flip', 'open', 'pan', 'resize', 'rotate', 'tile-loaded', 'update-viewport', 'zoom'] as const
/** What a person does, wherever in the window. */
const inputs = ['keydown', 'pointerdown', 'pointermove', 'resize', 'touchmove', 'wheel'] as const

type Handled<Name extends string> = { addHandler(name: Name, handler: () => void): void }
/** What is listened to of OpenSeadragon's viewer. */
type Changing = Handled<(typeof changes)[number]> & { readonly world: Handled<'add-item' | 'remove-item'> }

interface Frames {
  requestAnimationFrame: (callback: FrameRequestCallback) => number
  cancelAnimationFrame: (id: number) => void
}

/** Frames that come at once after a change, and else seldom. */
export class RestingFrames implements Frames {
  private awakeUntil = 0
  private readonly waiting = new Map<number, { timer: ReturnType<typeof setTimeout>; callback: FrameRequestCallback }>()
  private readonly frames = new Map<number, number>()
  private next = 1

  constructor(private readonly window: Frames & { performance: Pick<Performance, 'now'> }) {}

  /** Something changed, or may in a moment. */
  rouse(): void {
    this.awakeUntil = this.window.performance.now() + awakeMs
    for (const [id, { timer, callback }] of this.waiting) {
      clearTimeout(timer)
      this.ask(id, callback)
    }
    this.waiting.clear()
  }

  requestAnimationFrame = (callback: FrameRequestCallback): number => {
    const id = this.next++
    if (this.window.performance.now() < this.awakeUntil) this.ask(id, callback)
    else {
      const timer = setTimeout(() => {
        this.waiting.delete(id)
        this.ask(id, callback)
      }, restMs)
      this.waiting.set(id, { timer, callback })
    }
    return id
  }

  cancelAnimationFrame = (id: number): void => {
    clearTimeout(this.waiting.get(id)?.timer)
    this.waiting.delete(id)
    const frame = this.frames.get(id)
    if (frame !== undefined) this.window.cancelAnimationFrame(frame)
    this.frames.delete(id)
  }

  /** By a frame, which a page that nobody sees does not get. */
  private ask(id: number, callback: FrameRequestCallback): void {
    const frame = this.window.requestAnimationFrame((time) => {
      this.frames.delete(id)
      callback(time)
    })
    this.frames.set(id, frame)
  }
}

let shared: RestingFrames | null = null

/** `library`: OpenSeadragon, whose loops ask its own functions. Before its first viewer is made. */
export function restFrames(library: object): RestingFrames {
  if (shared) return shared
  shared = new RestingFrames(window)
  const { requestAnimationFrame, cancelAnimationFrame } = shared
  Object.assign(library, { requestAnimationFrame, cancelAnimationFrame })
  for (const input of inputs) window.addEventListener(input, () => shared!.rouse(), { capture: true, passive: true })
  return shared
}

/** Each change of a viewer keeps all of them awake: the second view and the small map follow the first. */
export function rousedBy(viewer: Changing, frames: RestingFrames): void {
  for (const change of changes) viewer.addHandler(change, () => frames.rouse())
  for (const change of ['add-item', 'remove-item'] as const) viewer.world.addHandler(change, () => frames.rouse())
}
