// What a window begins with: slides and projects of lately, and documents without a name.
import type { Handlers } from './handlers'
import type { Parts } from './parts'

type StartCall = 'recent:list' | 'recent:clear' | 'start:list' | 'start:forget'

export function startRoutes({ settings, recents, slidePictures, projects }: Parts): Pick<Handlers, StartCall> {
  return {
    'recent:list': async () => settings.recent(),
    'recent:clear': async () => {
      await settings.clearRecent()
      await (await recents()).tidy()
      await (await slidePictures()).clear()
      return null
    },
    'start:list': async () => {
      const { unnamedProjects } = await import('./project/unnamed')
      const [items, unnamed] = await Promise.all([(await recents()).items(), (await projects()).now(unnamedProjects)])
      return { ...items, unnamed }
    },
    'start:forget': async ({ path }) => {
      await (await recents()).forget(path)
      return null
    },
  }
}
