// Objects per mm², by one definition wherever they are told: of the area that was looked at, and of the tissue in it.
import * as z from '../zod'

export const Densities = z.object({
  /** Objects per mm² of the area that was looked at; null: uncalibrated, or nothing was. */
  perMm2: z.number().nullable(),
  /** Objects per mm² of the tissue in it, as the Tissue layer shows it; null where that is not known, and of fluorescence. */
  perMm2Tissue: z.number().nullable(),
})
export type Densities = z.infer<typeof Densities>
/** What they are called wherever they are told. */
export const densityTitles = { perMm2: 'per mm² of area', perMm2Tissue: 'per mm² of tissue' } as const satisfies Record<
  keyof Densities,
  string
>

/** In mm²; null: not known. */
export interface Areas {
  readonly mm2: number | null
  readonly tissueMm2: number | null
}

const perMm2Of = (objects: number | null, mm2: number | null): number | null => (objects === null || !mm2 ? null : objects / mm2)

/** `objects` null: nothing was looked at. */
export const densitiesOf = (objects: number | null, { mm2, tissueMm2 }: Areas): Densities => ({
  perMm2: perMm2Of(objects, mm2),
  perMm2Tissue: perMm2Of(objects, tissueMm2),
})
