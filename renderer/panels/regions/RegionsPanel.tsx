// Regions of interest: the tools that draw them, their list with figures, name and class of the selected ones, and where they are kept.
import { Button, Menu, Select, TextInput } from '@mantine/core'
import {
  IconBrush,
  IconCheck,
  IconCircle,
  IconCircleDotted,
  IconDots,
  IconLine,
  IconPolygon,
  IconRectangle,
  IconScribble,
  IconTimeline,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { RegionOfInterest } from '../../../app/contract'
import { tip, type Command } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { changeRegions, classify } from '../../store/document/projectActions'
import { editInRegion } from '../../store/objects/objectActions'
import { oneSelected, regionsOf, selectedRegions } from '../../store/slices/projectSlice'
import { ruleOfRegions } from '../../store/document/regionWords'
import { isCropped } from '../../store/slices/slideSlice'
import { getState, patch, useStore } from '../../store/store'
import { IconButton } from '../../widgets/IconButton'
import { Section } from '../../widgets/Section'
import { words } from '../../words'
import { RegionRows } from './RegionRows'

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
  const cropped = useStore(({ slide }) => slide.info !== null && isCropped(slide, slide.info.slideId))
  const asInQuPath = useStore((state) => state.ui.exportDraft.asInQuPath)
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
        <Menu.Item disabled={!some} onClick={() => runCommand('exportRegionImages')} data-testid="region-images">
          {words.regions.exportImages}
        </Menu.Item>
        <Menu.Item onClick={() => runCommand('carrySection')} data-testid="region-section">
          {words.regions.carrySection}
        </Menu.Item>
        {cropped && (
          <Menu.Item
            role="menuitemcheckbox"
            aria-checked={asInQuPath}
            closeMenuOnClick={false}
            rightSection={asInQuPath && <IconCheck size={14} aria-hidden />}
            onClick={() => patch('ui', { exportDraft: { ...getState().ui.exportDraft, asInQuPath: !asInQuPath } })}
            data-testid="region-coordinates"
          >
            {words.exportDialog.coordinates}
          </Menu.Item>
        )}
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
      {regions.length > 0 && <RegionRows regions={regions} />}
      {counted && (
        <p className="note" data-testid="regions-rule">
          {rule}
        </p>
      )}
      <Edit />
    </Section>
  )
}
