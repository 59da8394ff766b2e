// In the table's bar: what lies in bands along the border of regions. Their limits are typed, and what is found is a table that can be saved.
import { Button, Popover, Select, TextInput } from '@mantine/core'
import { IconDownload, IconVectorBezierCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import {
  bandLimits,
  isArea,
  positiveShareOf,
  shareIntervalOf,
  usualBands,
  type Band,
  type BandsOfRun,
} from '../../../app/contract'
import { formatCount } from '../../arithmetic/format'
import { tip } from '../../store/base/commandKeys'
import { bandsOfShown, closeBands, saveBands, setBands, toggleBands } from '../../store/selection/bandsActions'
import { regionsOf } from '../../store/slices/projectSlice'
import { activeRun } from '../../store/slices/runSlice'
import { useStore } from '../../store/store'
import { words } from '../../words'

const every = ''

/** "42.1 % (36.5 to 47.9 %)"; '': no object is positive or negative. */
function shareOf({ classes }: Pick<Band, 'classes'>): string {
  const [share, interval] = [positiveShareOf(classes), shareIntervalOf(classes)]
  return share === null ? '' : `${(100 * share).toFixed(1)} %${interval ? ` (${words.shares.interval(interval)})` : ''}`
}

function Asked() {
  const asked = useStore((state) => state.ui.settings?.spatial.bands ?? usualBands)
  const classes = useStore((state) => state.project.doc?.classes)
  const regions = useStore((state) => regionsOf(state.project))
  const kept = asked.limitsUm.join(', ')
  const [typed, setTyped] = useState(kept)
  useEffect(() => setTyped(kept), [kept])
  const limits = bandLimits(typed)
  const take = (): void => {
    if (limits && limits.join(', ') !== kept) void setBands({ limitsUm: limits })
  }
  const there = (classes ?? []).filter(({ id }) => regions.some(({ classId, shape }) => classId === id && isArea(shape)))
  const names = there.map(({ name }) => name)
  const chosen = asked.of !== null && !names.includes(asked.of) ? [...names, asked.of] : names
  return (
    <div className="bands-asked">
      <Select
        size="xs"
        label={words.bands.of}
        data={[{ value: every, label: words.bands.every }, ...chosen.map((name) => ({ value: name, label: name }))]}
        allowDeselect={false}
        value={asked.of ?? every}
        onChange={(value) => value !== null && void setBands({ of: value === every ? null : value })}
        comboboxProps={{ withinPortal: false }}
        data-testid="bands-of"
      />
      <TextInput
        size="xs"
        label={words.bands.limits}
        value={typed}
        error={limits ? null : words.bands.notLimits}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => event.key === 'Enter' && take()}
        data-testid="bands-limits"
      />
    </div>
  )
}

function Found({ found }: { readonly found: BandsOfRun }) {
  const { unit, of } = found
  if (of.length === 0) return <p className="note">{words.bands.noRegions}</p>
  return (
    <>
      {of.map(({ id, name, bands }) => (
        <table key={id} className="bands-found" data-testid="bands-found">
          <caption>{words.bands.along(name)}</caption>
          <thead>
            <tr>
              {words.bands.heads(unit).map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {bands[0]!.classes.map(({ id: classId, label }) => (
                <th key={classId} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bands.map((band) => (
              <tr key={words.bands.reach(band.from, band.to)} data-testid="bands-row">
                <th scope="row">{words.bands.reach(band.from, band.to)}</th>
                <td title={words.bands.off(band.areaError)}>{band.area.toFixed(4)}</td>
                <td>{formatCount(band.objects)}</td>
                <td>{band.density === null ? '' : formatCount(Math.round(band.density))}</td>
                <td>{shareOf(band)}</td>
                {band.classes.map(({ id: classId, objects }) => (
                  <td key={classId}>{formatCount(objects)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <p className="note">{words.bands.note}</p>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconDownload size={14} />}
        onClick={() => void saveBands(found)}
        data-testid="bands-save"
      >
        {words.table.asCsv}
      </Button>
    </>
  )
}

function Bands() {
  const asked = useStore((state) => state.ui.settings?.spatial.bands ?? usualBands)
  const regions = useStore((state) => state.project.doc?.regions)
  const run = useStore((state) => activeRun(state.runs))
  const [found, setFound] = useState<BandsOfRun | string | null>(null)
  const state = run && JSON.stringify([run.runId, run.state, run.objects, run.edits])
  useEffect(() => {
    setFound(null)
    const waiting = new AbortController()
    void bandsOfShown(asked, waiting.signal).then((answer) => answer !== null && setFound(answer))
    return () => waiting.abort()
  }, [asked, regions, state])
  return (
    <div className="bands" role="group" aria-label={words.bands.title}>
      <Asked />
      <div aria-live="polite">
        {found === null ? (
          <p className="note">{words.bands.measuring}</p>
        ) : typeof found === 'string' ? (
          <p className="note">{found}</p>
        ) : (
          <Found found={found} />
        )}
      </div>
    </div>
  )
}

export function BandsMenu() {
  const opened = useStore((state) => state.table.choosesBands)
  return (
    <Popover opened={opened} onChange={closeBands} position="top-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconVectorBezierCircle size={14} />}
          onClick={toggleBands}
          title={tip('bands').label}
          data-testid="table-bands"
        >
          {words.bands.button}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.bands.title}>{opened && <Bands />}</Popover.Dropdown>
    </Popover>
  )
}
