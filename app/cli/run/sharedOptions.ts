// Options that several commands about one run take alike: what decides its objects, and what is made of them.
import { Option } from 'commander'
import type { Command } from 'commander'
import { channelOption, classByOption, collect, hotSpotOption, originOption, within } from '../optionValues'
import { densityMapOption, spatialOption } from '../spatialOption'
import { laserOptions } from './laser'

/** Of `run` and `prepare`. */
export const addRecipeOptions = (command: Command): Command =>
  command
    .option('--recipe <name|file>', 'a bundled recipe, a recipe file, or a version kept under that name (default: he-nuclei)')
    .option('--set <stage.param=value>', 'changes one value of the recipe; may be repeated', collect)
    .addOption(
      new Option(
        '--stains <how>',
        'take the stains from the slide, before --set: by Macenko 2009, or as the middle of 36 parts of its sample. The values are said, and in run.json',
      ).choices(['macenko', 'parts']),
    )
    .option('--stains-region <x,y,w,h>', 'with --stains: from this part of the slide alone, level-0 px')
    .addOption(
      new Option(
        '--class-limit <how>',
        "take the limit between positive and negative from the slide's own nuclei: Otsu's level of those in its sample. It is said, and in run.json",
      ).choices(['otsu']),
    )
    .option('--class-limit-region <x,y,w,h>', 'with --class-limit: from this part of the slide alone, level-0 px')
    .option('--region <x,y,w,h>', 'level-0 px (default: the whole slide)')
    .option('--mpp <um>', 'µm per level-0 px, in place of what the slide says', within(0.01, 100, false))
    .option(...channelOption)

/** Of `run` and `merge`. */
export function addResultOptions(command: Command): Command {
  const laser = laserOptions()
  return command
    .option(...classByOption)
    .option(...hotSpotOption)
    .option(...spatialOption)
    .option(...densityMapOption)
    .option(
      '--files <names>',
      'some of the files only, separated by commas; objects.parquet, objects.h5ad, report.html and timings.csv are written where they are named',
    )
    .option('--simplify <px>', 'tolerance of the outlines, level-0 px (default: exact)', within(0, 100, false))
    .addOption(originOption(' in the files of objects'))
    .addOption(laser.marks)
    .addOption(laser.stage)
    .addOption(laser.filter)
    .addOption(laser.tolerance)
    .addOption(laser.cells)
    .addOption(laser.wells)
    .option(
      '--verify <x,y,w,h|n>',
      'when the run is done, compute this region (level-0 px), or n random ones, in one window on the CPU, and compare every object. May be repeated',
      collect,
    )
}
