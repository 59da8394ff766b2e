// Where the document lies: saved under a name, opened, begun anew. The system's dialog where the shell has one, else our own asks for a path.
import { api } from '../../api'
import { words } from '../../words'
import { keyNamed } from '../base/commandKeys'
import { tell, tellError } from '../base/notify'
import { refreshProject } from './documentActions'
import { ask } from '../base/questions'
import { getState, patch } from '../store'
import { contentsOf, isUnnamed } from './unnamedWords'

const suffix = '.morphoscope'

/** The folder that a person chose; null: dismissed, or there is no dialog (see `hasDialogs`). */
export const hasDialogs = (): boolean => getState().ui.app?.dialogs === true

export async function chooseFolder(title: string): Promise<string | null> {
  const result = await api().call('dialog:directory', { title })
  if (!result.ok) tellError(result.error, title)
  return result.ok ? result.value : null
}

/** In a folder that was chosen, under the slide's name; or as a whole path. */
export function pathFor(folder: string): string {
  if (folder.endsWith(suffix)) return folder
  const name = getState().slide.info?.name.replace(/\.[^.]+$/, '') ?? words.names.project
  return `${folder.replace(/[/\\]+$/, '')}/${name}${suffix}`
}

export async function saveProject(path: string): Promise<boolean> {
  const result = await api().call('project:save', { path: pathFor(path) })
  if (!result.ok) tellError(result.error, words.projectFiles.save)
  await refreshProject()
  return result.ok
}

/** Another document takes the place of the one that is open: where that has no name, it is said where it stays. */
async function leaveFor(call: () => ReturnType<ReturnType<typeof api>['call']>, title: string): Promise<boolean> {
  const { doc } = getState().project
  const result = await call()
  if (!result.ok) tellError(result.error, title)
  await refreshProject()
  if (result.ok && isUnnamed(doc) && getState().project.doc?.revision !== doc.revision)
    tell(words.projectFiles.unnamedKept(contentsOf(doc), keyNamed('start')), title, 8000)
  return result.ok
}

export const openProject = (path: string): Promise<boolean> =>
  leaveFor(() => api().call('project:open', { path }), words.buttons.openProject)
export const openUnnamed = (id: string): Promise<boolean> =>
  leaveFor(() => api().call('project:openUnnamed', { id }), words.buttons.openProject)

/** Asks first where the project that is open has no name: nothing else would bring it to mind again. */
export function newProject(): void {
  const { doc } = getState().project
  const begin = () => void leaveFor(() => api().call('project:new', undefined), words.buttons.newProject)
  if (!isUnnamed(doc)) return begin()
  ask({
    title: words.projectFiles.beginTitle,
    text: words.projectFiles.beginText(contentsOf(doc), keyNamed('start')),
    yes: words.buttons.newProject,
    no: words.projectFiles.goOnWithThis,
    other: { label: words.projectFiles.saveUnderName, act: askWhereToSave },
    act: begin,
  })
}

export function askWhereToSave(): void {
  if (!hasDialogs()) return patch('ui', { dialog: 'saveProject' })
  void chooseFolder(words.projectFiles.chooseToSave).then((path) => path !== null && void saveProject(path))
}

/** `open`: what is done with the folder. */
export function askWhichProject(open: (path: string) => Promise<unknown>): void {
  if (!hasDialogs()) return patch('ui', { dialog: 'openProject' })
  void chooseFolder(words.projectFiles.chooseToOpen).then((path) => path !== null && void open(path))
}
