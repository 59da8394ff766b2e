// The slide's channels: which are shown, in what colour, and over which contrast.
import { Button, Checkbox, Group, Select } from '@mantine/core'
import { autoAll, autoContrast, resetChannels, segmentIn, setLook, toggleChannels } from '../store/slide/channelActions'
import { blendedSlide, looksOf, type ChannelHistogram, type ChannelLook } from '../store/slices/channelsSlice'
import { patch, useStore } from '../store/store'
import { sampleText } from '../arithmetic/format'
import { RangeInput } from '../widgets/RangeInput'
import { words } from '../words'
import { analysedChannel, type SlideInfo } from '../../app/contract'
import { ToolCard } from './ToolCard'

function Histogram({ name, look, histogram }: { name: string; look: ChannelLook; histogram: ChannelHistogram }) {
  const { from, to, counts } = histogram
  // By the logarithm: a few bright cells are what one looks for, beside all that is empty.
  const most = Math.log1p(Math.max(1, ...counts))
  const bars = counts.map((count, i) => `L${i} ${1 - Math.log1p(count) / most}L${i + 1} ${1 - Math.log1p(count) / most}`)
  const at = (value: number): number => Math.min(1, Math.max(0, (value - from) / (to - from))) * counts.length
  return (
    <svg
      className="channel-histogram"
      viewBox={`0 0 ${counts.length} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.channels.histogram(name)}
      data-testid="channel-histogram"
    >
      <rect x={at(look.low)} y="0" width={Math.max(0, at(look.high) - at(look.low))} height="1" className="span" />
      <path d={`M0 1${bars.join('')}L${counts.length} 1Z`} style={{ fill: look.color }} />
    </svg>
  )
}

function Contrast({ info, channel, look }: { info: SlideInfo; channel: number; look: ChannelLook }) {
  const histogram = useStore((state) => state.channels.histograms[info.path]?.[channel])
  const { name, type, low, high } = info.channels[channel]!
  const from = Math.min(histogram?.from ?? low, look.low)
  const to = Math.max(histogram?.to ?? high, look.high)
  const step = type.startsWith('float') ? (to - from) / 1000 : 1
  const rows = [
    { part: 'low', label: words.channels.black, min: from, max: Math.max(from + step, look.high - step) },
    { part: 'high', label: words.channels.bright, min: Math.min(to - step, look.low + step), max: to },
  ] as const
  return (
    <div className="channel-contrast" role="group" aria-label={words.channels.contrastOf(name)}>
      {histogram && <Histogram name={name} look={look} histogram={histogram} />}
      {rows.map(({ part, label, min, max }) => (
        <div key={part} className="look-row">
          <span>{label}</span>
          <RangeInput
            {...{ label, min, max, step, value: look[part], valueText: sampleText(look[part]), testId: `channel-${part}` }}
            onChange={(value) => setLook(channel, { [part]: value })}
          />
          <b className="num">{sampleText(look[part])}</b>
        </div>
      ))}
      <div className="look-row">
        <span>{words.channels.gamma}</span>
        <RangeInput
          {...{ label: words.channels.gamma, min: -1, max: 1, step: 0.01, mark: 0, testId: 'channel-gamma' }}
          value={Math.log(look.gamma) / Math.log(5)}
          valueText={look.gamma.toFixed(2)}
          onChange={(value) => setLook(channel, { gamma: 5 ** value })}
        />
        <b className="num">{look.gamma.toFixed(2)}</b>
      </div>
    </div>
  )
}

function Channel({ info, channel, look }: { info: SlideInfo; channel: number; look: ChannelLook }) {
  const chosen = useStore((state) => state.channels.chosen === channel)
  const { name, shown } = info.channels[channel]!
  return (
    <li className={chosen ? 'chosen' : ''} data-testid={`channel-${channel}`}>
      <Checkbox
        size="xs"
        aria-label={words.channels.show(name)}
        checked={look.shown}
        onChange={(event) => setLook(channel, { shown: event.currentTarget.checked })}
        data-testid={`channel-show-${channel}`}
      />
      <input
        type="color"
        aria-label={words.channels.colourOf(name)}
        value={look.color}
        onChange={(event) => setLook(channel, { color: event.currentTarget.value })}
        data-testid={`channel-color-${channel}`}
      />
      <button
        type="button"
        className="channel-name"
        aria-pressed={chosen}
        onClick={() => patch('channels', { chosen: channel })}
        data-testid={`channel-name-${channel}`}
      >
        {name}
        {shown === 'gray' && <span className="dim"> {words.channels.analysed}</span>}
      </button>
      <span className="num dim">
        {sampleText(look.low)} – {sampleText(look.high)}
      </span>
    </li>
  )
}

function SegmentIn({ info }: { info: SlideInfo }) {
  const opening = useStore((state) => state.slide.opening !== null)
  const analysed = analysedChannel(info)
  if (analysed === null) return null
  return (
    <div className="look-row">
      <span>{words.channels.segmentIn}</span>
      <Select
        size="xs"
        aria-label={words.channels.segmentIn}
        data={info.channels.map(({ name }, channel) => ({ value: String(channel), label: name }))}
        value={String(analysed)}
        allowDeselect={false}
        disabled={opening}
        onChange={(value) => value !== null && void segmentIn(Number(value))}
        comboboxProps={{ withinPortal: false }}
        data-testid="channel-analysed"
      />
    </div>
  )
}

export function ChannelsCard() {
  const info = useStore((state) => (blendedSlide(state.slide.info) ? state.slide.info : null))
  const opened = useStore((state) => state.channels.opened)
  const looks = useStore((state) => info && looksOf(state.channels, info))
  const chosen = useStore((state) => state.channels.chosen)
  if (!info || !looks || !opened) return null
  const at = Math.min(chosen, looks.length - 1)
  return (
    <ToolCard
      id="channels"
      title={words.channels.title}
      note={words.channels.note(looks.filter(({ shown }) => shown).length, looks.length)}
      onClose={toggleChannels}
    >
      <ul className="channel-list">
        {looks.map((look, channel) => (
          <Channel key={channel} info={info} channel={channel} look={look} />
        ))}
      </ul>
      <Contrast info={info} channel={at} look={looks[at]!} />
      <Group gap={6}>
        <Button size="compact-xs" variant="default" onClick={() => autoContrast(at)} data-testid="channel-auto">
          {words.channels.auto}
        </Button>
        <Button size="compact-xs" variant="default" onClick={autoAll} data-testid="channel-auto-all">
          {words.channels.autoAll}
        </Button>
        <Button size="compact-xs" variant="default" onClick={resetChannels} data-testid="channels-reset">
          {words.channels.reset}
        </Button>
      </Group>
      <p className="dim tone-note">{words.channels.help}</p>
      <SegmentIn info={info} />
    </ToolCard>
  )
}
