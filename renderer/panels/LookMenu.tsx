// How objects, layers and the window are drawn: colour by what, outline, fill, colour scales, theme.
import { Popover, SegmentedControl, Select, useMantineColorScheme } from '@mantine/core'
import { IconPalette } from '@tabler/icons-react'
import { useState } from 'react'
import { channelColumnOf, channelMean, mostChannels, objectColumns, type ColourColumn, type SlideInfo } from '../../app/contract'
import { colourScales, cssOf, inks, type Ink } from '../arithmetic/colours'
import { isScale, setColumn, setInk, setLayerScale, setOpacity, setScale, setWidth } from '../store/slide/overlayActions'
import { columnTitle } from '../store/selection/columnWords'
import { blendedSlide } from '../store/slices/channelsSlice'
import { currentSpec } from '../store/slices/recipeSlice'
import { useStore } from '../store/store'
import { chooseThemeNamed, themeNames, themes } from '../store/base/theme'
import { IconButton } from '../widgets/IconButton'
import { RangeInput } from '../widgets/RangeInput'
import { words } from '../words'

const one = 'one'
const scales = colourScales.map((value) => ({ value, label: words.colours.scales[value] }))
const isColumn = (value: string | null): value is ColourColumn =>
  value !== null && ((objectColumns as readonly string[]).includes(value) || channelColumnOf(value) !== null)
/** The slide's channels, as objects' columns. */
const channelColumns = (info: SlideInfo | null): ColourColumn[] =>
  blendedSlide(info) ? info.channels.slice(0, mostChannels).map((_, i) => channelMean(i)) : []

function Inks() {
  const ink = useStore((state) => state.overlay.ink)
  return (
    <div className="inks" role="radiogroup" aria-label={words.look.outlineColour}>
      {(Object.keys(inks) as Ink[]).map((key) => (
        <label key={key} className="ink" title={words.colours.inks[key]}>
          <input
            type="radio"
            name="ink"
            value={key}
            checked={ink === key}
            onChange={() => setInk(key)}
            aria-label={words.colours.inks[key]}
            data-testid={`ink-${key}`}
          />
          <span style={{ background: cssOf(inks[key]) }} aria-hidden />
        </label>
      ))}
    </div>
  )
}

function ThemeChoice() {
  const { colorScheme } = useMantineColorScheme()
  return (
    <div className="look-theme">
      <span>{words.look.window}</span>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.look.theme}
        data={themes.map((value) => ({ value, label: themeNames[value] }))}
        value={colorScheme}
        onChange={chooseThemeNamed}
        data-testid="theme"
      />
    </div>
  )
}

function Content() {
  const overlay = useStore((state) => state.overlay)
  const stainSet = useStore((state) => currentSpec(state.recipe)?.stainSet ?? 'h-e')
  const info = useStore((state) => state.slide.info)
  const columns: readonly ColourColumn[] = [...objectColumns, ...channelColumns(info)]
  return (
    <div className="look" role="group" aria-label={words.look.title}>
      <Select
        label={words.look.colourBy}
        data={[
          { value: one, label: words.look.byClass },
          ...columns.map((value) => ({ value, label: columnTitle(value, stainSet, info?.channels) })),
        ]}
        value={overlay.column !== null && columns.includes(overlay.column) ? overlay.column : one}
        onChange={(value) => setColumn(isColumn(value) ? value : null)}
        comboboxProps={{ withinPortal: false }}
        data-testid="colour-by"
      />
      {overlay.column === null ? (
        <div className="look-row">
          <span>{words.look.outlineColour}</span>
          <Inks />
        </div>
      ) : (
        <Select
          label={words.look.colours}
          data={scales}
          value={overlay.scale}
          onChange={(value) => isScale(value) && setScale(value)}
          comboboxProps={{ withinPortal: false }}
          data-testid="colour-scale"
        />
      )}
      <div className="look-row">
        <span>{words.look.outlineWidth}</span>
        <RangeInput
          label={words.look.outlineWidth}
          min={1}
          max={4}
          step={0.5}
          value={overlay.widthPx}
          valueText={`${overlay.widthPx} px`}
          testId="outline-width"
          onChange={setWidth}
        />
        <b className="num">{overlay.widthPx} px</b>
      </div>
      <div className="look-row">
        <span>{words.look.fill}</span>
        <RangeInput
          label={words.look.opacity}
          min={0.1}
          max={1}
          step={0.05}
          value={overlay.opacity}
          valueText={`${Math.round(overlay.opacity * 100)} %`}
          testId="overlay-opacity"
          onChange={setOpacity}
        />
        <b className="num">{Math.round(overlay.opacity * 100)} %</b>
      </div>
      <Select
        label={words.look.layerColours}
        data={scales}
        value={overlay.layerScale}
        onChange={(value) => isScale(value) && setLayerScale(value)}
        comboboxProps={{ withinPortal: false }}
        data-testid="layer-scale"
      />
      <ThemeChoice />
    </div>
  )
}

export function LookMenu() {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={270} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <IconButton label={words.look.title} onClick={() => setOpened(!opened)} testId="look">
          <IconPalette size={17} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.look.title} data-testid="look-menu">
        <Content />
      </Popover.Dropdown>
    </Popover>
  )
}
