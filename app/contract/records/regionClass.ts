// A class of regions and of objects: the record, how many there can be, and those that a document starts with.
import * as z from '../zod'
import { text } from './primitives'

export const ClassId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
export const RegionClass = z.strictObject({
  id: ClassId,
  /** As QuPath has it: its parts with ": " between them. */
  name: text(200).min(1),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
})
export type RegionClass = z.infer<typeof RegionClass>
/** Of one document. */
export const mostClasses = 1000
export const RegionClasses = z.array(RegionClass).max(mostClasses)

/** What it starts with: tissue as pathologists name it, in colours that colour-blind people tell apart (Okabe and Ito). */
export const firstClasses: readonly RegionClass[] = [
  { id: 'tumour', name: 'Tumor', color: '#d55e00' },
  { id: 'stroma', name: 'Stroma', color: '#009e73' },
  { id: 'immune', name: 'Immune cells', color: '#cc79a7' },
  { id: 'necrosis', name: 'Necrosis', color: '#f0e442' },
  { id: 'other', name: 'Other', color: '#56b4e9' },
]
