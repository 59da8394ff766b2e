// What a result says: figures, classes and their cut-offs, the selected object, and why nothing was found.
import { cutWords, intervalText, noun } from '../../app/contract'
import { formatCount, formatDuration, formatMeasure } from '../arithmetic/format'

export const results = {
  figures: {
    title: 'Figures',
    objectsInPreview: (n: number) => `${noun(n, 'object')} in the `,
    objectsIn: (n: number, run: string) => `${noun(n, 'object')} in ${run}`,
    objectsAlone: (n: number) => noun(n, 'object'),
    hScoreTip: '1 × the share of 1+, 2 × that of 2+ and 3 × that of 3+, in percent: 0 to 300',
    allredTip: '0 to 5 for the share of positive cells, and 0 to 3 for their mean grade',
    allredParts: (share: number, grade: number) => `${share} for the share, ${grade} for the grade`,
    intervalTip:
      'In brackets the 95 % interval (Wilson): what counting so many cells leaves open. It knows nothing of missed cells.',
    classInterval: (share: readonly [number, number] | null) =>
      share ? `95 % interval (Wilson): ${intervalText(share)}` : undefined,
    density: 'Density',
    inTissue: 'In tissue',
    deletedByHand: 'Deleted by hand',
    inPlaceOf: (n: number) => ` in place of ${formatCount(n)}`,
    classByHand: 'Class given by hand',
    analysedAt: 'Analysed at',
    bits: (n: number) => `, ${n} bits`,
    uncalibrated: (scale: number) => `${scale.toFixed(2)} px, uncalibrated`,
    took: 'Took',
  },
  hotSpot: {
    title: 'Hot spot',
    tip: 'The circle of this size with the highest share of positive objects, of those with enough objects. In brackets the 95 % interval (Wilson).',
    fields: { diameterUm: 'Hot spot’s circle, µm across', leastObjects: 'Objects in the hot spot, at least' },
    of: (n: number) => `of ${formatCount(n)}`,
    circle: 'Circle',
    ofAtLeast: 'µm, from',
    noneShort: 'none',
    show: 'Go to the hot spot',
    keep: 'Keep it as a region',
    needsClasses: 'A hot spot needs a result whose objects are positive or negative, on a slide of known pixel size.',
    none: (field: { diameterUm: number; leastObjects: number } | undefined) =>
      `No circle${field ? ` of ${field.diameterUm} µm holds ${formatCount(field.leastObjects)} ${noun(field.leastObjects, 'object')}` : ' holds enough objects'}. Ask for a larger one, or for fewer objects.`,
  },
  warnings: {
    titleWith: (n: number) => `Warnings (${n})`,
    unreadableTiles: (n: number) =>
      `${formatCount(n)} ${noun(n, 'tile')} of the file could not be read. ${noun(n, 'It is', 'They are')} marked on the overlay and are not in the counts.`,
  },
  shares: {
    hScore: (score: number, basis: string) => `H-score ${score.toFixed(0)} (${basis})`,
    positive: (share: number, basis: string) => `${(100 * share).toFixed(1)} % positive (${basis})`,
    byHand: 'by hand',
    ofClass: (share: number, name: string) => `${(100 * share).toFixed(1)} % ${name.toLowerCase()}`,
    interval: intervalText,
    cuts: cutWords,
  },
  selected: {
    title: 'Selected object',
    none: (key: string) => `Click an object on the slide, or press ${key} for the one at the centre of the view.`,
    empty: 'No object at that point with these values.',
    atClick: 'Object at the click',
    foundIn: (ms: number) => `found in ${formatDuration(ms)}`,
    centroid: 'Centroid',
    scorePart: (measurement: string, value: string, part: number, full: number) =>
      `${measurement.toLowerCase()} ${value}, which gives ${Math.round(part)} (100 from ${full} on)`,
    score: (score: string, parts: string) => `Score ${score} of 100, the mean of: ${parts}.`,
    opticalDensity: 'Optical density',
    /** A line of what is copied: name, value, unit. */
    copiedClass: (label: string) => `Class\t${label}\t`,
    copiedStain: (name: string, isDensity: boolean, mean: number | null) =>
      `${name} ${isDensity ? 'OD ' : ''}mean\t${mean === null ? '' : formatMeasure(mean)}\t`,
    copiedChannel: (name: string, mean: number | null) => `${name} mean\t${mean ?? ''}\t`,
    classKey: (label: string) => `Class ${label}`,
    outlineMenu: 'Its outline: fill, grow, shrink',
    redraw: 'Redraw it with the brush',
    delete: 'Delete this object',
    addTo: (run: string) => `Add to ${run}`,
    centre: 'Centre on it',
    copied: 'Copied',
    copy: 'Copy the measurements',
    clear: 'Clear the selection',
    about: 'Click to segment',
  },
  click: {
    asRun: 'As a run with these values finds it.',
    alongEdge: (recipeToo: boolean) =>
      `Outlined along the strongest edge around the click: ${recipeToo ? 'the recipe outlines it otherwise' : 'the recipe finds nothing here'}.`,
    withValues: (values: string, recipeToo: boolean) =>
      `Found with ${values}: ${recipeToo ? 'the recipe outlines it otherwise' : 'the recipe finds nothing here'}.`,
    otherOutline: 'The other outline',
    recipes: 'The recipe’s',
    takeValues: 'Take these values',
  },
  classRule: {
    title: 'Positive share and H-score',
    byColumn: 'Classes by this column',
    byAnother: 'By another',
    byRecipe: 'By recipe',
    twoClasses: 'Negative, positive',
    fourClasses: '0, 1+, 2+, 3+',
    positiveShare: 'Ki-67 / positive share',
    scores: 'H-score, Allred',
    positiveAbove: 'Positive above',
    above: ['1+ above', '2+ above', '3+ above'],
    classesNow: (cuts: string) => `Classes now: ${cuts}`,
    limit: (name: string, unit: string) => `${name}, ${unit}`,
    value: 'value',
    alsoBy: 'Also by another column…',
    alsoAbove: (title: string) => `${title} above`,
    notBy: (title: string) => `No limit on ${title}`,
    hScore: (score: number) => `H-score ${score.toFixed(0)}`,
    fromThisResult:
      'These began at the median or the quartiles of this result, so they say nothing of another. An H-score needs the optical density of a stain.',
    needsDensity: 'An H-score needs the mean, minimum or maximum density of a stain.',
    thisResultOnly: 'These hold for this result. The recipe on the left has none on this column.',
    recipeToo: 'The recipe has these cut-offs too: the next run, and a saved recipe.',
    onAllSlides: 'Use them on all slides',
    membrane: 'Membrane (HER2-like)',
    membraneByHand:
      'These limits part the scores that the recipe gives: completeness and intensity, by its values under “Cells”.',
    membraneNext:
      'The recipe draws cells and scores their membranes now, and finds nuclei by hematoxylin alone; its limits stand under “Cells”. Segment to see them.',
    membraneRecipe: 'Choose the recipe “IHC nuclei” first: it scores membranes by their DAB.',
    noStain: 'This result has no stain of positive cells. Choose its column below, or run the recipe “IHC nuclei”.',
    chooseRecipe: 'Choose the recipe “IHC nuclei” first: it tells positive nuclei by their DAB.',
    recipeCounts:
      'The recipe counts these classes now; its cut-offs stand under “Positive and negative, H-score”. Segment to see them.',
  },
  noObjects: {
    allDeleted: (n: number) =>
      `${n === 1 ? 'The one object' : `All ${formatCount(n)} objects`} of this result ${n === 1 ? 'was' : 'were'} deleted by hand.`,
    undo: (key: string) => `${key} goes back, step by step.`,
    bringBack: 'Bring them back',
    lookAtStep: (step: string) => `Look at the step “${step}”`,
    unreadable: 'Nothing of this region could be read from the file, so nothing could be found: see the warnings.',
    darkSlide: (recipe: string) =>
      `Nothing was found: the background is dark, as in fluorescence (DAPI), and “${recipe}” looks for dark nuclei on bright glass. Choose the recipe Fluorescence nuclei.`,
    theRecipe: 'the recipe',
    why: (causes: readonly string[]) => `Nothing was found. ${causes.join('; ').replace(/^t/, 'T')}.`,
    glass: 'the region may be glass without tissue',
    otherStain: (recipe: string | undefined) => `the recipe may not suit the stain (now “${recipe ?? 'none'}”)`,
    strictThreshold: (threshold: string) => `its settings may be too strict (“${threshold}”, the smallest size)`,
    strict: 'its settings may be too strict',
    noPixelSize: 'the slide states no pixel size, so sizes in µm may be far off: set it',
  },
}
