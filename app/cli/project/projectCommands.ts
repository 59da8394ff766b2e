// The options of `morphoscope project …`; what its commands do is in project.ts, projectRun.ts and projectSummary.ts.
import { memorySize } from '../run/memorySize'
import { Option } from 'commander'
import type { Command } from 'commander'
import { imageForms, magnificationRange, pixelRange } from '../../contract'
import type { Origin } from '../../contract'
import { deviceName } from '../deviceName'
import type { ExitCode } from '../exitCodes'
import { withEngine } from '../installation'
import { channelOption, classByOption, collect, originOption, originOrCorner, placeOption, within } from '../optionValues'
import { densityMapOption, spatialOption, withMap } from '../spatialOption'
import type { DensityMapOption } from '../spatialOption'
import { laserOptions } from '../run/laser'
import { withShown } from './nameless'
import type { FileOptions } from './projectFiles'
import type { ImageOptions } from './projectImages'
import type { HotSpotsOptions } from './projectHotSpots'
import type { ImportObjectsOptions } from './projectObjects'
import type { ProjectRunOptions } from './projectRun'
import type { CarryOptions } from './projectSections'
import type { SummaryOptions } from './projectSummary'
import { shardOption } from '../workflow/workflowCommand'
import { withNames, withoutNames } from '../terminal'
import type { Shown, Terminal } from '../terminal'

const hidesNames =
  'pseudonyms in place of the slides’ names: in the files, as the folders’ names, and in what is shown; reads each slide through'

