// Everything the user can ask for by name: keys, buttons and the desktop's menu all end here.
import { viewer } from './viewerHandle'
import { clearSelection, selectAt } from './selectionActions'
import { askForSlide } from './slideActions'
import { redo, resetAll, undo } from './recipeActions'
import { previewNow, segment, segmentVisible } from './runActions'
import { cancelRun, escapeAsksAfterMs } from './runList'
import { setStyle, toggleOverlay } from './overlayActions'
import { runningRun } from './runSlice'
import { getState, patch } from './store'

export interface CommandInfo {
  readonly label: string
  /** As shown in the cheat sheet; null: no key. */
  readonly keys: readonly string[]
  readonly group: 'File' | 'View' | 'Segment' | 'Recipe' | 'Window'
}

export const commands = {
  open: { label: 'Open a slide', keys: ['Ctrl+O'], group: 'File' },
  export: { label: 'Export results', keys: ['Ctrl+E'], group: 'File' },
  info: { label: 'Slide information', keys: ['I'], group: 'File' },
  fit: { label: 'Fit the slide', keys: ['F', 'Home'], group: 'View' },
  actualSize: { label: '1:1, full resolution', keys: ['1'], group: 'View' },
  zoomIn: { label: 'Zoom in', keys: ['+'], group: 'View' },
  zoomOut: { label: 'Zoom out', keys: ['-'], group: 'View' },
  panLeft: { label: 'Pan left', keys: ['←'], group: 'View' },
  panRight: { label: 'Pan right', keys: ['→'], group: 'View' },
  panUp: { label: 'Pan up', keys: ['↑'], group: 'View' },
  panDown: { label: 'Pan down', keys: ['↓'], group: 'View' },
  rotateRight: { label: 'Rotate clockwise', keys: ['R'], group: 'View' },
  rotateLeft: { label: 'Rotate counter-clockwise', keys: ['Shift+R'], group: 'View' },
  overlay: { label: 'Show or hide the overlay', keys: ['O'], group: 'View' },
  style: { label: 'Outlines or filled', keys: ['S'], group: 'View' },
  segmentVisible: { label: 'Segment the visible field', keys: ['Space', 'Enter'], group: 'Segment' },
  rectangle: { label: 'Draw a rectangle to segment', keys: ['D'], group: 'Segment' },
  segmentWhole: { label: 'Segment the whole slide', keys: ['W'], group: 'Segment' },
  segmentCenter: { label: 'Select the object at the centre', keys: ['C'], group: 'Segment' },
  preview: { label: 'Preview the visible field now', keys: ['P'], group: 'Segment' },
  device: { label: 'Choose what computes: CPU or GPU', keys: ['G'], group: 'Segment' },
  cancel: { label: 'Cancel, close, or clear the selection', keys: ['Esc'], group: 'Segment' },
  undo: { label: 'Undo a parameter change', keys: ['Ctrl+Z'], group: 'Recipe' },
  redo: { label: 'Redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], group: 'Recipe' },
  resetAll: { label: 'Reset all parameters', keys: [], group: 'Recipe' },
  leftPanel: { label: 'Show or hide the recipe', keys: ['['], group: 'Window' },
  rightPanel: { label: 'Show or hide the results', keys: [']'], group: 'Window' },
  help: { label: 'Keyboard shortcuts', keys: ['?'], group: 'Window' },
} as const satisfies Record<string, CommandInfo>
export type Command = keyof typeof commands

/** A shell's menu may write a command's name in its own way: "segment-visible", "zoom-in", "view:fit". */
export function commandNamed(name: string): Command | null {
  const wanted = name
    .slice(name.lastIndexOf(':') + 1)
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase()
  const alias = aliases[wanted]
  return alias ?? (Object.keys(commands) as Command[]).find((command) => command.toLowerCase() === wanted) ?? null
}
const aliases: Readonly<Record<string, Command>> = {
  openslide: 'open',
  exportresults: 'export',
  slideinfo: 'info',
  home: 'fit',
  onetoone: 'actualSize',
  rotate: 'rotateRight',
  toggleoverlay: 'overlay',
  segment: 'segmentVisible',
  segmentwholeslide: 'segmentWhole',
  runvisible: 'segmentVisible',
  runregion: 'rectangle',
  runwhole: 'segmentWhole',
  shortcuts: 'help',
  reset: 'resetAll',
  devices: 'device',
}

const panPx = 120

export function runCommand(command: Command): void {
  const { ui, slide } = getState()
  const action: Record<Command, () => void> = {
    open: () => void askForSlide(),
    export: () => slide.info && patch('ui', { dialog: 'export', exportRunId: null }),
    info: () => slide.info && patch('ui', { dialog: 'info' }),
    fit: () => viewer()?.fit(),
    actualSize: () => viewer()?.actualSize(),
    zoomIn: () => viewer()?.zoomBy(1.5),
    zoomOut: () => viewer()?.zoomBy(1 / 1.5),
    panLeft: () => viewer()?.panBy(-panPx, 0),
    panRight: () => viewer()?.panBy(panPx, 0),
    panUp: () => viewer()?.panBy(0, -panPx),
    panDown: () => viewer()?.panBy(0, panPx),
    rotateRight: () => viewer()?.rotateBy(90),
    rotateLeft: () => viewer()?.rotateBy(-90),
    overlay: toggleOverlay,
    style: () => setStyle(getState().overlay.style === 'outline' ? 'filled' : 'outline'),
    segmentVisible,
    rectangle: () => slide.info && patch('ui', { tool: ui.tool === 'rectangle' ? 'pan' : 'rectangle', drawn: null }),
    segmentWhole: () => segment('whole'),
    segmentCenter: () => void (ui.view && selectAt(ui.view.center)),
    preview: previewNow,
    device: () => patch('ui', { deviceMenu: !ui.deviceMenu }),
    cancel: escape,
    undo,
    redo,
    resetAll,
    leftPanel: () => patch('ui', { leftOpen: !ui.leftOpen }),
    rightPanel: () => patch('ui', { rightOpen: !ui.rightOpen }),
    help: () => patch('ui', { dialog: ui.dialog === 'help' ? null : 'help' }),
  }
  action[command]()
}

/** One thing at a time, the most recent intention first. */
function escape(): void {
  const { ui, runs, selection } = getState()
  if (ui.tool === 'rectangle') return patch('ui', { tool: 'pan', drawn: null })
  const running = runningRun(runs)
  if (running) return cancelRun(running, escapeAsksAfterMs)
  if (selection.state !== 'none') clearSelection()
}
