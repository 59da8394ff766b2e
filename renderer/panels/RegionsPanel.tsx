// Regions of interest: the tools that draw them, their list with figures, name and class of the selected ones, and where they are kept.
import { Button, Menu, Select, TextInput } from '@mantine/core'
import {
  IconBrush,
  IconCircle,
  IconCircleDotted,
  IconDots,
  IconLine,
  IconLock,
  IconLockOpen,
  IconPolygon,
  IconRectangle,
  IconScribble,
  IconTimeline,
  IconTrash,
} from '@tabler/icons-react'
import { type KeyboardEvent, memo, useEffect, useMemo, useState } from 'react'

import type { RegionOfInterest } from '../../app/contract'
import { tip, type Command } from '../store/base/commandKeys'
import { runCommand } from '../store/commands/commands'
import { act, changeRegions, classify, deleteSelected, showRegion } from '../store/document/projectActions'
import { editInRegion } from '../store/objects/objectActions'
import {
  classNameOf,
  colourOf,
  isSelected,
  oneSelected,
  regionsOf,
  selectedRegions,
  titleOf,
  toggled,
} from '../store/slices/projectSlice'
import { figuresOfRegion, ruleOfRegions, sourceOfRegion } from '../store/document/regionWords'
import { getState, patch, useStore } from '../store/store'
import { IconButton } from '../widgets/IconButton'
import { Section } from '../widgets/Section'
import { Swatch } from '../widgets/Swatch'
import { words } from '../words'

const tools = [
  { tool: 'rectangle', command: 'drawRectangle', Icon: IconRectangle },
  { tool: 'ellipse', command: 'drawEllipse', Icon: IconCircle },
  { tool: 'polygon', command: 'drawPolygon', Icon: IconPolygon },
  { tool: 'freehand', command: 'drawFreehand', Icon: IconScribble },
  { tool: 'brush', command: 'brush', Icon: IconBrush },
  { tool: 'points', command: 'points', Icon: IconCircleDotted },
  { tool: 'line', command: 'drawLine', Icon: IconLine },
  { tool: 'polyline', command: 'drawPolyline', Icon: IconTimeline },
] as const satisfies readonly { tool: string; command: Command; Icon: unknown }[]

/** More rows than anybody reads: a list that was imported may have a hundred thousand. */
const mostRows = 500

/** Up and down go from row to row; Delete deletes. */
function onKey(event: KeyboardEvent<HTMLButtonElement>, id: string): void {
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLButtonElement>('.region-main') ?? [])]
  const at = rows.indexOf(event.currentTarget)
  if (event.key === 'Delete' || event.key === 'Backspace') {
    event.preventDefault()
    ;(rows[at + 1] ?? rows[at - 1])?.focus()
    if (getState().project.selected.includes(id)) deleteSelected()
    else void act({ type: 'regions:delete', ids: [id] })
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  rows[at + step]?.focus()
}

interface RowProps {
  readonly region: RegionOfInterest
  readonly selected: boolean
  readonly title: string
  readonly colour: string
  readonly className: string
  readonly figures: string
  readonly source: string
}

/** Hundreds of them: each asks the store for nothing, which would be asked with every frame, and is drawn again where it is another. */
const Row = memo(function Row({ region, selected, title, colour, className, figures, source }: RowProps) {
  const choose = (more: boolean) => patch('project', { selected: toggled(getState().project.selected, region.id, more) })
  return (
    <li className={`region-row ${selected ? 'selected' : ''}`} data-testid="region-row" data-region={region.id}>
      <Swatch className="dot" colour={colour} name={className} />
      <button
        type="button"
        className="region-main"
        data-keys="delete"
        aria-pressed={selected}
        title={words.regions.rowTip(source).trim()}
        onClick={(event) => choose(event.shiftKey || event.ctrlKey || event.metaKey)}
        onDoubleClick={() => showRegion(region)}
        onKeyDown={(event) => onKey(event, region.id)}
      >
        <b className="name">{title}</b>
        <span className="figures num" data-testid="region-figures">
          {figures}
        </span>
      </button>
      <RowButtons id={region.id} locked={region.locked} />
    </li>
  )
})

/** Apart: a title that counts otherwise makes no button another. */
const RowButtons = memo(function RowButtons({ id, locked }: Pick<RegionOfInterest, 'id' | 'locked'>) {
  return (
    <>
      <IconButton
        size={22}
        label={locked ? words.regions.unlock : words.regions.lock}
        pressed={locked}
        onClick={() => void changeRegions([{ id, locked: !locked }])}
        testId="region-lock"
      >
        {locked ? <IconLock size={14} /> : <IconLockOpen size={14} />}
      </IconButton>
      <IconButton
        size={22}
        label={words.buttons.delete}
        disabled={locked}
        onClick={() => void act({ type: 'regions:delete', ids: [id] })}
        testId="region-delete"
      >
        <IconTrash size={14} />
      </IconButton>
    </>
  )
})

