// The start page, the tour, the first screen of the viewer, and what is said of files that are dropped on the window.
export const start = {
  start: {
    page: 'Start page',
    title: 'Start',
    sample: 'The sample slide',
    tour: 'Tour of three steps',
    back: 'Back to the slide',
    orDrop:
      'Or drop a slide on the window: SVS, TIFF, OME-TIFF, NDPI, MIRAX, Philips, Leica, DICOM, OME-Zarr, also PNG and JPEG.',
    noSlides: 'None yet.',
    noProjects: 'None yet. A project holds many slides with their regions and results.',
    unnamedNote: 'Kept on this computer as you work. Open one, and save it under a name to have it as a folder.',
    missing: 'Not found, or its disk does not answer',
    takeOff: (name: string) => `Take ${name} off this list`,
    openNow: 'Open now',
    deleteUnnamed: (title: string) => `Delete the project of ${title}`,
    deleteTitle: (title: string) => `Delete the project of ${title}?`,
    deleteText: (contents: string) =>
      `${contents}. It has no name, and is kept nowhere else: this cannot be undone. The slides themselves stay.`,
    noSlideFound: (key: string | undefined) =>
      `The project is open, but none of its slides can be found. Open one: ${key} adds it.`,
  },
  unnamed: {
    unknownDay: 'an unknown day',
    openElsewhere: 'Open in another window of Morphoscope, or not readable',
  },
  tour: {
    title: 'Tour',
    place: (step: number, of: number) => `${step} of ${of}`,
    end: 'End the tour',
    back: 'Back',
    done: 'Done',
    openText: 'Click here, or drop a file on the window. A slide is open already: the next two steps use it.',
    findTitle: 'Find the nuclei',
    findText:
      'Click a nucleus: it is outlined and measured. Or segment the field that you see ({segmentVisible}), or the whole slide ({segmentWhole}).',
    tuneTitle: 'Tune and export',
    tuneText: 'Drag a slider: the outlines follow at once. Then export outlines, tables and a report.',
  },
  welcome: {
    title: 'Open a whole-slide image',
    formats: 'SVS, tiled TIFF, OME-TIFF, NDPI, MIRAX, Philips, Leica, DICOM, OME-Zarr and more; also plain PNG, JPEG and TIFF.',
    orDrop: 'or drop a file here',
  },
  dropped: {
    about: 'Dropped',
    oneSlide: (first: string, others: string, many: boolean) =>
      `Only one slide can be open. “${first}” is opened, ${others} ${many ? 'are' : 'is'} not.`,
    addAll: (slides: number) => `Add all ${slides} to the project`,
    noPath: 'A browser does not tell where a dropped file lies. Choose it from the server’s folders instead.',
    damagedJson: 'This file is not a slide, and the JSON in it is damaged.',
    damagedRecipe: 'The recipe in this file is damaged.',
    neither: 'This file is neither a slide nor a recipe of Morphoscope.',
    tooLarge: 'This file is not a slide, and it is too large for a recipe.',
    holdsRecipe: (isRun: boolean, name: string) =>
      `This file is ${isRun ? 'the record of a run' : 'a recipe'}, not a slide. It holds the recipe “${name}”.`,
    loadIts: 'Load its recipe',
    loadThis: 'Load this recipe',
    mayBeRecipe: 'This file is not a slide. It may be a recipe, or the record of a run, which contains one.',
    loadRecipeIn: 'Load the recipe in it',
    outlines: 'This file holds outlines, not a slide. Open the slide that they belong to, and drop the file on it.',
    table:
      'This file is a table of objects, not a slide. Open the slide that they belong to, and drop the file on it: its points come in.',
  },
}
