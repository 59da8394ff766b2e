// Bands along the border of regions: how wide they are, and what lies in each.
import { positiveShareOf, shareIntervalOf, wilsonInterval } from '../classes/figures'
import { csvRows } from '../base/csvRows'
import * as z from '../zod'

/** Below 0 inside; in px of the slide where its pixel size is not known. */
const limit = z.number().min(-10_000).max(10_000)

export const BandsAsk = z.strictObject({
  of: z.string().min(1).max(200).nullable().describe('the class of regions, by its name; null: each that there is'),
  limitsUm: z
    .array(limit)
    .min(1)
    .max(32)
    .refine((limits) => limits.every((each, i) => i === 0 || each > limits[i - 1]!), 'limits that rise')
    .describe('where one band ends and the next begins, below 0 inside'),
})
export type BandsAsk = z.infer<typeof BandsAsk>
export const usualBands: BandsAsk = { of: null, limitsUm: [-100, -50, 0, 50, 100, 200] }

const ClassOf = z.object({ id: z.string(), label: z.string(), objects: z.number() })
/** From `from` on, up to but without `to`; null: as far as there is anything. */
export const Band = z.object({
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** Of what the run has looked at: mm², or 10⁶ px² where the pixel size is not known. */
  area: z.number(),
  /** How far it may be off. */
  areaError: z.number(),
  objects: z.number(),
  /** For each unit of the area; null: it is 0. */
  density: z.number().nullable(),
  /** Without those that the run has none of. */
  classes: z.array(ClassOf),
})
export type Band = z.infer<typeof Band>
export const BandsOfRun = z.object({
  unit: z.enum(['um', 'px']),
  /** Of each class that has regions with an area on the slide. */
  of: z.array(z.object({ id: z.string(), name: z.string(), bands: z.array(Band) })),
})
export type BandsOfRun = z.infer<typeof BandsOfRun>

/** "-100/-50/0" or with commas or spaces; null: it is none. */
export function bandLimits(text: string): number[] | null {
  const parts = text.trim().split(/\s*[/,;]\s*|\s+/)
  const limits = parts.map((part) => (/^[+−-]?(\d+\.?\d*|\.\d+)$/.test(part) ? Number(part.replace('−', '-')) : NaN))
  const checked = BandsAsk.shape.limitsUm.safeParse(limits)
  return checked.success ? checked.data : null
}

const cell = (value: number | null): number | string => (value === null ? '' : Number(value.toPrecision(7)))

/** bands.csv: of each band a row for all of its objects, with their positive share, then one for each class with its share of all that have one. */
export function bandsCsv({ unit, of }: BandsOfRun, slide: string): string {
  const [length, area] = unit === 'um' ? ['um', 'mm2'] : ['px', 'mpx']
  const header = ['slide', 'region_class', `from_${length}`, `to_${length}`, `area_${area}`, `area_error_${area}`, 'class', 'objects', `objects_per_${area}`, 'share', 'share_low', 'share_high', 'positive_share', 'positive_share_low', 'positive_share_high'] // oxfmt-ignore
  const rows = of.flatMap(({ name, bands }) =>
    bands.flatMap((band) => {
      const place = [slide, name, cell(band.from), cell(band.to), cell(band.area), cell(band.areaError)]
      return countsOf(band).map((counts) => [...place, ...counts])
    }),
  )
  return csvRows([header, ...rows])
}

function countsOf({ objects, density, area, classes }: Band): (number | string)[][] {
  const classed = classes.reduce((sum, each) => sum + each.objects, 0)
  const shares = (share: number | null, interval: readonly [number, number] | null) =>
    [share, interval?.[0] ?? null, interval?.[1] ?? null].map(cell)
  return [
    ['', objects, cell(density), '', '', '', ...shares(positiveShareOf(classes), shareIntervalOf(classes))],
    ...classes.map(({ id, objects: some }) => [
      ...[id, some, cell(area > 0 ? some / area : null)],
      ...shares(classed > 0 ? some / classed : null, wilsonInterval(some, classed)),
      ...['', '', ''],
    ]),
  ]
}
