// The export of a result, and what came of it.
import { noun } from '../../app/contract'
import { formatCount, formatDuration } from '../arithmetic/format'

export const exporting = {
  exportDialog: {
    nothing: 'There is no result yet. Segment the visible field, a rectangle or the whole slide first.',
    which: 'Which result',
    files: {
      'objects.geojson': 'outlines for QuPath, level-0 pixels',
      'objects.parquet': 'outlines and measurements as columns, for Python, R and DuckDB',
      'objects.csv': 'one row an object, units in the header',
      'labels.ome.tif': 'label image, 32 bit, pyramid',
      'overlay.png': 'a picture of the result',
      'report.html': 'a page to read and print: pictures, figures, tables',
      'report.pdf': 'the same page, printed',
      'timings.csv': 'what each stage and algorithm took',
      'run.json': 'recipe, versions, device, timings',
    },
    /** After a run's name and size. */
    states: {
      done: '',
      cancelled: ' (cancelled: the part that was done)',
      failed: ' (failed: the part that was done)',
      queued: ' (queued)',
      running: ' (still running)',
      paused: ' (paused)',
    },
    run: (name: string, size: string, state: string) => `${name}, ${size}${state}`,
    onlyRun: (run: string, objects: number) => `${run}: ${formatCount(objects)} ${noun(objects, 'object')}.`,
    oneRun: (run: string, objects: number) => `${run}, ${formatCount(objects)} ${noun(objects, 'object')}`,
    folderOnServer: 'Folder on the server',
    chooseFolder: 'Choose a folder',
    folderExample: 'An absolute path, or ~/… for your home folder',
    choose: 'Choose…',
    byRegion: (files: readonly string[]) => `${files.join(' and ')} once more for each region`,
    byRegionNote: 'objects-REGION.csv, with its objects alone',
    ownFolder: 'In a new folder of its own',
    ownFolderNote: 'named SLIDE_RECIPE_DATE: nothing is overwritten',
    pseudonym: 'Replace the slide’s name by a pseudonym',
    pseudonymNote: 'in every file; remembered',
    nameSlide: 'Name the slide in the report',
    nameSlideNote: 'else it has a pseudonym there, too',
    coordinates: 'Coordinates for QuPath',
    coordinatesNote: 'they begin where QuPath crops this slide, not at its corner',
    simplify: 'Simplify outlines by up to, px (0 = exact)',
    cancelling: 'Cancelling…',
    writing: (file: string) => `Writing ${file}`,
    gathering: 'Looking through regions and objects',
    done: (percent: number, leftMs: number | null) =>
      `${percent} %${leftMs === null ? '' : `, ${formatDuration(leftMs)} left of it`}`,
    inTheWay: 'Files are there already',
    replace: (files: number) => (files > 1 ? `Replace these ${files} files` : 'Replace it'),
    cancelled: 'Cancelled: no file was written.',
    writtenTo: (folder: string) => `Written to ${folder}`,
  },
  exported: {
    writtenTo: (folder: string) => `Written to ${folder}.`,
    pathCopied: 'The report’s path is copied: open it with a browser on the computer where Morphoscope runs.',
    copyPath: 'Copy the report’s path',
    openReport: 'Open report',
    showInFolder: 'Show in folder',
    noAnswer: (seconds: number) =>
      `The engine has not answered the cancel for ${seconds} s: the folder may be on a drive that does not answer. A notice will say what came of it.`,
    chooseFolder: 'Export to',
    report: 'Report',
    pseudonym: 'Pseudonym',
  },
}