/** `project`: a folder NAME.morphoscope, without a window. */
export function projectCommands(command: Command, terminal: Terminal, signal: AbortSignal, end: (code: ExitCode) => void): void {
  const shownAs = ({ deidentify }: { deidentify?: boolean }): Shown => (deidentify ? withoutNames : withNames)(terminal)
  const laser = laserOptions()
  const project = command
    .command('project')
    .description('a project’s folder: what it holds, its regions in and out, a table by region')
  project
    .command('open')
    .description('what it holds')
    .argument('<folder>', 'NAME.morphoscope')
    .option('--json', 'as JSON')
    .action((folder: string, options: { json?: boolean }) =>
      withEngine(async (engine) => (await import('./project')).showProject(engine, terminal, folder, options)),
    )
  project
    .command('add')
    .description('add slides to it; a project that is not there is made')
    .argument('<folder>', 'NAME.morphoscope')
    .argument('<slides...>')
    .option('--mpp <um>', 'µm per level-0 px, in place of what the slides say', within(0.01, 100, false))
    .option(...channelOption)
    .action(async (folder: string, slides: string[], options: { mpp?: number; channel?: string }) => {
      end(await withEngine(async (engine) => (await import('./projectRun')).addSlides(engine, terminal, folder, slides, options)))
    })
  project
    .command('run')
    .description(
      'run a recipe on its slides, one after the other, and keep what it finds; Ctrl-C keeps what is done, and the same command goes on with the rest; Ctrl-Z pauses it (from elsewhere: kill -TSTP), fg goes on (kill -CONT)',
    )
    .argument('<folder>')
    .option('--recipe <name|file>', 'a bundled recipe or a recipe file (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .option('--only <text>', 'slides whose name has this; may be repeated', collect)
    .option(...channelOption)
    .option(...classByOption)
    .option('--again', 'also slides that were run with the same recipe and values before')
    .option('--carry', 'carry what was corrected on the run before over to the new one: deletions, classes by hand')
    .option('--threads <n>', 'CPU threads (default: all cores)', within(1, 1024, true))
    .option('--device <name>', 'what computes: cpu, gpu0, … (default: cpu)', deviceName)
    .option('--out <dir>', 'also write the files of each slide, into a folder of its own in it')
    .option('--files <names>', 'with --out: some of the files only, separated by commas')
    .option('--by-region', 'with --out: the tables also once for each region of interest, objects-REGION.csv')
    .option(...spatialOption)
    .option(...densityMapOption)
    .addOption(originOption(' in the files of objects, with --out'))
    .option('--overwrite', 'with --out: replace files that are there')
    .option(
      '--workflow <dir>',
      'run nothing here: write a folder from which a cluster runs these slides in shards; `project take` brings the results back',
    )
    .option(...shardOption)
    .option('--deidentify', hidesNames)
    .option('--json', 'what became of each slide, as JSON')
    .action(async (folder: string, options: ProjectRunOptions & DensityMapOption) => {
      const shown = shownAs(options)
      end(
        await withShown(shown, async (engine) =>
          (await import('./projectRun')).runProject(engine, shown, folder, withMap(options), signal),
        ),
      )
    })
  project
    .command('take')
    .description('take what a cluster has computed of a workflow’s slides as results; a project that is not there is made')
    .argument('<folder>')
    .argument('<workflow>', 'the folder that `workflow` or `project run --workflow` wrote')
    .option('--deidentify', hidesNames)
    .action(async (folder: string, workflow: string, options: { deidentify?: boolean }) => {
      const shown = shownAs(options)
      end(await withShown(shown, async (engine) => (await import('./projectTake')).takeWorkflow(engine, shown, folder, workflow)))
    })
  project
    .command('import')
    .description('take annotations of QuPath’s GeoJSON as regions of a slide; a project that is not there is made')
    .argument('<folder>')
    .argument('<files...>')
    .requiredOption('--slide <slide>', 'the slide that they were drawn on')
    .addOption(originOption(' if a file does not say so'))
    .action((folder: string, files: string[], options: { slide: string; origin?: Origin }) =>
      withEngine(async (engine) => (await import('./project')).importRegions(engine, terminal, folder, files, options)),
    )
  project
    .command('import-objects')
    .description(
      'take what QuPath, StarDist and Cellpose found as a result of a slide, measured anew: detections, cells and tiles of GeoJSON, the labels of a label image, points of a table. Annotations become regions. A project that is not there is made',
    )
    .argument('<folder>')
    .argument(
      '<files...>',
      'GeoJSON, also one feature a line, also packed by gzip; or label images: TIFF, OME-TIFF, PNG, .npy, a folder of OME-Zarr; or points: .csv, .tsv, .parquet',
    )
    .requiredOption('--slide <slide>', 'the slide that they were found on')
    .option('--recipe <name|file>', 'at whose pixel size, and in whose stains, objects are measured (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .option('--mpp <um>', 'µm per level-0 px, in place of what the slide says', within(0.01, 100, false))
    .option('--origin <where>', placeOption.origin, originOrCorner)
    .option('--scale <s>', placeOption.scale, within(0.01, 1000, false))
    .option(
      '--radius <um>',
      'of discs around points, µm (default: by the column of radii or diameters, else 4)',
      within(0.01, 1000, false),
    )
    .option('--memory <size>', 'what the program may hold, e.g. 2G or 900M (default: six tenths of what is free)', memorySize)
    .action((folder: string, files: string[], options: ImportObjectsOptions) =>
      withEngine(async (engine) =>
        (await import('./projectObjects')).importObjects(engine, terminal, folder, files, options, signal),
      ),
    )
  project
    .command('carry')
    .description(
      'lay one section’s slide on the next one’s, by their tissue or by places that are marked on both, and carry regions and objects over',
    )
    .argument('<folder>')
    .requiredOption('--from <slide>', 'what is carried lies on it')
    .requiredOption('--to <slide>', 'where it comes to lie')
    .addOption(
      new Option('--by <how>', 'tissue: by its outlines; points: by points of one name on both, in the same order')
        .choices(['tissue', 'points'])
        .default('tissue'),
    )
    .option('--pairs <file>', 'in place of --by: three or more lines x,y,x,y, px of the one slide and of the other')
    .addOption(
      new Option('--what <what>', 'what is carried; nothing: only say how they lie')
        .choices(['regions', 'objects', 'both', 'nothing'])
        .default('regions'),
    )
    .option('--recipe <name|file>', 'by which carried objects are measured (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .option('--json', 'as JSON')
    .action((folder: string, options: CarryOptions) =>
      withEngine(async (engine) => (await import('./projectSections')).carry(engine, terminal, folder, options, signal)),
    )
  project
    .command('export')
    .description('write each slide’s regions as QuPath’s GeoJSON; with --files the objects of its newest run too')
    .argument('<folder>')
    .requiredOption('--out <dir>', 'folder for the files')
    .option('--files <names>', 'of each slide’s newest run of the whole slide, separated by commas: a folder a slide')
    .option('--by-region', 'with --files: the tables also once for each region of interest, objects-REGION.csv')
    .option(...spatialOption)
    .option(...densityMapOption)
    .addOption(originOption('; the files say so'))
    .option('--overwrite', 'replace files that are there')
    .option('--deidentify', hidesNames)
    .action(async (folder: string, options: FileOptions & DensityMapOption) => {
      const shown = shownAs(options)
      end(
        await withShown(shown, async (engine) => (await import('./project')).exportAll(engine, shown, folder, withMap(options))),
      )
    })
  project
    .command('objects')
    .description('write the objects of each run that it holds, as they are after deletions and classes by hand')
    .argument('<folder>')
    .requiredOption('--out <dir>', 'a folder for each run is made in it')
    .option('--files <names>', 'some of the files only, separated by commas')
    .option('--by-region', 'the tables also once for each region of interest, objects-REGION.csv')
    .option(...spatialOption)
    .option(...densityMapOption)
    .addOption(originOption('; the files say so'))
    .addOption(laser.marks)
    .addOption(laser.stage)
    .addOption(laser.filter)
    .addOption(laser.region)
    .addOption(laser.tolerance)
    .addOption(laser.cells)
    .addOption(laser.wells)
    .option('--overwrite', 'replace files that are there')
    .option('--deidentify', hidesNames)
    .action(async (folder: string, options: FileOptions & DensityMapOption) => {
      const shown = shownAs(options)
      end(
        await withShown(shown, async (engine) =>
          (await import('./projectFiles')).exportObjects(engine, shown, folder, withMap(options)),
        ),
      )
    })
  project
    .command('region-images')
    .description('write a picture of each region with an area, or of each core: region-TITLE.png, in a folder for each slide')
    .argument('<folder>')
    .requiredOption('--out <dir>', 'a folder for each slide is made in it')
    .addOption(new Option('--form <form>', 'what is written').choices(imageForms).default('png'))
    .option(
      '--um <um>',
      'µm per pixel of the pictures (default: the slide’s own pixels)',
      within(pixelRange.min, pixelRange.max, false),
    )
    .option(
      '--magnification <x>',
      'the same by the objective’s power: 10 is 10×',
      within(magnificationRange.min, magnificationRange.max, false),
    )
    .option('--outlines', 'paint the outlines of the objects of each slide’s newest result')
    .option('--border', 'paint each region’s border')
    .option('--cores', 'cores of tissue microarrays alone')
    .option('--class <name>', 'regions of this class alone')
    .option('--overwrite', 'replace files that are there')
    .option('--deidentify', hidesNames)
    .action(async (folder: string, options: ImageOptions) => {
      const shown = shownAs(options)
      end(
        await withShown(shown, async (engine) =>
          (await import('./projectImages')).regionImages(engine, shown, folder, options, signal),
        ),
      )
    })
  project
    .command('hot-spots')
    .description('make regions where the map of density of each slide’s newest run is high: Hot spot 1, Hot spot 2 …')
    .argument('<folder>')
    .option('--only <text>', 'slides whose name has this; may be repeated', collect)
    .option(...densityMapOption)
    .addOption(new Option('--at-least <value>', 'per mm², or a share from 0 to 1').argParser(within(0, 1e9, false)))
    .addOption(
      new Option('--percentile <n>', 'above which so many of a hundred places of the map are left out (default: 95)')
        .argParser(within(0, 100, false))
        .conflicts('atLeast'),
    )
    .option('--least-area <mm2>', 'smaller places are left out (default: 0.01)', within(0, 1e6, false))
    .action(async (folder: string, options: HotSpotsOptions) =>
      end(
        await withEngine(async (engine) =>
          (await import('./projectHotSpots')).hotSpots(engine, terminal, folder, options, signal),
        ),
      ),
    )
  project
    .command('summary')
    .description('one table over its slides and their regions: state, area, objects, density, positive share, H-score')
    .argument('<folder>')
    .option('--recipe <name|file>', 'run it inside each region now, in place of what is kept')
    .option('--threads <n>', 'CPU threads (default: all cores)', within(1, 1024, true))
    .addOption(
      new Option(
        '--result <which>',
        'which results the figures come from: own (those of recipes; on a slide without any, imports), imported, newest, or a result’s name (default: own)',
      ).conflicts('recipe'),
    )
    .addOption(new Option('--json', 'as JSON').conflicts('csv'))
    .option('--csv', 'as CSV')
    .option('--by-class', 'regions of each class added up, over all slides and for each: area, objects, density, share, H-score')
    .addOption(new Option('--by-core', 'cores of tissue microarrays alone, with their cases').conflicts('byClass'))
    .option('--deidentify', 'pseudonyms in place of the slides’ names, those that their exports have; reads each slide through')
    .action(async (folder: string, options: SummaryOptions) => {
      const shown = shownAs(options)
      end(
        await withShown(shown, async (engine) =>
          (await import('./projectSummary')).summary(engine, shown, folder, options, signal),
        ),
      )
    })
}
