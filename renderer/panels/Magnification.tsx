// How large things are on the screen: the usual objectives, 1:1, or any other by its number.
import { Button, NumberInput, Popover } from '@mantine/core'
import { useState } from 'react'
import { formatPercent, magnification } from '../arithmetic/format'
import { runCommand } from '../store/commands/commands'
import { objectiveOf, usualPowers, zoomToPower } from '../store/slide/magnify'
import { slideMpp } from '../store/slices/slideSlice'
import { getState, patch, useStore } from '../store/store'
import { words } from '../words'

const close = (): void => patch('ui', { magnificationOpen: false })

function Choice({ label, testId, act }: { readonly label: string; readonly testId: string; readonly act: () => void }) {
  const choose = (): void => {
    act()
    close()
  }
  return (
    <Button size="compact-xs" variant="default" fullWidth onClick={choose} data-testid={testId}>
      {label}
    </Button>
  )
}

function Other() {
  const now = useStore(({ ui, slide }) => (ui.view && slide.info ? ui.view.zoom * (objectiveOf(slide.info) ?? 0) : 0))
  const [power, setPower] = useState<number | string>(Number(now.toPrecision(3)))
  const go = (): void => {
    if (typeof power === 'number' && power > 0) zoomToPower(power)
    close()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <div className="magnification-other">
        <NumberInput
          size="xs"
          aria-label={words.magnification.other}
          value={power}
          onChange={setPower}
          min={0.01}
          max={500}
          step={1}
          suffix="×"
          hideControls
          data-testid="magnification-other"
        />
        <Button size="compact-xs" type="submit" flex="none" data-testid="magnification-go">
          {words.magnification.go}
        </Button>
      </div>
    </form>
  )
}

export function Magnification() {
  const zoom = useStore((state) => state.ui.view?.zoom ?? null)
  const info = useStore((state) => state.slide.info)
  const opened = useStore((state) => state.ui.magnificationOpen)
  if (zoom === null || !info) return null
  const mpp = slideMpp(info)
  const ratio = window.devicePixelRatio || 1
  const known = objectiveOf(info) !== null
  const powers = known ? usualPowers : []
  return (
    <Popover
      opened={opened}
      onChange={(magnificationOpen) => patch('ui', { magnificationOpen })}
      position="top-end"
      shadow="md"
      width={190}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className="status-item num link"
          data-testid="magnification"
          title={words.magnification.tip}
          onClick={() => getState().slide.info && runCommand('magnification')}
        >
          <b>{magnification(zoom, mpp, info.objectivePower)}</b>
          {known && <span>{formatPercent(zoom * ratio)}</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.magnification.title} data-testid="magnification-menu">
        <div className="magnifications">
          {powers.map((power) => (
            <Choice key={power} label={`${power}×`} testId={`magnification-${power}`} act={() => zoomToPower(power)} />
          ))}
        </div>
        <Choice label={words.magnification.fullResolution} testId="magnification-one" act={() => runCommand('actualSize')} />
        <Choice label={words.magnification.wholeSlide} testId="magnification-fit" act={() => runCommand('fit')} />
        {known && opened && <Other />}
      </Popover.Dropdown>
    </Popover>
  )
}
