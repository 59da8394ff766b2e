// The third plank of the floor: what a user can ask for by name, with its words and its keys. Data only, for the page and for the desktop's menu.

/** Whose keys the page goes by, as the settings keep it: the program's own, or those that QuPath's users have in their hands. */
export const keySets = { morphoscope: 'Morphoscope', qupath: 'QuPath' } as const
export type KeySet = keyof typeof keySets

export interface CommandInfo {
  readonly label: string
  readonly group: 'File' | 'View' | 'Segment' | 'Regions' | 'Recipe' | 'Window'
  /** Chords of the page: KeyboardEvent.key or .code after its modifiers; $mod is Ctrl, on a Mac ⌘. */
  readonly keys: readonly string[]
  /**
   * In place of `keys` where QuPath's are chosen: QuPath's own (0.5: its actions' accelerators) for what it has too, another for what those
   * push aside. Never with $mod, so that the desktop's menu is the same under both.
   */
  readonly quPathKeys?: readonly string[]
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
  start: { label: 'Start page: recent slides and projects', group: 'File', keys: ['Shift+j'] },
  newProject: { label: 'New project', group: 'File', keys: [] },
  openProject: { label: 'Open a project', group: 'File', keys: [], asks: true },
  saveProject: { label: 'Save the project under a name', group: 'File', keys: [], asks: true },
  importRegions: { label: 'Import regions or objects', group: 'File', keys: [], asks: true },
  carrySection: { label: 'Carry over from another section', group: 'File', keys: [], asks: true },
  exportRegions: { label: 'Export the regions as GeoJSON', group: 'File', keys: [] },
  exportRegionImages: { label: 'Export pictures of regions', group: 'File', keys: [], asks: true },
  export: { label: 'Export results', group: 'File', keys: ['$mod+e'], whileTyping: true, asks: true },
  info: { label: 'Slide information', group: 'File', keys: ['i'] },
  fit: { label: 'Fit the slide', group: 'View', keys: ['f', 'Home'], quPathKeys: ['Home'], menuKey: '$mod+0' },
  actualSize: { label: '1:1, full resolution', group: 'View', keys: ['1'], quPathKeys: ['!'], menuKey: '$mod+1' },
  zoomIn: { label: 'Zoom in', group: 'View', keys: ['+'], otherKeys: ['='] },
  zoomOut: { label: 'Zoom out', group: 'View', keys: ['-'], otherKeys: ['_'] },
  move: { label: 'Move: no tool, dragging pans', group: 'View', keys: [], quPathKeys: ['m'] },
  panLeft: { label: 'Pan left', group: 'View', keys: ['ArrowLeft'] },
  panRight: { label: 'Pan right', group: 'View', keys: ['ArrowRight'] },
  panUp: { label: 'Pan up', group: 'View', keys: ['ArrowUp'] },
  panDown: { label: 'Pan down', group: 'View', keys: ['ArrowDown'] },
  rotateRight: { label: 'Rotate clockwise', group: 'View', keys: ['r'], quPathKeys: ['e'] },
  rotateLeft: { label: 'Rotate counter-clockwise', group: 'View', keys: ['Shift+r'], quPathKeys: ['Shift+e'] },
  flip: { label: 'Flip: left and right change places', group: 'View', keys: ['Shift+f'] },
  zoomToSelected: { label: 'Zoom to the selected object or regions', group: 'View', keys: [] },
  slideMenu: {
    label: 'Menu of the selected object or region, else of the middle of the view',
    group: 'View',
    keys: ['Shift+F10', 'ContextMenu'],
  },
  magnification: { label: 'Magnification: choose it, or type it', group: 'View', keys: ['z'], asks: true },
  fullScreen: { label: 'Full screen', group: 'View', keys: ['F11'] },
  tone: {
    label: 'Brightness, contrast, gamma and colour channels',
    group: 'View',
    keys: ['Shift+b'],
    quPathKeys: ['Shift+c'],
    asks: true,
  },
  channels: {
    label: 'Channels: which are shown, their colours and contrast',
    group: 'View',
    keys: ['Shift+z'],
  },
  channel1: { label: 'Show or hide channel 1', group: 'View', keys: [], quPathKeys: ['1'] },
  channel2: { label: 'Show or hide channel 2', group: 'View', keys: ['2'] },
  channel3: { label: 'Show or hide channel 3', group: 'View', keys: ['3'] },
  channel4: { label: 'Show or hide channel 4', group: 'View', keys: ['4'] },
  channel5: { label: 'Show or hide channel 5', group: 'View', keys: ['5'] },
  channel6: { label: 'Show or hide channel 6', group: 'View', keys: ['6'] },
  channel7: { label: 'Show or hide channel 7', group: 'View', keys: ['7'] },
  channel8: { label: 'Show or hide channel 8', group: 'View', keys: ['8'] },
  channel9: { label: 'Show or hide channel 9', group: 'View', keys: ['9'] },
  autoTone: { label: 'Auto contrast: from the darkest to the brightest of the overview', group: 'View', keys: [] },
  resetTone: { label: 'The slide’s colours as its file has them', group: 'View', keys: [] },
  grid: { label: 'Show or hide the grid', group: 'View', keys: ['#'], quPathKeys: ['Shift+g'] },
  second: { label: 'A second view beside this one', group: 'View', keys: ['j'] },
  savePicture: { label: 'Save a picture of the view, with scale bar and legend', group: 'View', keys: ['$mod+Shift+s'] },
  copyPicture: { label: 'Copy a picture of the view, with scale bar and legend', group: 'View', keys: ['$mod+Shift+c'] },
  overlay: { label: 'Show or hide the overlay', group: 'View', keys: ['o'], quPathKeys: ['d'] },
  style: { label: 'Outlines or filled', group: 'View', keys: ['s'], quPathKeys: ['f'] },
  split: { label: 'Before and after: a split bar', group: 'View', keys: ['v'], quPathKeys: ['Shift+p'] },
  segmentVisible: { label: 'Segment the visible field', group: 'Segment', keys: ['Space'], menuKey: '$mod+Enter' },
  rectangle: { label: 'Draw a rectangle to segment', group: 'Segment', keys: ['d'], quPathKeys: ['x'] },
  segmentWhole: { label: 'Segment the whole slide', group: 'Segment', keys: ['w'], quPathKeys: ['s'], asks: true },
  segmentCenter: { label: 'Select the object at the centre', group: 'Segment', keys: ['c'] },
  why: { label: 'Why is this kept or dropped?', group: 'Segment', keys: ['y'] },
  hScore: { label: 'H-score: classes 0, 1+, 2+, 3+ by cut-offs on a stain', group: 'Segment', keys: [] },
  membrane: { label: 'Membrane (HER2-like): score of cells 0, 1+, 2+, 3+', group: 'Segment', keys: [] },
  positiveShare: { label: 'Positive share (Ki-67, ER, PR): negative and positive by a cut-off', group: 'Segment', keys: [] },
  spatial: { label: 'Distances, densities and neighbours of objects', group: 'Segment', keys: [] },
  bands: { label: 'Bands inside and outside of regions: objects, density, shares', group: 'Segment', keys: [] },
  densityMap: { label: 'Map of density over the slide, and regions where it is high', group: 'Segment', keys: [] },
  hotSpot: { label: 'Hot spot: the field with the highest positive share', group: 'Segment', keys: [] },
  preview: { label: 'Preview the visible field now', group: 'Segment', keys: ['p'], quPathKeys: ['q'] },
  pause: { label: 'Pause the run, or go on with it', group: 'Segment', keys: ['k', 'Pause'] },
  timeline: { label: 'What the run did when: its timeline', group: 'Segment', keys: ['t'] },
  compare: { label: 'Compare two results', group: 'Segment', keys: ['Shift+c'], quPathKeys: ['Shift+b'] },
  carry: { label: 'Carry corrections over from the result before', group: 'Segment', keys: ['Shift+k'] },
  device: { label: 'Choose what computes: CPU or GPU', group: 'Segment', keys: ['g'], asks: true },
  cancel: { label: 'Cancel, close, or clear the selection', group: 'Segment', keys: ['Escape'], menuKey: '$mod+.' },
  addSlide: { label: 'Add this slide to the project', group: 'File', keys: ['Shift+a'] },
  addSlides: { label: 'Add several slides to the project', group: 'File', keys: ['Shift+o'], asks: true },
  summary: { label: 'Summary: one table over the project’s slides and regions', group: 'File', keys: ['Shift+t'], asks: true },
  runSlides: { label: 'Run the recipe on the project’s slides', group: 'Segment', keys: ['Shift+s'], quPathKeys: ['Shift+i'] },
  drawRectangle: { label: 'Draw a rectangular region', group: 'Regions', keys: ['x'], quPathKeys: ['r'] },
  drawEllipse: { label: 'Draw an elliptic region', group: 'Regions', keys: ['e'], quPathKeys: ['o'] },
  drawPolygon: { label: 'Draw a polygon region', group: 'Regions', keys: ['n'], quPathKeys: ['p'] },
  drawFreehand: { label: 'Draw a region by hand', group: 'Regions', keys: ['h'] },
  points: { label: 'Points: count by clicking', group: 'Regions', keys: ['Shift+p'], quPathKeys: ['.'] },
  drawLine: { label: 'Draw a line', group: 'Regions', keys: ['Shift+l'], quPathKeys: ['l'] },
  drawPolyline: { label: 'Draw a line through points', group: 'Regions', keys: ['Shift+y'], quPathKeys: ['v'] },
  brush: { label: 'Brush: paint a region, or more of the selected one', group: 'Regions', keys: ['q'], quPathKeys: ['b'] },
  brushSmaller: { label: 'A smaller brush', group: 'Regions', keys: [','], quPathKeys: ['<'] },
  brushLarger: { label: 'A larger brush', group: 'Regions', keys: ['.'], quPathKeys: ['>'] },
  wand: { label: 'Wand: outline what stands out under the pointer', group: 'Regions', keys: ['a'], quPathKeys: ['w'] },
  nameRegion: { label: 'Name the selected region', group: 'Regions', keys: [], asks: true },
  segmentRegions: { label: 'Segment the selected regions, or all', group: 'Regions', keys: ['Shift+w'] },
  findCores: { label: 'TMA cores: find them, name them, correct their rows and columns', group: 'Regions', keys: [], asks: true },
  markCores: { label: 'Mark the selected TMA cores as missing, or as there', group: 'Regions', keys: [] },
  ruler: { label: 'Ruler: measure a length', group: 'View', keys: ['u'] },
  keepRuler: { label: 'Keep the ruler’s line as a region', group: 'Regions', keys: ['Shift+u'] },
  lasso: { label: 'Lasso: select objects by drawing around them', group: 'Regions', keys: ['l'], quPathKeys: ['Shift+s'] },
  mergeObjects: { label: 'Make one object of those in the lasso', group: 'Regions', keys: ['Shift+m'] },
  fillHoles: { label: 'Fill the holes of the selected objects', group: 'Regions', keys: ['Shift+h'] },
  growObjects: { label: 'Grow the selected objects', group: 'Regions', keys: ['Shift+g'], quPathKeys: ['Shift+l'], asks: true },
  shrinkObjects: { label: 'Shrink the selected objects', group: 'Regions', keys: ['Shift+d'], asks: true },
  splitObjects: { label: 'Split objects along a line', group: 'Regions', keys: ['Shift+x'] },
  addObjects: { label: 'Add objects: click what was missed', group: 'Regions', keys: ['Shift+n'] },
  redrawObject: { label: 'Brush: redraw the selected object, or draw one', group: 'Regions', keys: ['Shift+q'] },
  finish: { label: 'Finish what is being drawn, and put the tool away', group: 'Regions', keys: ['Enter'] },
  deleteRegions: {
    label: 'Delete the selected object, the lasso’s objects or regions',
    group: 'Regions',
    keys: ['Delete', 'Backspace'],
  },
  showRegions: { label: 'Show or hide the regions', group: 'Regions', keys: ['m'], quPathKeys: ['a'] },
  undo: { label: 'Undo', group: 'Recipe', keys: ['$mod+z'] },
  redo: { label: 'Redo', group: 'Recipe', keys: ['$mod+Shift+z', '$mod+y'] },
  versions: { label: 'Versions of recipes: keep these values under a name', group: 'Recipe', keys: ['Shift+v'], asks: true },
  resetAll: { label: 'Reset all parameters', group: 'Recipe', keys: [] },
  leftPanel: { label: 'Show or hide the recipe', group: 'Window', keys: ['['] },
  rightPanel: { label: 'Show or hide the results', group: 'Window', keys: [']'] },
  table: { label: 'Show or hide the objects table', group: 'Window', keys: ['b'], quPathKeys: ['n'] },
  themeSystem: { label: 'Theme: as the system has it', group: 'Window', keys: [] },
  themeLight: { label: 'Theme: light', group: 'Window', keys: [] },
  themeDark: { label: 'Theme: dark', group: 'Window', keys: [] },
  keysMorphoscope: { label: 'Keys: Morphoscope’s own', group: 'Window', keys: [] },
  keysQuPath: { label: 'Keys: as in QuPath', group: 'Window', keys: [] },
  languageSystem: { label: 'Language: as the system has it', group: 'Window', keys: [] },
  languageEnglish: { label: 'Language: English', group: 'Window', keys: [] },
  languageGerman: { label: 'Language: Deutsch', group: 'Window', keys: [] },
  palette: { label: 'Find a command', group: 'Window', keys: ['$mod+k', '$mod+l'], whileTyping: true, asks: true },
  guide: { label: 'The guide: every tool, with pictures', group: 'Window', keys: ['F1'], asks: true },
  tour: { label: 'Tour: the first three steps', group: 'Window', keys: [] },
  licences: { label: 'Licences of what Morphoscope is made of', group: 'Window', keys: [], asks: true },
  help: { label: 'Keyboard shortcuts', group: 'Window', keys: ['?'] },
} as const satisfies Readonly<Record<string, CommandInfo>>

export type Command = keyof typeof table
export const commands: Readonly<Record<Command, CommandInfo>> = table

/** Of a command, where that set is chosen. */
export function chordsOf(command: Command, set: KeySet): readonly string[] {
  const { keys, quPathKeys } = commands[command]
  return set === 'qupath' ? (quPathKeys ?? keys) : keys
}
