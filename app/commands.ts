// The third plank of the floor: what a user can ask for by name, with its words and its keys. Data only, for the page and for the desktop's menu.

export interface CommandInfo {
  readonly label: string
  readonly group: 'File' | 'View' | 'Segment' | 'Recipe' | 'Window'
  /** Chords of the page: KeyboardEvent.key or .code after its modifiers; $mod is Ctrl, on a Mac ⌘. */
  readonly keys: readonly string[]
  /** What the same key cap gives with Shift the other way round: bound, and not worth showing. */
  readonly otherKeys?: readonly string[]
  /** Also while somebody types: the chord means nothing to a text field. */
  readonly whileTyping?: true
  /** Of the desktop's menu alone: in a browser this chord is the browser's. */
  readonly menuKey?: string
  /** More is asked before anything happens, which a menu says by an ellipsis. */
  readonly asks?: true
}

const table = {
  open: { label: 'Open a slide', group: 'File', keys: ['$mod+o'], whileTyping: true, asks: true },
  export: { label: 'Export results', group: 'File', keys: ['$mod+e'], whileTyping: true, asks: true },
  info: { label: 'Slide information', group: 'File', keys: ['i'] },
  fit: { label: 'Fit the slide', group: 'View', keys: ['f', 'Home'], menuKey: '$mod+0' },
  actualSize: { label: '1:1, full resolution', group: 'View', keys: ['1'], menuKey: '$mod+1' },
  zoomIn: { label: 'Zoom in', group: 'View', keys: ['+'], otherKeys: ['='] },
  zoomOut: { label: 'Zoom out', group: 'View', keys: ['-'], otherKeys: ['_'] },
  panLeft: { label: 'Pan left', group: 'View', keys: ['ArrowLeft'] },
  panRight: { label: 'Pan right', group: 'View', keys: ['ArrowRight'] },
  panUp: { label: 'Pan up', group: 'View', keys: ['ArrowUp'] },
  panDown: { label: 'Pan down', group: 'View', keys: ['ArrowDown'] },
  rotateRight: { label: 'Rotate clockwise', group: 'View', keys: ['r'] },
  rotateLeft: { label: 'Rotate counter-clockwise', group: 'View', keys: ['Shift+r'] },
  overlay: { label: 'Show or hide the overlay', group: 'View', keys: ['o'] },
  style: { label: 'Outlines or filled', group: 'View', keys: ['s'] },
  segmentVisible: { label: 'Segment the visible field', group: 'Segment', keys: ['Space', 'Enter'], menuKey: '$mod+Enter' },
  rectangle: { label: 'Draw a rectangle to segment', group: 'Segment', keys: ['d'] },
  segmentWhole: { label: 'Segment the whole slide', group: 'Segment', keys: ['w'], asks: true },
  segmentCenter: { label: 'Select the object at the centre', group: 'Segment', keys: ['c'] },
  preview: { label: 'Preview the visible field now', group: 'Segment', keys: ['p'] },
  device: { label: 'Choose what computes: CPU or GPU', group: 'Segment', keys: ['g'], asks: true },
  cancel: { label: 'Cancel, close, or clear the selection', group: 'Segment', keys: ['Escape'], menuKey: '$mod+.' },
  undo: { label: 'Undo a parameter change', group: 'Recipe', keys: ['$mod+z'] },
  redo: { label: 'Redo', group: 'Recipe', keys: ['$mod+Shift+z', '$mod+y'] },
  resetAll: { label: 'Reset all parameters', group: 'Recipe', keys: [] },
  leftPanel: { label: 'Show or hide the recipe', group: 'Window', keys: ['['] },
  rightPanel: { label: 'Show or hide the results', group: 'Window', keys: [']'] },
  help: { label: 'Keyboard shortcuts', group: 'Window', keys: ['?'] },
} as const satisfies Readonly<Record<string, CommandInfo>>

export type Command = keyof typeof table
export const commands: Readonly<Record<Command, CommandInfo>> = table
