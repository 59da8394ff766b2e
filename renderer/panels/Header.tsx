// The top bar: open, which slide, what is shown of it, export, help.
import { Button, Menu, SegmentedControl, Select } from '@mantine/core'
import {
  IconChevronDown,
  IconDownload,
  IconEye,
  IconEyeOff,
  IconFolderOpen,
  IconHelp,
  IconInfoCircle,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconTable,
} from '@tabler/icons-react'
import { tip } from '../store/base/commandKeys'
import { runCommand } from '../store/commands/commands'
import { layerChoices } from '../store/slide/layerChoices'
import { setLayer, setStyle, toggleOverlay } from '../store/slide/overlayActions'
import { currentSpec } from '../store/slices/recipeSlice'
import { exportableRuns } from '../store/slices/runSlice'
import { clearRecents, openSlide } from '../store/slide/slideActions'
import { mppWords } from '../store/slices/slideSlice'
import { listItems, openProjectAtStart, openUnnamedAtStart } from '../store/commands/startActions'
import { useStore } from '../store/store'
import { slideNames, unnamedContents, unnamedTitle } from '../store/document/unnamedWords'
import { formatCount } from '../arithmetic/format'
import { IconButton } from '../widgets/IconButton'
import { Logo } from '../widgets/Logo'
import { words } from '../words'
import { LookMenu } from './LookMenu'

