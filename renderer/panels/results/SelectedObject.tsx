// The clicked object's measurements.
import { ActionIcon, Button, CopyButton } from '@mantine/core'
import { IconBrush, IconCheck, IconCopy, IconFocus2, IconResize, IconTrash, IconX } from '@tabler/icons-react'
import { measurementOrder, measurements, stainStatisticKeys, stainStatistics, stainTitle, unitsOf } from '../../../app/contract'
import type { ObjectDetails } from '../../../app/contract'
import { keyNamed, tip } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { clearSelection } from '../../store/selection/selectionActions'
import { editSelected, handClasses, selectedRun } from '../../store/objects/objectActions'
import { outlineItems } from '../../store/commands/outlineItems'
import { addableTo, addSelected } from '../../store/objects/redrawActions'
import { getState, useStore } from '../../store/store'
import { askWhy } from '../../store/recipe/whyActions'
import { formatMeasured, sampleText } from '../../arithmetic/format'
import { viewer } from '../../store/base/viewerHandle'
import { IconButton } from '../../widgets/IconButton'
import { OutlineMenu } from '../../widgets/OutlineMenu'
import { Swatch } from '../../widgets/Swatch'
import { useTip } from '../../widgets/useTip'
import { words } from '../../words'
import { ClickNote } from '../ClickNote'
import { titled } from '../../words/named'

/** Name, value and unit. */
function measures(object: ObjectDetails): readonly (readonly [string, string, string])[] {
  return [
    ...measurementOrder.screen.flatMap((key) => {
      const value = object[key]
      // Its recipe gives none.
      if (value === null) return []
      const { title, dimension } = measurements[key]
      return [[titled(title), formatMeasured(key, value), unitsOf(dimension, object.unit).screen] as const]
    }),
    [words.selected.centroid, `${Math.round(object.centroid.x)}, ${Math.round(object.centroid.y)}`, 'px'],
  ]
}

/** Score 74 of 100, the mean of: contrast 1.40, which gives 70 (100 from 2 on); … */
function scoreWords(object: ObjectDetails, parts: NonNullable<ObjectDetails['scoreParts']>): string {
  const each = parts.map(({ of, part, full }) =>
    words.selected.scorePart(titled(measurements[of].title), formatMeasured(of, object[of]), part, full),
  )
  return words.selected.score(formatMeasured('score', object.score), each.join('; '))
}

const asText = (object: ObjectDetails): string =>
  [
    ...(object.class ? [words.selected.copiedClass(object.class.label)] : []),
    ...measures(object).map(([name, value, unit]) => `${name}\t${value}\t${unit}`),
    ...(object.channels ?? []).map(({ name, mean }) => words.selected.copiedChannel(name, mean)),
    ...object.stains.map((s) => words.selected.copiedStain(s.name, object.stainsAre?.unit !== '', s.mean)),
  ].join('\n')

/** What can be done to it, where its run is done. */
interface ClassKeyProps {
  readonly each: { readonly id: string; readonly label: string; readonly color: readonly number[] }
  readonly number: number
  readonly pressed: boolean
}

function ClassKey({ each: { id, label, color }, number, pressed }: ClassKeyProps) {
  const { near, tip } = useTip(
    <>
      {titled(label)} <kbd className="tip-key">{number}</kbd>
    </>,
  )
  return (
    <>
      <button
        type="button"
        aria-label={words.selected.classKey(label)}
        aria-pressed={pressed}
        style={{ background: `rgb(${color.join(' ')})` }}
        onClick={() => void editSelected({ type: 'classify', classId: id })}
        data-testid={`class-${id}`}
        {...near}
      />
      {tip}
    </>
  )
}

function ObjectTools({ object }: { readonly object: ObjectDetails }) {
  const run = useStore(selectedRun)
  const doc = useStore((state) => state.project.doc)
  const redrawing = useStore((state) => state.project.tool === 'redraw')
  if (!run || !doc) return null
  return (
    <>
      <span className="class-keys" role="group" aria-label={words.names.class}>
        {handClasses(getState(), run)
          .slice(0, 9)
          .map((each, i) => (
            <ClassKey key={each.id} each={each} number={i + 1} pressed={object.class?.id === each.id} />
          ))}
      </span>
      <OutlineMenu items={outlineItems()}>
        <ActionIcon variant="subtle" size={24} aria-label={words.selected.outlineMenu} data-testid="object-outline">
          <IconResize size={14} />
        </ActionIcon>
      </OutlineMenu>
      <IconButton
        size={24}
        {...tip('redrawObject')}
        label={words.selected.redraw}
        pressed={redrawing}
        onClick={() => runCommand('redrawObject')}
        testId="object-redraw"
      >
        <IconBrush size={14} />
      </IconButton>
      <IconButton
        size={24}
        label={words.selected.delete}
        onClick={() => void editSelected({ type: 'delete' })}
        testId="object-delete"
      >
        <IconTrash size={14} />
      </IconButton>
    </>
  )
}

