// bands.csv: what lies in bands along the border of regions, a row for each band and class of objects.
import { bandsCsv } from '../../../app/contract'
import type { ExportJob } from '../exporter'
import type { OutputFile } from '../output/outputSet'

/** Without regions of the class it is a header alone, and the export says why. */
export async function writeBandsCsv({ bands, warnings, names }: ExportJob, out: OutputFile): Promise<void> {
  const { found, of } = bands ?? { found: { of: [], unit: 'um' as const }, of: null }
  if (found.of.length === 0)
    warnings.push(
      `bands.csv has no rows: the slide has no region ${of === null ? 'with a class' : `of the class ${of}`} that has an area.`,
    )
  await out.append(bandsCsv(found, names.shown))
}
