// What slides of the document are stained with, as far as their overviews tell: for lists that say where a recipe does not suit.
import type { Recognition } from '../../../app/contract'
import { recogniseSlide } from '../../slide/recognise'
import type { OpenSlide } from '../../slide/slides'
import type { Projects } from '../projects'

/** null: its overview does not tell, or cannot be read. That stops nothing. */
export const stainOf = (slide: OpenSlide): Promise<Recognition | null> => recogniseSlide(slide).catch(() => null)

async function note(projects: Projects, slide: OpenSlide, { stain, percent }: Recognition): Promise<void> {
  const key = await projects.keyOf(slide)
  await projects.note(key, { stain: { stain, percent } }, projects.document)
}

/** What a slide looks like, which a document that is open knows from now on where the slide is its own. Throws SLIDE_UNREADABLE. */
export async function recogniseAndNote(
  projects: Projects | undefined,
  slide: OpenSlide,
  signal?: AbortSignal,
): Promise<Recognition> {
  const seen = await recogniseSlide(slide, signal)
  if (projects) await note(projects, slide, seen)
  return seen
}

/** The same, where nobody waits for it: null where it cannot be told. */
export async function noteStain(projects: Projects, slide: OpenSlide): Promise<Recognition | null> {
  const seen = await stainOf(slide)
  if (seen) await note(projects, slide, seen)
  return seen
}

/** A slide is the document's, with what it is stained with. */
export async function addSlide(projects: Projects, slide: OpenSlide) {
  const added = await projects.addSlide(slide)
  await noteStain(projects, slide)
  return added
}
