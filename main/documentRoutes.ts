// Which module answers what pages ask of the document: how it stands, its regions, and what lies in them.
import type { Handlers } from './handlers'
import type { Parts } from './parts'
import { FurtherParts } from './project/furtherParts'
import { placedOf } from './project/placed'

type Asked = 'project:state' | 'project:regions' | 'project:more' | 'project:measure' | 'project:measureAll'

export function documentRoutes({ projects, slides, runs }: Parts): Pick<Handlers, Asked> {
  const further = new FurtherParts()
  const measure: Handlers['project:measure'] = async ({ runIds, chosen, key, ids }, signal) => {
    const asked = runIds.map((runId) => runs.get(runId))
    const { regionResults } = await import('./project/regionResults')
    return (await projects()).measured(key, regionResults(asked, chosen === undefined ? null : runs.get(chosen)), ids, signal)
  }
  return {
    'project:state': async ({ slideId, parts }) =>
      (await projects()).state(slideId === null ? null : slides.get(slideId), parts && further),
    'project:regions': async ({ ids }) => (await projects()).now(({ content }) => placedOf(content, ids)),
    'project:more': async ({ more, from }) => further.from(more, from),
    'project:measure': measure,
    'project:measureAll': async (asked, signal) => further.measures(await measure(asked, signal)),
  }
}
