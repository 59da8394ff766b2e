// The licences of all that is bundled, as app/setup/notices writes them for the window and the command line.
import * as z from './zod'

export const LicensedPart = z.object({
  name: z.string(),
  /** '': its files do not say. */
  version: z.string(),
  /** An SPDX id or expression. */
  license: z.string().nullable(),
  /** Where it is in the program: 'the window', 'libvips'. */
  within: z.array(z.string()),
  /** Places in `texts`. */
  texts: z.array(z.number().int().nonnegative()),
})
export type LicensedPart = z.infer<typeof LicensedPart>

export const Licences = z.object({
  program: LicensedPart.omit({ within: true }),
  components: z.array(LicensedPart),
  texts: z.array(z.string()),
})
export type Licences = z.infer<typeof Licences>

/** Below the page's own address. */
export const licencesFile = 'licences.json'

/** What a part's licence says, its texts one after the other. */
export const licenceText = ({ texts }: Licences, part: { readonly texts: readonly number[] }): string =>
  part.texts.map((at) => texts[at] ?? '').join(`\n\n${'-'.repeat(72)}\n\n`)

/** Parts whose name, licence or place has every word. */
export function partsWith({ components }: Licences, query: string): LicensedPart[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return components.filter((part) => {
    const said = [part.name, part.version, part.license ?? '', ...part.within].join(' ').toLowerCase()
    return words.every((word) => said.includes(word))
  })
}
