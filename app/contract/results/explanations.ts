// Why a point is in an object or in none: what each stage shows there, what each rule said, and values that would change the answer.
import { ParamValue } from '../recipes'
import * as z from '../zod'

/**
 * What a rule asks. above, peak, mean: more than the value; minArea, contrast, level, ellipticity: at least; endArea, holeArea: less;
 * elongation: at most. The others have no number: marker: the component holds a marker; opened: an opening leaves the point; border: no line
 * that parts two objects runs there; excluded: no other rule takes it away; curved: the blurred image is a blob there; rival: no better node
 * is nested; tissue: there is tissue near.
 */
export const RuleKind = z.enum([
  'above',
  'peak',
  'mean',
  'minArea',
  'contrast',
  'level',
  'ellipticity',
  'endArea',
  'holeArea',
  'elongation',
  'marker',
  'opened',
  'border',
  'excluded',
  'curved',
  'rival',
  'tissue',
])
export type RuleKind = z.infer<typeof RuleKind>
export const Rule = z.object({
  stage: z.string(),
  param: z.string(),
  kind: RuleKind,
  /** In the parameter's own unit, as its slider shows it; null where the rule has no number. */
  measured: z.number().nullable(),
  limit: z.number().nullable(),
  kept: z.boolean(),
})
export type Rule = z.infer<typeof Rule>
/** With all of these the point is in an object: it was tried. */
export const Offer = z.object({ changes: z.array(z.object({ stage: z.string(), param: z.string(), value: ParamValue })).min(1) })
export type Offer = z.infer<typeof Offer>
export const Explanation = z.object({
  inside: z.boolean(),
  /** Nothing farther away than what was looked at, and nothing that could not be read, could change the answer. */
  certain: z.boolean(),
  /** What could not be read could: there, or in what the values that adapt to the slide come from. Absent: it could not. */
  unread: z.literal(true).optional(),
  /** Of the recipe's layers, in their order. */
  values: z.array(z.object({ layer: z.string(), value: z.number(), binary: z.boolean() })),
  /** In the order in which they were asked. */
  rules: z.array(Rule),
  /** The object, or what was judged last as a whole and dropped; rings of level-0 px points. Empty: the point alone was judged. */
  outline: z.array(z.array(z.tuple([z.number(), z.number()]))),
  /** The nearest values first; none where nobody asked, or none was found. */
  offers: z.array(Offer),
  elapsedMs: z.number(),
})
export type Explanation = z.infer<typeof Explanation>
