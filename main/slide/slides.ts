// The open slides: gives them ids, opens by content with the decoder as second reader, and frees them again.
import { resolve } from 'node:path'
import type { SlideInfo } from '../../app/contract'
import { NativeError, openSlide } from '../../native/index'
import type { Slide } from '../../native/index'
import { EngineError } from '../errors'
import { newSlideId } from '../ids'
import type { Log } from '../log'
import { decodeImage } from './decodeImage'
import { toSlideInfo } from './slideInfo'

export interface OpenSlide {
  readonly info: SlideInfo
  readonly native: Slide
}

/** Enough to compare slides side by side; above, the one used longest ago is closed. */
const maxOpen = 16

/** Opens by content. OpenSlide first; what it does not know at all goes to the decoder. */
export async function openNative(path: string): Promise<Slide> {
  try {
    return await openSlide(path)
  } catch (error) {
    if (!(error instanceof NativeError) || error.code !== 'SLIDE_UNREADABLE') throw error
    // Without OpenSlide nothing is known about the file, so plain images must still open.
    if (!/unsupported-format|openslide/i.test(error.detail)) throw error
    return decodeImage(path, error)
  }
}

export class Slides {
  private readonly open_ = new Map<string, OpenSlide>()
  private readonly log: Log
  private readonly onClose: (slideId: string) => void
  private readonly isBusy: (slideId: string) => boolean

  /** `onClose` frees what depends on a slide; a slide that `isBusy` is not closed to make room. */
  constructor(log: Log, onClose: (slideId: string) => void, isBusy: (slideId: string) => boolean) {
    this.log = log
    this.onClose = onClose
    this.isBusy = isBusy
  }

  async open(path: string, mpp?: number): Promise<OpenSlide> {
    const native = await openNative(resolve(path))
    const slideId = newSlideId()
    const slide: OpenSlide = { native, info: toSlideInfo(slideId, native.info(), mpp) }
    this.open_.set(slideId, slide)
    this.makeRoom(slideId)
    return slide
  }

  get(slideId: string): OpenSlide {
    const slide = this.find(slideId)
    if (!slide) throw new EngineError('NOT_FOUND', `The slide ${slideId} is not open. Open it again.`)
    return slide
  }

  /** Like `get`, for callers that have an answer of their own for a slide that is not open. */
  find(slideId: string): OpenSlide | undefined {
    const slide = this.open_.get(slideId)
    if (!slide) return undefined
    // Re-inserting on use keeps the order from least to most recently used.
    this.open_.delete(slideId)
    this.open_.set(slideId, slide)
    return slide
  }

  close(slideId: string): void {
    const slide = this.open_.get(slideId)
    if (!slide) return
    this.open_.delete(slideId)
    this.onClose(slideId)
    slide.native.close()
  }

  closeAll(): void {
    for (const slideId of [...this.open_.keys()]) this.close(slideId)
  }

  private makeRoom(newest: string): void {
    for (const slideId of [...this.open_.keys()]) {
      if (this.open_.size <= maxOpen) return
      if (slideId === newest || this.isBusy(slideId)) continue
      this.log({ level: 'info', message: `More than ${maxOpen} slides are open: ${slideId}, used longest ago, is closed.` })
      this.close(slideId)
    }
  }
}
