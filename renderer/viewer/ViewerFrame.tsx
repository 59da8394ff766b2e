// What lies over the slide: view controls, overview, scale bar, hints, and the first screen before a slide is open.
import { Button, Loader } from '@mantine/core'
import {
  IconCamera,
  IconFlipVertical,
  IconFolderOpen,
  IconLasso,
  IconMaximize,
  IconMinus,
  IconPlus,
  IconRotate,
  IconRotateClockwise,
  IconRulerMeasure,
  IconSquareHalf,
  IconStack2,
  IconWand,
  IconZoomIn,
  IconZoomQuestion,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tip } from '../store/base/commandKeys'
import { runCommand } from '../store/commands/commands'
import { headlines } from '../store/base/notify'
import { blendedSlide } from '../store/slices/channelsSlice'
import { isBrush, isClicked } from '../store/slices/projectSlice'
import { fileName } from '../store/slide/slideActions'
import { horizontalMpp, slideMpp } from '../store/slices/slideSlice'
import { useStore } from '../store/store'
import { isOnlyStretched, isPlain } from '../store/slices/toneSlice'
import { ToolCards } from '../tools/ToolCards'
import { IconButton } from '../widgets/IconButton'
import { scaleBar } from '../arithmetic/format'
import { toScreen } from '../arithmetic/geometry'
import { viewer } from '../store/base/viewerHandle'
import { words } from '../words'
import { HatchLegend } from './legends/HatchLegend'
import { useGridWords } from './layers/GridLayer'
import { Legends } from './legends/Legends'
import { useRuler } from './layers/Ruler'
import { ToneMenu } from './ToneMenu'
import { Said } from '../widgets/Said'

function Controls() {
  const asksWhy = useStore((state) => state.why.on)
  const wand = useStore((state) => state.wand.on)
  const lasso = useStore((state) => state.project.tool === 'lasso')
  const ruler = useStore((state) => state.project.tool === 'ruler')
  const split = useStore((state) => state.ui.split !== null)
  const flipped = useStore((state) => state.ui.view?.flipped ?? false)
  return (
    <div className="view-controls" role="toolbar" aria-label={words.viewer.controls} aria-orientation="vertical">
      <IconButton tipPosition="left" {...tip('zoomIn')} onClick={() => runCommand('zoomIn')} testId="zoom-in">
        <IconPlus size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('zoomOut')} onClick={() => runCommand('zoomOut')} testId="zoom-out">
        <IconMinus size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('fit')} onClick={() => runCommand('fit')} testId="fit">
        <IconMaximize size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('actualSize')} onClick={() => runCommand('actualSize')} testId="actual-size">
        <span className="one">1:1</span>
      </IconButton>
      <IconButton tipPosition="left" {...tip('rotateRight')} onClick={() => runCommand('rotateRight')} testId="rotate-right">
        <IconRotateClockwise size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('rotateLeft')} onClick={() => runCommand('rotateLeft')} testId="rotate-left">
        <IconRotate size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('flip')} pressed={flipped} onClick={() => runCommand('flip')} testId="flip">
        <IconFlipVertical size={16} />
      </IconButton>
      <ToneMenu />
      <ChannelsButton />
      <IconButton tipPosition="left" {...tip('savePicture')} onClick={() => runCommand('savePicture')} testId="save-picture">
        <IconCamera size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('split')} pressed={split} onClick={() => runCommand('split')} testId="split-tool">
        <IconSquareHalf size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('why')} pressed={asksWhy} onClick={() => runCommand('why')} testId="why-tool">
        <IconZoomQuestion size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('wand')} pressed={wand} onClick={() => runCommand('wand')} testId="wand-tool">
        <IconWand size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('lasso')} pressed={lasso} onClick={() => runCommand('lasso')} testId="lasso-tool">
        <IconLasso size={16} />
      </IconButton>
      <IconButton tipPosition="left" {...tip('ruler')} pressed={ruler} onClick={() => runCommand('ruler')} testId="ruler-tool">
        <IconRulerMeasure size={16} />
      </IconButton>
    </div>
  )
}

/** Of slides that have channels. */
function ChannelsButton() {
  const has = useStore((state) => blendedSlide(state.slide.info))
  const opened = useStore((state) => state.channels.opened)
  if (!has) return null
  return (
    <IconButton
      tipPosition="left"
      {...tip('channels')}
      pressed={opened}
      onClick={() => runCommand('channels')}
      testId="channels-tool"
    >
      <IconStack2 size={16} />
    </IconButton>
  )
}

function ScaleBar() {
  const zoom = useStore((state) => state.ui.view?.zoom ?? null)
  const rotation = useStore((state) => state.ui.view?.rotation ?? 0)
  const info = useStore((state) => state.slide.info)
  if (zoom === null || !info) return null
  const bar = scaleBar(zoom, horizontalMpp(info, rotation))
  return (
    <div className="scale-bar" data-testid="scale-bar" role="img" aria-label={words.viewer.scaleBar(bar.label)}>
      <span style={{ width: `${bar.widthPx}px` }} />
      <b>{bar.label}</b>
      {slideMpp(info) === null && <i>{words.states.uncalibrated}</i>}
    </div>
  )
}

function GridWords() {
  const size = useGridWords()
  if (size === null) return null
  return (
    <div className="grid-words" role="status" data-testid="grid-words">
      {words.viewer.gridSquare(size)}
    </div>
  )
}

