// The open slides: gives them ids, opens by content with the decoder as second reader, and frees them again.
import { resolve } from 'node:path'
import { analysedChannel } from '../../app/contract'
import type { SlideInfo } from '../../app/contract'
import { colorProfile, NativeError, openSlide } from '../../native/index'
import type { Slide, SlideInfo as NativeSlideInfo } from '../../native/index'
import { EngineError } from '../base/errors'
import { newSlideId } from '../base/ids'
import { isReachable } from '../base/reach'
import type { Roots } from '../base/reach'
import type { Log } from '../base/log'
import type { ColorProfile } from './colorProfile'
import { decodeImage } from './decodeImage'
import { SlideIdentity, slideChanged } from './identity'
import { slideFileIn } from './slideFile'
import { toSlideInfo } from './slideInfo'

export interface OpenSlide {
  readonly info: SlideInfo
  readonly native: Slide
  /** Of the files that it was opened from. */
  readonly identity: SlideIdentity
  /** null: its file carries none of red, green and blue. */
  readonly profile: ColorProfile | null
}
interface Opened extends OpenSlide {
  /** The caller's own calibration. */
  readonly mpp: number | undefined
  /** The channel that the caller chose, from 0; null: the reader's own choice. */
  readonly channel: number | null
  /** How it has been called: its name or number. */
  readonly choices: Set<string | undefined>
  /** How often it was opened and not closed since. */
  users: number
}

/** Enough to compare slides side by side; above, the one used longest ago is closed. */
const maxOpen = 16

/** Opens by content. OpenSlide first; what it does not know at all goes to the decoder. `channel`: as ChannelChoice has it. */
export async function openNative(path: string, channel?: string): Promise<Slide> {
  try {
    return await openSlide(path, undefined, undefined, channel)
  } catch (error) {
    if (!(error instanceof NativeError) || error.code !== 'SLIDE_UNREADABLE') throw error
    // Without OpenSlide nothing is known about the file, so plain images must still open.
    if (!/unsupported-format|openslide/i.test(error.detail)) throw error
    if (channel === undefined) return decodeImage(path, error)
    throw new EngineError(
      'INVALID_PARAMETER',
      `${path} is one picture, and has no channels of which one could be analysed. Open it without a channel.`,
    )
  }
}

/** What understands profiles is loaded where a file carries one. */
async function profileOf(info: NativeSlideInfo): Promise<ColorProfile | null> {
  const icc = info.reader === 'sharp' ? null : await colorProfile(info.path)
  if (info.reader !== 'sharp' && !icc) return null
  return (await import('./colorProfile')).colorProfileOf(info, icc)
}

export class Slides {
  private readonly open_ = new Map<string, Opened>()
  private readonly log: Log
  private readonly onClose: (slideId: string) => void
  private readonly isBusy: (slideId: string) => boolean
  private readonly holdsWork: (slideId: string) => boolean
  private readonly roots: Roots

  /**
   * `onClose` frees what depends on a slide; a slide that `isBusy` is not closed to make room, and one that `holdsWork` stays when nobody
   * has it open any more, until `closeIdle`.
   */
  constructor(
    log: Log,
    onClose: (slideId: string) => void,
    isBusy: (slideId: string) => boolean,
    holdsWork: (slideId: string) => boolean = () => false,
    roots: Roots = null,
  ) {
    this.roots = roots
    this.log = log
    this.onClose = onClose
    this.isBusy = isBusy
    this.holdsWork = holdsWork
  }

  /** Throws NOT_FOUND, whatever lies there, where it is not below the roots. */
  async requireReachable(path: string): Promise<void> {
    if (!(await isReachable(resolve(path), this.roots)))
      throw new EngineError(
        'NOT_FOUND',
        `${path} does not lie below the folders that this program was started with (--root): it is not opened.`,
      )
  }

