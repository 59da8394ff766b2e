// The browser's filter by which the slide's picture is shown: a curve a channel, then what colour each has.
import { channels, curveOf, isPlain, mixOf, type ToneState } from '../store/slices/toneSlice'
import { useStore } from '../store/store'

const id = 'slide-tone'
/** CSS for whatever shows the slide's picture; undefined: as the file has it. */
export const toneFilter = (tone: ToneState): string | undefined => (isPlain(tone) ? undefined : `url(#${id})`)

const short = (values: readonly number[]): string => values.map((value) => Number(value.toFixed(4))).join(' ')

export function ToneFilter() {
  const tone = useStore((state) => state.tone)
  if (isPlain(tone)) return null
  const mix = mixOf(tone)
  const [red, green, blue] = channels.map((each) => short(curveOf(tone, each)))
  return (
    <svg className="unseen" aria-hidden>
      <filter id={id} colorInterpolationFilters="sRGB" x="0" y="0" width="100%" height="100%">
        <feComponentTransfer>
          <feFuncR type="table" tableValues={red} />
          <feFuncG type="table" tableValues={green} />
          <feFuncB type="table" tableValues={blue} />
        </feComponentTransfer>
        {mix && <feColorMatrix type="matrix" values={[...mix.map((row) => `${short(row)} 0 0`), '0 0 0 1 0'].join(' ')} />}
      </filter>
    </svg>
  )
}