/** What a click found that the shown result has not. */
function AddTool() {
  const run = useStore(addableTo)
  if (!run) return null
  return (
    <Button size="compact-xs" variant="light" onClick={() => void addSelected()} data-testid="object-add">
      {words.selected.addTo(run.name)}
    </Button>
  )
}

function Details({ object }: { readonly object: ObjectDetails }) {
  const { x, y, width, height } = object.bounds
  const around = { x: Math.round(x - width * 2), y: Math.round(y - height * 2), width: width * 5, height: height * 5 }
  return (
    <>
      <div className="object-tools">
        <IconButton size={24} label={words.selected.centre} onClick={() => viewer()?.fitRegion(around)}>
          <IconFocus2 size={14} />
        </IconButton>
        <CopyButton value={asText(object)}>
          {({ copied, copy }) => (
            <IconButton size={24} label={copied ? words.selected.copied : words.selected.copy} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </IconButton>
          )}
        </CopyButton>
        <AddTool />
        <ObjectTools object={object} />
        <IconButton size={24} {...tip('cancel')} label={words.selected.clear} onClick={clearSelection}>
          <IconX size={14} />
        </IconButton>
      </div>
      <dl className="measures">
        {measures(object).map(([name, value, unit]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num" data-measure={name}>
              {value}
              <i>{unit}</i>
            </dd>
          </div>
        ))}
      </dl>
      {object.scoreParts && (
        <p className="dim" data-testid="score-parts">
          {scoreWords(object, object.scoreParts)}
        </p>
      )}
      <table className="stains">
        <thead>
          <tr>
            <th scope="col">{object.stainsAre ? titled(object.stainsAre.title) : words.selected.opticalDensity}</th>
            {stainStatisticKeys.map((key) => (
              <th key={key} scope="col">
                {titled(stainStatistics[key].title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {object.stains.map((stain) => (
            <tr key={stain.name}>
              <th scope="row">{titled(stainTitle(stain.name))}</th>
              {stainStatisticKeys.map((key) => (
                <td key={key} className="num">
                  {stain[key]?.toFixed(object.stainsAre?.unit === '' ? 1 : 2) ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {object.cell && <Cell figures={object.cell} />}
      {object.channels && <Channels channels={object.channels} />}
    </>
  )
}

const figures = ['mean', 'std', 'min', 'max'] as const

function Cell({ figures: own }: { readonly figures: NonNullable<ObjectDetails['cell']> }) {
  return (
    <table className="stains" data-testid="object-cell">
      <tbody>
        {own.map(({ title, unit, value }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td className="num">{`${Number(value.toPrecision(3))}${unit === '' ? '' : ` ${unit}`}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Channels({ channels }: { readonly channels: NonNullable<ObjectDetails['channels']> }) {
  return (
    <table className="stains" data-testid="object-channels">
      <thead>
        <tr>
          <th scope="col">{words.channels.title}</th>
          {figures.map((key) => (
            <th key={key} scope="col">
              {titled(stainStatistics[key].title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {channels.map((channel) => (
          <tr key={channel.name}>
            <th scope="row">{channel.name}</th>
            {figures.map((key) => (
              <td key={key} className="num">
                {channel[key] === null ? '–' : sampleText(channel[key])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function SelectedObject() {
  const selection = useStore((state) => state.selection)
  const { object, state, source, elapsedMs } = selection
  const said = {
    none: words.selected.none(keyNamed('segmentCenter')),
    busy: words.states.looking,
    empty: words.selected.empty,
    found: '',
  } as const
  return (
    <div data-testid="selected-object" data-state={state} aria-live="polite">
      {object ? (
        <>
          <p className={`object-title ${state === 'busy' ? 'busy' : ''}`}>
            <b>{source === 'run' ? words.names.objectNumber(object.id) : words.selected.atClick}</b>
            {object.class && (
              <span data-testid="object-class">
                <Swatch colour={`rgb(${object.class.color.join(' ')})`} name={titled(object.class.label)} isSaid />
                {titled(object.class.label)}
              </span>
            )}
            <span className="dim">{elapsedMs === null ? '' : words.selected.foundIn(elapsedMs)}</span>
          </p>
          <ClickNote />
          <Details object={object} />
        </>
      ) : (
        <p className="nothing">
          {said[state]}
          {state === 'empty' && selection.at && (
            <button type="button" className="legend-link" onClick={() => askWhy(selection.at!)} data-testid="why-not">
              {words.buttons.why}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
