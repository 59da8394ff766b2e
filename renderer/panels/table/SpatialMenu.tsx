// In the table's bar: which distances, densities and neighbours of objects it tells, and how far the measuring is.
import { Button, Checkbox, Popover } from '@mantine/core'
import { IconPlayerStop, IconRulerMeasure } from '@tabler/icons-react'
import { useState } from 'react'
import { asksSpatial, noSpatial, usualSpatial } from '../../../app/contract'
import { tip } from '../../store/base/commandKeys'
import { closeSpatial, setSpatial, stopMeasuring, toggleSpatial } from '../../store/selection/spatialActions'
import { activeRun } from '../../store/slices/runSlice'
import { useStore } from '../../store/store'
import { NumberField } from '../../widgets/NumberField'
import { words } from '../../words'

type Numbered = 'densityRadiusUm' | 'nearestCount' | 'neighboursWithinUm'
const ranges = {
  densityRadiusUm: { low: 1, high: 10_000, step: 5 },
  nearestCount: { low: 1, high: 100, step: 1 },
  neighboursWithinUm: { low: 1, high: 10_000, step: 5 },
} as const

/** A number that is null where its box is not ticked: what it was stays in the field. */
function Measure({ of, unit, disabled = false }: { readonly of: Numbered; readonly unit: string; readonly disabled?: boolean }) {
  const value = useStore((state) => (state.ui.settings?.spatial ?? noSpatial)[of])
  const [last, setLast] = useState<number>(value ?? usualSpatial[of])
  const [problem, setProblem] = useState<string | null>(null)
  const { low, high, step } = ranges[of]
  const shown = value ?? last
  const take = (next: number): void => {
    setLast(next)
    if (value !== null && next !== value) void setSpatial({ [of]: next })
  }
  return (
    <div className="spatial-row">
      <Checkbox
        size="xs"
        label={words.spatial.measures[of]}
        disabled={disabled}
        checked={value !== null}
        onChange={(event) => void setSpatial({ [of]: event.currentTarget.checked ? shown : null })}
        data-testid={`spatial-${of}`}
      />
      <NumberField
        label={words.spatial.fields[of]}
        value={shown}
        text={String(shown)}
        step={step}
        invalid={problem !== null}
        testId={`spatial-${of}-value`}
        problemOf={(next) =>
          next >= low && next <= high && (of !== 'nearestCount' || Number.isInteger(next))
            ? null
            : words.numberField.needed(low, high)
        }
        nearest={() => null}
        onProblem={setProblem}
        onNote={() => undefined}
        onChange={(next, final) => final && take(next)}
      />
      <span>{of === 'nearestCount' ? words.spatial.objects : unit}</span>
    </div>
  )
}

function Switch({ of }: { readonly of: 'border' | 'nearest' | 'neighbours' }) {
  const checked = useStore((state) => (state.ui.settings?.spatial ?? noSpatial)[of])
  return (
    <Checkbox
      size="xs"
      label={words.spatial.measures[of]}
      title={words.spatial.tips[of]}
      checked={checked}
      onChange={(event) => void setSpatial({ [of]: event.currentTarget.checked })}
      data-testid={`spatial-${of}`}
    />
  )
}

function Choice() {
  const unit = useStore((state) => (activeRun(state.runs)?.analysedMpp === null ? 'px' : 'µm'))
  const joins = useStore((state) => state.ui.settings?.spatial.neighbours ?? false)
  return (
    <div className="spatial-choice" role="group" aria-label={words.spatial.title}>
      <Switch of="border" />
      <Switch of="nearest" />
      <Measure of="densityRadiusUm" unit={unit} />
      <Measure of="nearestCount" unit={unit} />
      <Switch of="neighbours" />
      <Measure of="neighboursWithinUm" unit={unit} disabled={!joins} />
      <p className="note">{words.spatial.note(unit)}</p>
    </div>
  )
}

export function SpatialMenu() {
  const opened = useStore((state) => state.table.choosesSpatial)
  const asks = useStore((state) => asksSpatial(state.ui.settings?.spatial ?? noSpatial))
  const measured = useStore((state) => (state.table.busy ? state.table.measured : null))
  return (
    <>
      <Popover
        opened={opened}
        onChange={closeSpatial}

        position="top-end"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant={asks ? 'light' : 'default'}
            size="compact-xs"
            leftSection={<IconRulerMeasure size={14} />}
            onClick={toggleSpatial}
            title={tip('spatial').label}
            data-testid="table-spatial"
          >
            {words.spatial.button}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={words.spatial.title}>
          <Choice />
        </Popover.Dropdown>
      </Popover>
      {measured !== null && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconPlayerStop size={14} />}
          onClick={stopMeasuring}
          title={words.spatial.stop}
          data-testid="spatial-stop"
        >
          {words.spatial.measuring(measured)}
        </Button>
      )}
    </>
  )
}