function OpenMenu() {
  const recents = useStore((state) => state.slide.recents)
  return (
    <div className="split">
      <Button variant="default" leftSection={<IconFolderOpen size={15} />} onClick={() => runCommand('open')} data-testid="open">
        {words.buttons.open}
      </Button>
      <Menu position="bottom-start" width={380} shadow="md" onOpen={() => void listItems()}>
        <Menu.Target>
          <Button variant="default" px={5} aria-label={words.header.openMenu} data-testid="recent">
            <IconChevronDown size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.names.recentSlides}</Menu.Label>
          {recents.length === 0 && <Menu.Item disabled>{words.header.noneYet}</Menu.Item>}
          {recents.slice(0, 12).map((recent) => (
            <Menu.Item key={recent.path} onClick={() => void openSlide(recent.path)}>
              <span className="recent-name">{recent.name}</span>
              <span className="recent-path">{recent.path}</span>
            </Menu.Item>
          ))}
          {recents.length > 0 && <Menu.Item onClick={() => void clearRecents()}>{words.header.clearList}</Menu.Item>}
          <RecentProjects />
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** As the start page lists them, which has the others. */
const mostProjects = 5

function RecentProjects() {
  const items = useStore((state) => state.start.items)
  const projects = items?.projects.filter(({ missing }) => !missing).slice(0, mostProjects) ?? []
  const unnamed = items?.unnamed.filter(({ open }) => !open).slice(0, mostProjects) ?? []
  return (
    <>
      {projects.length > 0 && <Menu.Label>{words.names.recentProjects}</Menu.Label>}
      {projects.map(({ path, name }) => (
        <Menu.Item key={path} onClick={() => void openProjectAtStart(path)}>
          <span className="recent-name">{name}</span>
          <span className="recent-path">{path}</span>
        </Menu.Item>
      ))}
      {unnamed.length > 0 && <Menu.Label>{words.names.unnamedProjects}</Menu.Label>}
      {unnamed.map((project) => (
        <Menu.Item key={project.id} onClick={() => void openUnnamedAtStart(project)} data-testid="recent-unnamed">
          <span className="recent-name">{unnamedTitle(project)}</span>
          <span className="recent-path">
            {unnamedContents(project)}: {slideNames(project)}
          </span>
        </Menu.Item>
      ))}
    </>
  )
}

function SlideName() {
  const info = useStore((state) => state.slide.info)
  const opening = useStore((state) => state.slide.opening)
  if (!info) return <div className="slide-name dim">{opening ? words.states.opening : words.header.noSlide}</div>
  const facts = [
    `${formatCount(info.widthPx)} × ${formatCount(info.heightPx)} px`,
    mppWords(info) ?? words.states.uncalibrated,
    ...(info.objectivePower ? [`${info.objectivePower}×`] : []),
  ]
  return (
    <div className="slide-name" title={info.path}>
      <strong data-testid="slide-name">{info.name}</strong>
      <span>{opening ? words.header.openingAnother : facts.join(' · ')}</span>
    </div>
  )
}

function LayerSelect() {
  const spec = useStore((state) => currentSpec(state.recipe))
  const layer = useStore((state) => state.ui.layer)
  const map = useStore((state) => state.table.map?.layer ?? null)
  const hasSlide = useStore((state) => state.slide.info !== null)
  return (
    <label className="with-label">
      <span>{words.names.layer}</span>
      <Select
        className="layer-select"
        data={layerChoices(spec, map)}
        value={layer}
        disabled={!hasSlide}
        onChange={(value) => value !== null && setLayer(value)}
        maxDropdownHeight={420}
        aria-label={words.names.layer}
        data-testid="layer-select"
      />
    </label>
  )
}

function OverlayControls() {
  const overlay = useStore((state) => state.overlay)
  return (
    <div className="with-label" role="group" aria-label={words.header.overlay}>
      <IconButton
        {...tip('overlay')}
        label={overlay.visible ? words.header.hideOverlay : words.header.showOverlay}
        pressed={overlay.visible}
        onClick={toggleOverlay}
        testId="overlay-toggle"
      >
        {overlay.visible ? <IconEye size={17} /> : <IconEyeOff size={17} />}
      </IconButton>
      <SegmentedControl
        size="xs"
        aria-label={words.header.overlayStyle}
        data={[
          { value: 'outline', label: words.header.outlines },
          { value: 'filled', label: words.header.filled },
        ]}
        value={overlay.style}
        onChange={(value) => setStyle(value === 'filled' ? 'filled' : 'outline')}
        data-testid="overlay-style"
      />
      <LookMenu />
    </div>
  )
}

export function Header() {
  const hasSlide = useStore((state) => state.slide.info !== null)
  const leftOpen = useStore((state) => state.ui.leftOpen)
  const tableOpen = useStore((state) => state.table.open)
  const rightOpen = useStore((state) => state.ui.rightOpen)
  const canExport = useStore((state) => exportableRuns(state.runs).length > 0)
  return (
    <header className="header">
      <Logo />
      <h1 className="unseen">{words.program.name}</h1>
      <IconButton
        {...tip('leftPanel')}
        label={words.header.recipePanel}
        pressed={leftOpen}
        onClick={() => runCommand('leftPanel')}
      >
        <IconLayoutSidebar size={17} />
      </IconButton>
      <OpenMenu />
      <SlideName />
      <IconButton {...tip('info')} disabled={!hasSlide} onClick={() => runCommand('info')} testId="slide-info">
        <IconInfoCircle size={17} />
      </IconButton>
      <span className="grow" />
      <LayerSelect />
      <OverlayControls />
      <span className="divider" aria-hidden />
      <Button
        variant="default"
        leftSection={<IconDownload size={15} />}
        disabled={!canExport}
        onClick={() => runCommand('export')}
        data-testid="export-open"
      >
        {words.buttons.export}
      </Button>
      <IconButton {...tip('help')} onClick={() => runCommand('help')} testId="help">
        <IconHelp size={17} />
      </IconButton>
      <IconButton {...tip('table')} pressed={tableOpen} onClick={() => runCommand('table')} testId="table-toggle">
        <IconTable size={17} />
      </IconButton>
      <IconButton
        {...tip('rightPanel')}
        label={words.header.resultsPanel}
        pressed={rightOpen}
        onClick={() => runCommand('rightPanel')}
      >
        <IconLayoutSidebarRight size={17} />
      </IconButton>
    </header>
  )
}