function Rows({ regions }: { readonly regions: readonly RegionOfInterest[] }) {
  const project = useStore((state) => state.project)
  const runs = useStore((state) => state.runs)
  return (
    <ul className="region-list">
      {regions.map((region) => (
        <Row
          key={region.id}
          region={region}
          selected={isSelected(project, region.id)}
          title={titleOf(project, region)}
          colour={colourOf(project, region)}
          className={classNameOf(project, region) ?? words.names.noClass}
          figures={figuresOfRegion(project.measures.get(region.id), runs)}
          source={sourceOfRegion(project.measures.get(region.id), runs)}
        />
      ))}
    </ul>
  )
}

/** Written when it is left or Enter is pressed: a name is one step, not one a letter. */
function Name({ region }: { readonly region: RegionOfInterest }) {
  const [text, setText] = useState(region.name)
  useEffect(() => setText(region.name), [region.name, region.id])
  const write = () => {
    const name = text.trim().slice(0, 200)
    if (name !== region.name) void changeRegions([{ id: region.id, name }])
  }
  return (
    <TextInput
      size="xs"
      aria-label={words.regions.nameLabel}
      placeholder={words.regions.name}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={write}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      data-testid="region-name"
    />
  )
}

function Edit() {
  const one = useStore((state) => oneSelected(state.project))
  const count = useStore((state) => state.project.selected.length)
  const classes = useStore((state) => state.project.doc?.classes)
  const classId = useStore(({ project }) => {
    const [first, ...others] = selectedRegions(project)
    return first && others.every((each) => each.classId === first.classId) ? first.classId : null
  })
  if (count === 0) return null
  return (
    <div className="region-edit">
      {one ? <Name region={one} /> : <span className="note">{words.regions.selected(count)}</span>}
      <Select
        size="xs"
        aria-label={words.regions.classLabel}
        placeholder={words.names.class}
        clearable
        data={(classes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={classId}
        onChange={classify}
        data-testid="region-class"
      />
    </div>
  )
}

function More() {
  const some = useStore((state) => regionsOf(state.project).length > 0)
  const one = useStore((state) => oneSelected(state.project))
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton size={22} label={words.regions.menu} testId="region-more">
          <IconDots size={14} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => runCommand('importRegions')}>{words.regions.importQuPath}</Menu.Item>
        <Menu.Item disabled={!some} onClick={() => runCommand('exportRegions')} data-testid="region-export">
          {words.regions.exportQuPath}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          disabled={!one}
          onClick={() => one && void editInRegion(one, { type: 'classify', classId: one.classId })}
          data-testid="region-classify-objects"
        >
          {words.regions.classifyInside}
        </Menu.Item>
        <Menu.Item
          disabled={!one}
          onClick={() => one && void editInRegion(one, { type: 'delete' })}
          data-testid="region-delete-objects"
        >
          {words.regions.deleteInside}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function RegionsSection() {
  const regions = useStore((state) => regionsOf(state.project))
  const tool = useStore((state) => state.project.tool)
  const hasSlide = useStore((state) => state.slide.info !== null)
  const selected = useStore((state) => state.project.selected.length)
  const rule = useStore((state) => ruleOfRegions(state.runs))
  const counted = useStore((state) => state.project.measures.areCounted)
  const shown = useMemo(() => regions.slice(0, mostRows), [regions])
  return (
    <Section
      title={regions.length > 0 ? words.regions.titleWith(regions.length) : words.names.regions}
      help={words.regions.help}
      aside={<More />}
    >
      <div className="region-tools" role="toolbar" aria-label={words.regions.draw}>
        {tools.map(({ tool: each, command, Icon }) => (
          <IconButton
            key={each}
            size={26}
            {...tip(command)}
            pressed={tool === each}
            disabled={!hasSlide}
            onClick={() => runCommand(command)}
            testId={`draw-${each}`}
          >
            <Icon size={16} />
          </IconButton>
        ))}
        <span className="grow" />
        <Button
          size="compact-xs"
          variant="default"
          disabled={regions.length === 0}
          onClick={() => runCommand('segmentRegions')}
          data-testid="segment-regions"
        >
          {selected > 0 ? words.regions.segmentIn(selected) : words.regions.segmentInAll}
        </Button>
      </div>
      {regions.length > 0 && <Rows regions={shown} />}
      {counted && (
        <p className="note" data-testid="regions-rule">
          {rule}
        </p>
      )}
      {regions.length > mostRows && <p className="note">{words.counts.moreRows(regions.length - mostRows)}</p>}
      <Edit />
    </Section>
  )
}