/** What is shown is not as the file has it: nobody is to take it for that. */
function Toned() {
  const plain = useStore((state) => isPlain(state.tone))
  const stretch = useStore(({ tone }) => (isOnlyStretched(tone) ? tone.stretch : null))
  if (plain) return null
  return (
    <button type="button" className="chip shown-otherwise" onClick={() => runCommand('resetTone')} data-testid="toned">
      {stretch ? words.tone.stretched(stretch.low, stretch.high) : words.tone.adjusted}
    </button>
  )
}

function Rotation() {
  const rotation = useStore((state) => Math.round(state.ui.view?.rotation ?? 0) % 360)
  const flipped = useStore((state) => state.ui.view?.flipped ?? false)
  if (rotation === 0 && !flipped) return null
  return (
    <button
      type="button"
      className="chip shown-otherwise"
      data-testid="rotation"
      onClick={() => viewer()?.turnUpright()}
      title={words.viewer.turnUpright}
    >
      {[...(rotation === 0 ? [] : [words.viewer.rotation(rotation)]), ...(flipped ? [words.viewer.flipped] : [])].join(', ')}
    </button>
  )
}

function Hint() {
  const tool = useStore((state) => state.ui.tool)
  const drawn = useStore((state) => state.ui.drawn)
  const note = useStore((state) => state.ui.previewNote)
  const empty = useStore((state) => state.selection.state === 'empty')
  const regionTool = useStore((state) => state.project.tool)
  const measured = useRuler()
  if (regionTool === 'lasso') {
    return (
      <div className="chip hint" role="status" data-testid="region-hint">
        {words.hints.lasso}
      </div>
    )
  }
  if (regionTool === 'ruler') {
    return (
      <div className="chip hint" role="status">
        <span data-testid="ruler-words">{measured ?? words.hints.ruler}</span>
        {measured !== null && (
          <Button size="compact-xs" variant="light" onClick={() => runCommand('keepRuler')} data-testid="ruler-keep">
            {words.hints.keepRuler}
          </Button>
        )}
      </div>
    )
  }
  if (isBrush(regionTool) || regionTool === 'points') return null
  if (regionTool === 'add') {
    return (
      <div className="chip hint" role="status" data-testid="region-hint">
        {words.hints.add}
      </div>
    )
  }
  if (regionTool === 'cut') {
    return (
      <div className="chip hint" role="status" data-testid="region-hint">
        {words.hints.split}
      </div>
    )
  }
  if (regionTool) {
    return (
      <div className="chip hint" role="status" data-testid="region-hint">
        {isClicked(regionTool) ? words.hints.clicked : words.hints.dragged}{' '}
        {regionTool === 'line' || regionTool === 'polyline' ? words.hints.line : words.hints.region}
      </div>
    )
  }
  if (tool === 'rectangle') {
    return (
      <div className="chip hint" role="status">
        {drawn ? words.hints.drawnRectangle(drawn.width, drawn.height) : words.hints.rectangle}
      </div>
    )
  }
  if (note) {
    return (
      <div className="chip hint warn" role="status" data-testid="preview-note">
        <IconZoomIn size={15} aria-hidden /> {note}
      </div>
    )
  }
  if (empty) {
    return (
      <div className="chip hint passing" role="status">
        {words.hints.noObject}
      </div>
    )
  }
  return null
}

function FirstScreen() {
  const opening = useStore((state) => state.slide.opening)
  const error = useStore((state) => state.ui.openError)
  const connection = useStore((state) => state.ui.connection)
  if (opening) {
    return (
      <div className="first-screen" role="status">
        <Loader size="sm" />
        <p>{words.states.openingFile(fileName(opening))}</p>
      </div>
    )
  }
  return (
    <div className="first-screen">
      {error && (
        <div className="open-error" role="alert" data-testid="open-error">
          <strong>{headlines[error.code]}</strong>
          <p>
            <Said text={error.message} />
          </p>
        </div>
      )}
      <h2>{words.welcome.title}</h2>
      <p>{words.welcome.formats}</p>
      <Button
        size="sm"
        leftSection={<IconFolderOpen size={16} />}
        disabled={connection !== 'online'}
        onClick={() => runCommand('open')}
      >
        {words.buttons.openSlide}
      </Button>
      <p className="dim">{words.welcome.orDrop}</p>
    </div>
  )
}

/** The hint's strip at the upper edge, CSS px: where somebody draws there, it gives way to what lies under it. */
const hintStripPx = 60

export function ViewerFrame({ navigator }: { readonly navigator: ReactNode }) {
  const hasSlide = useStore((state) => state.slide.info !== null)
  const docked = useStore((state) => state.ui.rightOpen)
  const nearHint = useStore(({ ui }) => ui.view !== null && ui.pointer !== null && toScreen(ui.view, ui.pointer).y < hintStripPx)
  const switching = useStore((state) => state.slide.info !== null && state.slide.opening !== null)
  return (
    <>
      <div className={`over ${hasSlide ? '' : 'hidden'} ${nearHint ? 'near-hint' : ''}`}>
        <Controls />
        <div className="corner">
          <Legends />
          <HatchLegend />
          <Rotation />
          <Toned />
          <GridWords />
          <ScaleBar />
        </div>
        <Hint />
        {!docked && <ToolCards place="slide" />}
        {navigator}
        {switching && <Loader className="switching" size="sm" />}
      </div>
      {!hasSlide && <FirstScreen />}
    </>
  )
}
