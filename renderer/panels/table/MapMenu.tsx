// In the table's bar: the map of density over the slide, what it counts and how far around, and regions where it is high.
import { Button, Popover, Select } from '@mantine/core'
import { IconChartDots3, IconShape } from '@tabler/icons-react'
import { useState } from 'react'
import { usualMap } from '../../../app/contract'
import { formatMeasure } from '../../arithmetic/format'
import { tip } from '../../store/base/commandKeys'
import { closeMap, hideMap, makeHotSpots, setMap, showMap, toggleMap } from '../../store/slide/mapActions'
import { activeRun } from '../../store/slices/runSlice'
import { useStore } from '../../store/store'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'

const all = 'all'
const share = 'share'
const radiusRange = { min: 1, max: 10_000 }

function Asked() {
  const asked = useStore((state) => state.ui.settings?.spatial.map ?? usualMap)
  const run = useStore((state) => activeRun(state.runs))
  const shown = useStore((state) => state.table.map !== null)
  const busy = useStore((state) => state.table.mapBusy)
  const [radius, setRadius] = useState<number | null>(asked.radiusUm)
  const classes = run?.classes ?? []
  const unit = run?.analysedMpp === null ? 'px' : 'µm'
  const take = (): void => {
    if (radius !== null && entryProblem(radius, radiusRange) === null && radius !== asked.radiusUm)
      void setMap({ radiusUm: radius })
  }
  const choose = (value: string): void =>
    void setMap(value === share ? { share: true, of: null } : { share: false, of: value === all ? null : value.slice(1) })
  return (
    <>
      <div className="map-asked">
        <Select
          size="xs"
          label={words.map.what}
          data={[
            { value: all, label: words.map.all },
            ...classes.map(({ id, label }) => ({ value: `=${id}`, label: words.map.ofClass(label) })),
            { value: share, label: words.map.share },
          ]}
          allowDeselect={false}
          value={asked.share ? share : asked.of === null ? all : `=${asked.of}`}
          onChange={(value) => value !== null && choose(value)}
          comboboxProps={{ withinPortal: false }}
          data-testid="map-of"
        />
        <div onBlur={take} onKeyDown={(event) => event.key === 'Enter' && take()}>
          <NumberEntry
            label={words.map.radius(unit)}
            value={radius}
            step={10}
            width={130}
            testId="map-radius"
            onChange={setRadius}
            {...radiusRange}
          />
        </div>
      </div>
      <Button
        size="compact-sm"
        variant={shown ? 'default' : 'light'}
        loading={busy}
        disabled={!run}
        onClick={() => (shown ? hideMap() : void showMap())}
        data-testid="map-show"
      >
        {shown ? words.map.hide : words.map.show}
      </Button>
    </>
  )
}

/** Regions where it is high. */
function Places() {
  const map = useStore((state) => state.table.map)
  const busy = useStore((state) => state.table.mapBusy)
  const [by, setBy] = useState<'percentile' | 'value'>('percentile')
  const [percentile, setPercentile] = useState<number | null>(95)
  const [value, setValue] = useState<number | null>(null)
  const [least, setLeast] = useState<number | null>(0.01)
  if (!map) return null
  const limit = by === 'percentile' ? percentile : value
  const limitRange = by === 'percentile' ? { min: 0, max: 100 } : { min: 0, max: 1e9 }
  const leastRange = { min: 0, max: 1e6 }
  const isWrong =
    limit === null || entryProblem(limit, limitRange) !== null || least === null || entryProblem(least, leastRange) !== null
  const reached = by === 'percentile' && !isWrong ? map.percentiles[Math.round(limit)] : undefined
  const make = (): void => {
    if (!isWrong) void makeHotSpots(by === 'percentile' ? { percentile: limit } : { atLeast: limit }, least)
  }
  return (
    <fieldset className="map-places">
      <legend>{words.map.places}</legend>
      <div className="map-asked">
        <Select
          size="xs"
          label={words.map.limit}
          data={[
            { value: 'percentile', label: words.map.percentile },
            { value: 'value', label: words.map.value(map.share, map.unit) },
          ]}
          allowDeselect={false}
          value={by}
          onChange={(next) => next !== null && setBy(next)}
          comboboxProps={{ withinPortal: false }}
          data-testid="map-by"
        />
        <NumberEntry
          key={by}
          label={by === 'percentile' ? words.map.percent : words.map.atLeast}
          value={limit}
          step={by === 'percentile' ? 1 : 10}
          width={110}
          testId="map-limit"
          onChange={by === 'percentile' ? setPercentile : setValue}
          {...limitRange}
        />
        <NumberEntry
          label={words.map.least(map.unit)}
          value={least}
          step={0.01}
          width={130}
          testId="map-least"
          onChange={setLeast}
          {...leastRange}
        />
      </div>
      {reached !== undefined && <p className="note">{words.map.reached(formatMeasure(reached), formatMeasure(map.highest))}</p>}
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconShape size={14} />}
        disabled={isWrong || busy}
        onClick={make}
        data-testid="map-regions"
      >
        {words.map.make}
      </Button>
    </fieldset>
  )
}

export function MapMenu() {
  const opened = useStore((state) => state.table.choosesMap)
  const shown = useStore((state) => state.table.map !== null)
  return (
    <Popover opened={opened} onChange={closeMap} position="top-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={shown ? 'light' : 'default'}
          size="compact-xs"
          leftSection={<IconChartDots3 size={14} />}
          onClick={toggleMap}
          title={tip('densityMap').label}
          data-testid="table-map"
        >
          {words.map.button}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.map.title}>
        {opened && (
          <div className="map-menu" role="group" aria-label={words.map.title}>
            <Asked />
            <Places />
            <p className="note">{words.map.note}</p>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
