// Where the document lies: saved under a name, opened, begun anew. The system's dialog where the shell has one, else our own asks for a path.
import { api } from '../api'
import { tellError } from './notify'
import { refreshProject } from './projectActions'
import { getState } from './store'

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
  const name = getState().slide.info?.name.replace(/\.[^.]+$/, '') ?? 'Project'
  return `${folder.replace(/[/\\]+$/, '')}/${name}${suffix}`
}

async function done(call: 'project:save' | 'project:open', path: string, title: string): Promise<boolean> {
  const result = await api().call(call, { path })
  if (!result.ok) tellError(result.error, title)
  await refreshProject()
  return result.ok
}
export const saveProject = (path: string): Promise<boolean> => done('project:save', pathFor(path), 'Save the project')
export const openProject = (path: string): Promise<boolean> => done('project:open', path, 'Open a project')

export async function newProject(): Promise<void> {
  const result = await api().call('project:new', undefined)
  if (!result.ok) tellError(result.error, 'New project')
  await refreshProject()
}
