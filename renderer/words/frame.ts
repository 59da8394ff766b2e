// The frame of the window: the top bar and its menus, the bar at the bottom, the palette, the list of keys, and licences.
import { formatCount, formatPercent } from '../arithmetic/format'

export const frame = {
  header: {
    openMenu: 'Recent slides and projects',
    noneYet: 'None yet',
    clearList: 'Clear this list',
    noSlide: 'No slide',
    openingAnother: 'Opening another…',
    overlay: 'Overlay',
    hideOverlay: 'Hide the overlay',
    showOverlay: 'Show the overlay',
    overlayStyle: 'Overlay style',
    outlines: 'Outlines',
    filled: 'Filled',
    recipePanel: 'Recipe panel',
    resultsPanel: 'Results panel',
  },
  panelEdge: {
    recipe: 'Width of the recipe panel',
    results: 'Width of the results panel',
    tip: 'Drag to change the width; double-click for the usual one',
  },
  look: {
    title: 'How objects, layers and the window are drawn',
    colourBy: 'Colour objects by',
    byClass: 'Class, or one colour',
    outlineColour: 'Outline colour',
    colours: 'Colours',
    outlineWidth: 'Outline width',
    fill: 'Fill',
    opacity: 'Opacity of filled objects',
    layerColours: 'Colours of layers',
    window: 'Window',
    theme: 'Theme of the window',
    themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  },
  language: {
    title: 'Language',
    /** Each in its own. */
    choices: { system: 'As the system', en: 'English', de: 'Deutsch' },
    later:
      'The window changes its language when it is loaded again (F5). What you are drawing or exporting now would be lost with that.',
  },
  layers: {
    steps: 'Steps of the recipe',
  },
  status: {
    title: 'Status',
    cursorOutside: 'Cursor outside the slide',
    cursorPx: (x: number, y: number) => `${formatCount(Math.floor(x))}, ${formatCount(Math.floor(y))} px`,
    uncalibrated: 'Uncalibrated: set µm/px',
    tour: 'New here? A tour of three steps',
    noTour: 'No tour',
    engine: {
      offline: 'Engine offline',
      connecting: 'Engine connecting',
      starting: 'Engine starting',
      missing: 'Engine not started: what to do',
      stopped: 'Engine stopped: what to do',
      restarted: 'Engine restarted',
      computing: 'Engine computing',
      ready: 'Engine ready',
    },
  },
  magnification: {
    title: 'Magnification',
    tip: 'Magnification on screen, as an objective would give it',
    other: 'Other magnification',
    go: 'Go',
    fullResolution: '1:1, full resolution',
    wholeSlide: 'The whole slide',
  },
  cutHistogram: {
    share: (fraction: number) => `${formatPercent(fraction)} of the field is above`,
    unread: (fraction: number) => `${formatPercent(fraction)} of it stands on parts that could not be read`,
    title: (share: string) => `Histogram: ${share}`,
  },
  palette: {
    title: 'Find a command',
    placeholder: 'What do you want to do?',
    commands: 'Commands',
    nothing: 'No command of that name.',
    recipe: (name: string) => `Recipe: ${name}`,
    value: (stage: string, name: string) => `${stage}: ${name}`,
    /** Other words that people look for the stains' vectors by. */
    wordsForStains: 'stain vectors color colour deconvolution',
  },
  help: {
    title: 'Keyboard and mouse',
    guide: 'The guide: every tool, with pictures',
    mouse: 'Mouse',
    mouseUses: [
      ['Click', 'Select the object under the pointer'],
      ['Drag', 'Pan'],
      ['Wheel', 'Zoom at the pointer'],
    ],
    /** What a button with a question mark is called. */
    about: (label: string, help: string) => `Help: ${label}. ${help}`,
  },
  guide: {
    title: 'Guide',
    chapters: 'Chapters',
  },
  licences: {
    intro: (version: string, parts: number) =>
      `Morphoscope ${version} is free software under the Apache License 2.0. It contains ${parts} parts that others made. The desktop app also contains Chromium: its licences are in the Help menu.`,
    of: (name: string) => `Licence of ${name}`,
    find: 'Find a part',
    placeholder: 'Name or licence',
    unreadable: (failure: string) =>
      `The list of licences could not be read (${failure}). Install Morphoscope again, or run npm start once more if you built it yourself.`,
    notStated: 'licence not stated',
  },
  drop: {
    toOpen: 'Drop to open',
  },
}
