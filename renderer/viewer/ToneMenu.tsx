// Brightness, contrast and gamma of the slide's picture, of all channels or of one, and the channels' colours.
import { Button, Checkbox, Group, Popover, SegmentedControl, Select, Switch } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useState } from 'react'
import { tip } from '../store/base/commandKeys'
import { saveSettings } from '../store/base/settingsActions'
import { runCommand } from '../store/commands/commands'
import { patch, useStore } from '../store/store'
import { setCurve, setTint, showChannel } from '../store/slide/toneActions'
import { channels, isPlain, tints, type Channel, type Curve, type Tint } from '../store/slices/toneSlice'
import { IconButton } from '../widgets/IconButton'
import { RangeInput } from '../widgets/RangeInput'
import { words } from '../words'

const names = words.tone.channels
const isChannel = (value: string): value is Channel => (channels as readonly string[]).includes(value)
const isTint = (value: string | null): value is Tint => value !== null && Object.hasOwn(tints, value)
const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.round(Math.abs(value) * 100)} %`

interface Row {
  readonly part: keyof Curve
  readonly label: string
  readonly text: (curve: Curve) => string
}
/** Gamma's slider is its logarithm: as far to twice as to half. */
const rows: readonly Row[] = [
  { part: 'brightness', label: words.tone.brightness, text: ({ brightness }) => signed(brightness) },
  { part: 'contrast', label: words.tone.contrast, text: ({ contrast }) => `× ${(4 ** contrast).toFixed(2)}` },
  { part: 'gamma', label: words.tone.gamma, text: ({ gamma }) => gamma.toFixed(2) },
]

function Sliders({ channel }: { readonly channel: Channel | null }) {
  const curve = useStore(({ tone }) => (channel === null ? tone.all : tone.own[channel]))
  return rows.map(({ part, label, text }) => (
    <div key={part} className="look-row">
      <span>{label}</span>
      <RangeInput
        label={label}
        min={-1}
        max={1}
        step={0.01}
        value={part === 'gamma' ? Math.log(curve.gamma) / Math.log(5) : curve[part]}
        mark={0}
        valueText={text(curve)}
        testId={`tone-${part}`}
        onChange={(value) => setCurve(channel, { [part]: part === 'gamma' ? 5 ** value : value })}
      />
      <b className="num">{text(curve)}</b>
    </div>
  ))
}

function Channels() {
  const { shown, tint } = useStore((state) => state.tone)
  return channels.map((each) => (
    <div key={each} className="tone-channel">
      <Checkbox
        size="xs"
        label={names[each]}
        checked={shown[each]}
        onChange={(event) => showChannel(each, event.currentTarget.checked)}
        data-testid={`tone-show-${each}`}
      />
      <Select
        size="xs"
        aria-label={words.tone.colourOf(each)}
        data={(Object.keys(tints) as Tint[]).map((value) => ({ value, label: words.colours.tints[value] }))}
        value={tint[each]}
        disabled={!shown[each]}
        onChange={(value) => isTint(value) && setTint(each, value)}
        comboboxProps={{ withinPortal: false }}
        data-testid={`tone-tint-${each}`}
      />
    </div>
  ))
}

/** Kept, and for all slides that carry one. */
function Profile() {
  const name = useStore((state) => state.slide.info?.icc)
  const on = useStore((state) => state.ui.settings?.colorProfiles ?? false)
  if (name === undefined) return null
  return (
    <Switch
      size="xs"
      label={words.tone.profile}
      description={words.tone.profileName(name)}
      checked={on}
      onChange={(event) => void saveSettings({ colorProfiles: event.currentTarget.checked })}
      data-testid="tone-profile"
    />
  )
}

function Content() {
  const [of, setOf] = useState<string>('all')
  return (
    <div className="look" role="group" aria-label={words.tone.title}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.tone.ofChannel}
        data={Object.entries(names).map(([value, label]) => ({ value, label }))}
        value={of}
        onChange={setOf}
        data-testid="tone-of"
      />
      <Sliders channel={isChannel(of) ? of : null} />
      <div className="look-theme">
        <span>{words.tone.coloursTitle}</span>
        <Channels />
      </div>
      <Profile />
      <p className="dim tone-note">{words.tone.note}</p>
      <Group gap={6}>
        <Button size="compact-xs" variant="default" onClick={() => runCommand('resetTone')} data-testid="tone-reset">
          {words.tone.asInFile}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => runCommand('autoTone')} data-testid="tone-auto">
          {words.tone.autoContrast}
        </Button>
      </Group>
    </div>
  )
}

export function ToneMenu() {
  const opened = useStore((state) => state.tone.opened)
  const plain = useStore((state) => isPlain(state.tone))
  return (
    <Popover
      opened={opened}
      onChange={(next) => patch('tone', { opened: next })}
      position="left-start"
      width={276}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <IconButton tipPosition="left" {...tip('tone')} pressed={!plain} onClick={() => runCommand('tone')} testId="tone">
          <IconAdjustments size={16} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.tone.title} data-testid="tone-menu">
        <Content />
      </Popover.Dropdown>
    </Popover>
  )
}
