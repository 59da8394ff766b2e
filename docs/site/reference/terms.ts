// The glossary's table: one word for one thing. A test holds the pages and the window's texts against the words that are not used.

export interface Term {
  readonly word: string
  readonly text: string
  /** Other words for it, which no page and no text of the window uses; found as whole words, in small letters or capitals. */
  readonly not?: readonly string[]
  /** Words of our files and of the command line for it, which no page, no recipe and no text of the window uses. */
  readonly inFiles?: readonly string[]
  /** Words of other programs for it, which pages about these name. */
  readonly elsewhere?: string
}

export const terms: readonly Term[] = [
  {
    word: 'slide',
    text: 'A digitized glass slide: one file, or one folder of files, with all its levels and channels.',
    not: ['WSI', 'WSIs'],
    elsewhere: 'image (QuPath), whole-slide image',
  },
  {
    word: 'level',
    text: 'One size of the slide’s picture. Level 0 is the full resolution; coordinates are pixels of it.',
    elsewhere: 'series (Fiji)',
  },
  {
    word: 'pixel size',
    text: 'How many µm a pixel is wide and high. A slide that does not say it is uncalibrated until somebody sets it.',
    not: ['micron', 'microns', 'micrometer', 'micrometers'],
    elsewhere: 'resolution, MPP',
  },
  { word: 'channel', text: 'One picture of several that a slide holds, such as DAPI; or the grey image that a recipe works on.' },
  {
    word: 'stain',
    text: 'What colours tissue in brightfield, such as hematoxylin. Its optical density is computed from the colours.',
    not: ['haematoxylin'],
  },
  {
    word: 'optical density',
    text: 'How much light a stain takes: −log₁₀ of the share that passes. OD for short.',
    not: ['absorbance'],
  },
  { word: 'tissue', text: 'What the overview shows as different from glass. Recipes look only there unless told otherwise.' },
  {
    word: 'recipe',
    text: 'A list of steps with values. The bundled ones can be changed and kept under a name.',
    not: ['preset', 'presets', 'protocol'],
    elsewhere: 'detection command (QuPath), macro (Fiji), algorithm (HALO)',
  },
  {
    word: 'step',
    text: 'One part of a recipe, with its own image. Files and the command line call it stage, as in “--set stage.value=1”.',
    inFiles: ['stage', 'stages'],
  },
  { word: 'layer', text: 'What can be shown over the slide: a stain, the image of a step, a map.' },
  { word: 'mask', text: 'All pixels that may belong to a nucleus.' },
  {
    word: 'marker',
    text: 'A place in the mask that stands for one nucleus. The watershed grows each to an object.',
    elsewhere: 'seed',
  },
  {
    word: 'object',
    text: 'What a recipe finds, a file brings in, or a person draws: a nucleus as a rule.',
    not: ['blob', 'blobs'],
    elsewhere: 'detection (QuPath), ROI (Fiji)',
  },
  { word: 'nucleus', text: 'What most recipes look for. Its plural is nuclei.', not: ['nucleuses'] },
  { word: 'cell', text: 'A nucleus with its surroundings, up to a given distance. Cytoplasm and membrane are parts of it.' },
  { word: 'outline', text: 'The border of an object or a region.', not: ['contour', 'contours'] },
  {
    word: 'region',
    text: 'An area, a line or points that a person draws or a file brings in, with name and class.',
    not: ['ROI', 'ROIs'],
    elsewhere: 'annotation (QuPath, HALO), ROI (Fiji)',
  },
  {
    word: 'class',
    text: 'What an object or a region is taken for, such as positive, or Tumor.',
    not: ['phenotype', 'phenotypes'],
  },
  {
    word: 'cut-off',
    text: 'The value of a measurement at which one class ends and the next begins.',
    not: ['cutoff', 'cutoffs'],
    elsewhere: 'threshold (QuPath, HALO)',
  },
  { word: 'threshold', text: 'The value at which a recipe’s mask begins.' },
  {
    word: 'positive share',
    text: 'Positive objects / positive and negative objects: the Ki-67 index, for example.',
    not: ['positivity', 'labelling index', 'labeling index'],
  },
  { word: 'H-score', text: '1 × the percentage of 1+, 2 × that of 2+ and 3 × that of 3+: 0 to 300.', not: ['histoscore'] },
  { word: 'hot spot', text: 'The circle of a given size where the positive share is highest.', not: ['hotspot', 'hotspots'] },
  { word: 'score', text: 'Of an object: how much it looks like one whole nucleus, 0 to 100. It is no probability.' },
  { word: 'run', text: 'One computation of a recipe on a slide, or on a part of it.' },
  {
    word: 'result',
    text: 'What a run leaves: its objects with their measurements. It stays until it is deleted.',
    elsewhere: 'object hierarchy (QuPath)',
  },
  { word: 'preview', text: 'The visible field, computed while a value changes. It is not kept.' },
  { word: 'field', text: 'The part of the slide that the window shows.', not: ['viewport', 'FOV', 'field of view'] },
  { word: 'tile', text: 'A square that a run computes as one. Results do not depend on its size.' },
  { word: 'certain', text: 'Of a part of a result: no pixel outside of what was looked at could change it.' },
  { word: 'correction', text: 'What a person changes in a result: objects deleted, merged, split, drawn, classified.' },
  {
    word: 'project',
    text: 'Many slides with their regions, classes, corrections and results, in one folder.',
    elsewhere: 'study (HALO)',
  },
  { word: 'core', text: 'One disc of tissue of a tissue microarray (TMA).' },
  {
    word: 'label image',
    text: 'A picture whose pixels hold the number of their object, or 0.',
    not: ['label map', 'labelmap', 'instance mask'],
  },
  {
    word: 'pseudonym',
    text: 'A name made of the slide’s checksum, in place of its own.',
    not: ['anonymise', 'anonymize', 'anonymised', 'anonymized', 'anonymous'],
  },
  { word: 'shard', text: 'A part of a slide’s run, for one of several machines.' },
  { word: 'band', text: 'What lies between two distances from the border of regions.' },
]

/** What is spelled in two ways in the world is spelled in one here. */
export const spellings: Readonly<Record<string, string>> = {
  color: 'colour',
  colors: 'colours',
  center: 'centre',
  centers: 'centres',
  gray: 'grey',
  neighbor: 'neighbour',
  neighbors: 'neighbours',
  labeled: 'labelled',
  tumors: 'tumours',
  analyze: 'analyse',
  analyzed: 'analysed',
}
