// The recipe's panel: its values, undo, versions, files, and values that are taken from a slide.
import { noun } from '../../app/contract'
import { formatPercent } from '../arithmetic/format'

/** Where values are taken from. */
type Source = 'slide' | 'region'

const fromWhere = (source: Source): string => (source === 'slide' ? 'the slide' : 'the selected region')

export const recipe = {
  recipe: {
    none: 'No recipe',
    fewerSettings: 'Fewer settings',
    moreSettings: (n: number) => `${n} more ${noun(n, 'setting')}`,
    undo: (step: string) => `Undo: ${step}`,
    redo: (step: string) => `Redo: ${step}`,
    loadFile: 'Load a recipe file',
    saveFile: 'Save this recipe to a file',
    allDefaults: 'All defaults',
    resetMany: (n: number) => `Reset ${n}`,
    load: 'Load recipe',
    save: 'Save recipe',
    fileToWrite: 'File to write, on the server',
    fileToRead: 'Recipe file, on the server',
    fileExample: '/path/to/recipe.json',
    livePreview: 'Live preview of the visible field',
    unknownSpec: (name: string, spec: string) => `The recipe “${name}” is for “${spec}”, which this version does not have.`,
    loaded: (name: string) => `Recipe loaded: ${name}`,
    saved: (path: string) => `Recipe saved: ${path}`,
    fileDialog: 'File dialog',
    unknownParam: (name: string) => `“${name}” has no such parameter`,
  },
  param: {
    default: (value: string) => `${value} (default)`,
    effectAlt: (values: string) => `What it does to the sample’s nuclei: ${values}`,
    effect: (values: string) => `On the sample, from the left: ${values}`,
    range: (min: number, max: number, unit: string) => `${min} to ${max} ${unit}`,
    rangeAndDefault: (range: string, value: number | string) => `Range ${range}; default ${value}`,
    uncalibrated: 'This slide is uncalibrated: µm are read at the recipe’s nominal resolution.',
    reset: (label: string) => `Reset ${label}`,
    resetTip: 'Reset to the default',
    slider: (label: string) => `${label}, slider`,
  },
  /** What is wrong with a value. */
  problems: {
    onOrOff: (value: string) => `expected on or off but received ${value}`,
    oneOf: (choices: string, value: string) => `expected one of ${choices} but received ${value}`,
    number: 'expected a number',
    numberFrom: (min: number, max: number) => `expected a number from ${min} to ${max}`,
    outside: (min: number, max: number, value: number) => `expected ${min} to ${max} but received ${value}`,
    whole: (value: number) => `expected a whole number but received ${value}`,
    /** Without what was received. */
    short: (problem: string) => problem.replace(/ but received .*$/, ''),
  },
  numberField: {
    noNumber: (typed: string, kept: string) => `“${typed}” is no number: ${kept} is kept.`,
    replaced: (typed: string, reason: string, taken: string | number) =>
      `${typed} cannot be used (${reason}): ${taken} was taken.`,
    /** Of the problem that a step beyond it would be (`problems.outside`), by `problems.short`. */
    endOfRange: (problem: string) => `The end of the range: ${problem}.`,
    needed: (min: number, max: number) => `A number from ${min} to ${max} is needed.`,
    notNumber: 'That is not a number.',
    outside: (value: number, min: number, max: number) => `${value} is outside ${min} to ${max}.`,
    notWhole: (value: number) => `${value} is not a whole number.`,
  },
  /** Names of steps that can be undone. */
  steps: {
    classCuts: 'cut-offs of classes',
    membrane: 'membranes of cells',
    reset: (label: string) => `reset of ${label}`,
    resetAll: 'reset of all parameters',
    chooseRecipe: 'choice of the recipe',
    load: (name: string) => `loading of “${name}”`,
    movePoint: 'Move a point',
  },
  versions: {
    title: 'Versions of recipes',
    asSet: 'As it is set now',
    other: (labels: string) => `Other: ${labels}`,
    nameLabel: 'Name for the values that are set now',
    namePlaceholder: 'Name for these values',
    replace: 'Replace',
    delete: (name: string) => `Delete the version ${name}`,
    kept: (name: string) => `Kept as “${name}”.`,
    deleted: (name: string) => `“${name}” was deleted.`,
    about: 'Versions',
    /** Before and after the command that uses one. */
    noneYet: ['None yet. A version is found again here, in every window, and by ', '.'],
  },
  fromSlide: {
    from: (source: Source) => `From ${fromWhere(source)}:`,
    selectRegion: 'Select one region of interest first',
    otsu: 'Otsu',
    otsuHelp: 'The cut-off that separates the nuclei of a sample best by their mean stain (Otsu 1979), between OD 0.15 and 0.40',
    stains: {
      take: (source: Source) => `Take the stains from ${fromWhere(source)}`,
      title: (source: Source) => `Stains from ${fromWhere(source)}`,
      step: (source: Source) => `stains from ${source === 'slide' ? 'the slide' : 'the region'}`,
      untold: {
        slide: 'Its sample has too little stain, or one stain alone. The values stay as they are.',
        region:
          'It has too little stain, or one stain alone. Choose a larger region, with nuclei and the tissue around them. The values stay as they are.',
      },
    },
    limit: {
      take: (source: Source) => `Take the limit from ${fromWhere(source)}`,
      title: (source: Source) => `Limit from ${fromWhere(source)}`,
      step: (source: Source) => `limit from ${source === 'slide' ? 'the slide' : 'the region'}`,
      untold: {
        slide: 'Its sample has too few nuclei. The values stay as they are.',
        region: 'It has too few nuclei: choose a larger region. The values stay as they are.',
      },
      found: (above: string, limit: number, share: number, nuclei: number) =>
        `${above} above OD ${limit.toFixed(2)}: ${formatPercent(share)} of ${nuclei} ${noun(nuclei, 'nucleus', 'nuclei')} of a sample.`,
    },
  },
  recognition: {
    looksLike: (stain: string, percent: number) => `This looks like ${stain} (${percent} %)`,
    otherStain: (recipe: string) => `The chosen recipe, ${recipe}, is made for another stain.`,
    use: (recipe: string) => `Use ${recipe}`,
    darkSlide: (recipe: string) =>
      `This slide has a dark background, as fluorescence (DAPI) has. “${recipe}” looks for dark nuclei on bright glass, so it will find little or nothing here: choose Fluorescence nuclei above.`,
  },
}