  /** A file that is open already and has not changed keeps its slide. NOT_FOUND, whatever lies there, where it is not below the roots; INVALID_PARAMETER where it has no such channel. */
  async open(path: string, mpp?: number, channel?: string): Promise<OpenSlide> {
    const asked = resolve(path)
    const file = (await isReachable(asked, this.roots)) ? await slideFileIn(asked) : asked
    await this.requireReachable(file)
    // What cannot be asked for its marks cannot be opened either, and the reader says that best.
    const before = await SlideIdentity.of(file).catch((error: unknown) => {
      // A pipe would hold the reader for ever.
      if (error instanceof EngineError) throw error
      return null
    })
    const known = this.same(file, before, mpp, ({ choices }) => choices.has(channel))
    if (known) return this.use(known)
    const native = await openNative(file, channel)
    const info = native.info()
    // For looking alone: a slide whose profile cannot be read is shown as it is analysed.
    const profile = await profileOf(info).catch(() => null)
    const after = await SlideIdentity.of(file).catch(() => null)
    // Of a DICOM slide's files one stands for all of them, whichever was named.
    const identity = info.path === file ? after : await SlideIdentity.of(info.path).catch(() => null)
    // What is written while it is opened is no slide yet.
    if (!identity || !after || !before?.equals(after)) {
      native.close()
      throw slideChanged(file)
    }
    // Another call may have opened it meanwhile.
    const chosen = channel === undefined ? null : analysedChannel(info)
    const other = this.same(info.path, identity, mpp, (slide) => slide.channel === chosen)
    if (other) {
      native.close()
      other.choices.add(channel)
      return this.use(other)
    }
    const slideId = newSlideId()
    const about = {
      ...toSlideInfo(slideId, info, mpp, profile?.name),
      ...(chosen !== null && { channelGiven: true as const }),
    }
    const choices = new Set([channel])
    const slide: Opened = { native, info: about, identity, profile, mpp, channel: chosen, choices, users: 1 }
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

  /** One of those who opened it is done with it. Gives whether it was the last. */
  release(slideId: string): boolean {
    const slide = this.open_.get(slideId)
    if (!slide) return false
    slide.users = Math.max(0, slide.users - 1)
    return slide.users === 0
  }

  /** What somebody has open. */
  inUse(): OpenSlide[] {
    return [...this.open_.values()].filter(({ users }) => users > 0)
  }

  /** Memory that is held for a slide that nobody has open: a picture that was decoded as a whole. */
  idleBytes(slideId: string): number {
    const slide = this.open_.get(slideId)
    if (!slide || slide.users > 0 || slide.info.reader !== 'sharp') return 0
    const { widthPx, heightPx, channels } = slide.info
    // Of 16 bits its samples are held as they are, with opacity perhaps.
    return widthPx * heightPx * (channels.length > 0 ? 2 * (channels.length + 1) : 4)
  }

  /** Closes what nobody has open and what holds no work. */
  closeIdle(): void {
    for (const [slideId, { users }] of [...this.open_]) if (users === 0 && !this.holdsWork(slideId)) this.close(slideId)
  }

  private close(slideId: string): void {
    const slide = this.open_.get(slideId)
    if (!slide) return
    this.open_.delete(slideId)
    this.onClose(slideId)
    slide.native.close()
  }

  closeAll(): void {
    for (const slideId of [...this.open_.keys()]) this.close(slideId)
  }

  private same(
    file: string,
    identity: SlideIdentity | null,
    mpp: number | undefined,
    inChannel: (slide: Opened) => boolean,
  ): Opened | undefined {
    if (identity === null) return undefined
    return [...this.open_.values()].find(
      (slide) => slide.info.path === file && slide.identity.equals(identity) && slide.mpp === mpp && inChannel(slide),
    )
  }

  private use(slide: Opened): OpenSlide {
    slide.users += 1
    return this.get(slide.info.slideId)
  }

  private makeRoom(newest: string): void {
    // What holds results goes last, and whoever forgets them says so.
    for (const withWork of [false, true]) {
      for (const slideId of [...this.open_.keys()]) {
        if (this.open_.size <= maxOpen) return
        if (slideId === newest || this.isBusy(slideId) || this.holdsWork(slideId) !== withWork) continue
        this.log({ level: 'info', message: `More than ${maxOpen} slides are open: ${slideId}, used longest ago, is closed.` })
        this.close(slideId)
      }
    }
  }
}
