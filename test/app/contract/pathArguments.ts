// An argument for each call that names a path, with all of its paths the same: a new call with paths does not compile without one.
import type { CallArg, CallWithPaths } from '../../../app/contract'

const recipe = { format: 'morphoscope-recipe', version: 1, spec: 'he-nuclei', name: 'a', params: {} } as const
const key = (n: number): string => String(n).repeat(32)

export const pathArguments: { [N in CallWithPaths]: (path: string) => CallArg<N> } = {
  'slide:open': (path) => ({ path }),
  'recipe:load': (path) => ({ path }),
  'recipe:save': (path) => ({ path, recipe }),
  'export:start': (directory) => ({ runId: 'r1-0a9f3c', directory, files: ['run.json'] }),
  'regions:images': (directory) => ({ slideId: 's1-0a9f3c', directory, form: 'png' }),
  'import:begin': (folder) => ({ slideId: 's1-0a9f3c', called: 'a.zarr', recipe, unsaid: 'objects', tail: '', length: 0, form: 'labels', folder }), // oxfmt-ignore
  'project:open': (path) => ({ path }),
  'project:save': (path) => ({ path }),
  'project:addFile': (path) => ({ path }),
  'cohort:run': (path) => ({ slides: [{ key: key(1), path }, { key: key(2), path }], recipe, again: false }), // oxfmt-ignore
  'settings:set': (exportDirectory) => ({ exportDirectory }),
  'start:forget': (path) => ({ path }),
  'files:list': (path) => ({ path }),
  'export:show': (path) => ({ path }),
  'export:open': (path) => ({ path }),
}
