// How the slide's picture is shown: brightness, contrast and gamma of its three channels, which of them, and in what colours. Pure.
// Of the picture on the screen alone: what is computed reads the file, and never what is shown.

export const channels = ['red', 'green', 'blue'] as const
export type Channel = (typeof channels)[number]

export interface Curve {
  /** -1 … 1: added, as a share of the whole range. */
  readonly brightness: number
  /** -1 … 1: about the middle; 1 is four times as steep. */
  readonly contrast: number
  /** 0.2 … 5: below 1 dark places become lighter. */
  readonly gamma: number
}

export const tints = {
  own: null,
  white: [1, 1, 1],
  red: [1, 0, 0],
  green: [0, 1, 0],
  blue: [0, 0.35, 1],
  cyan: [0, 1, 1],
  magenta: [1, 0, 1],
  yellow: [1, 1, 0],
} as const
export type Tint = keyof typeof tints

/** What is shown black, and what as bright as can be: values of the picture, 0 … 255. */
export interface Stretch {
  readonly low: number
  readonly high: number
}

export interface ToneState {
  /** Of all channels alike, before anything else; null: as the file has it. */
  readonly stretch: Stretch | null
  /** Of all channels, before each one's own. */
  readonly all: Curve
  readonly own: Readonly<Record<Channel, Curve>>
  readonly shown: Readonly<Record<Channel, boolean>>
  readonly tint: Readonly<Record<Channel, Tint>>
  readonly opened: boolean
}

export const plainCurve: Curve = { brightness: 0, contrast: 0, gamma: 1 }
export const plainTone: ToneState = {
  stretch: null,
  all: plainCurve,
  own: { red: plainCurve, green: plainCurve, blue: plainCurve },
  shown: { red: true, green: true, blue: true },
  tint: { red: 'own', green: 'own', blue: 'own' },
  opened: false,
}

const isPlainCurve = ({ brightness, contrast, gamma }: Curve): boolean => brightness === 0 && contrast === 0 && gamma === 1
const isPlainMix = ({ shown, tint }: ToneState): boolean => channels.every((each) => shown[each] && tint[each] === 'own')
export const isPlain = (tone: ToneState): boolean =>
  tone.stretch === null && isPlainCurve(tone.all) && channels.every((each) => isPlainCurve(tone.own[each])) && isPlainMix(tone)

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

function bent(value: number, { brightness, contrast, gamma }: Curve): number {
  const steep = 4 ** contrast
  return clamp((value - 0.5) * steep + 0.5 + brightness) ** gamma
}

/** Whether the picture is stretched and nothing else: it says so in other words. */
export const isOnlyStretched = (tone: ToneState): boolean => tone.stretch !== null && isPlain({ ...tone, stretch: null })

/** What each of a channel's 256 values is shown as, 0 … 1. */
export function curveOf(tone: ToneState, channel: Channel): number[] {
  const { low, high } = tone.stretch ?? { low: 0, high: 255 }
  return Array.from({ length: 256 }, (_, i) => bent(bent(clamp((i - low) / (high - low)), tone.all), tone.own[channel]))
}

const unit: Readonly<Record<Channel, readonly [number, number, number]>> = { red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1] }

/** What of each channel goes into red, green and blue: row after row; null: each stays what it is. */
export function mixOf(tone: ToneState): readonly (readonly number[])[] | null {
  if (isPlainMix(tone)) return null
  return [0, 1, 2].map((out) => channels.map((each) => (tone.shown[each] ? (tints[tone.tint[each]] ?? unit[each])[out]! : 0)))
}

/** As the browser's filter shows it: of pixels that are RGBA. */
export function toned(tone: ToneState, rgba: Uint8ClampedArray): void {
  const curves = channels.map((each) => curveOf(tone, each))
  const mix = mixOf(tone)
  for (let i = 0; i + 3 < rgba.length; i += 4) {
    const bentOnes = curves.map((curve, at) => curve[rgba[i + at]!]!)
    for (let out = 0; out < 3; out++) {
      const value = mix ? mix[out]!.reduce((sum, part, at) => sum + part * bentOnes[at]!, 0) : bentOnes[out]!
      rgba[i + out] = Math.round(clamp(value) * 255)
    }
  }
}
