// The system's file dialogs, as the calls that a shell answers itself.
import { dialog } from 'electron'
import type { BrowserWindow, FileFilter, OpenDialogOptions } from 'electron'
import { basename } from 'node:path'
import type { CallArg } from '../contract'
import { words } from './words'

const slideFilters = (): FileFilter[] => [
  {
    name: words().dialogs.slides,
    extensions: ['svs', 'tif', 'tiff', 'ndpi', 'vms', 'vmu', 'scn', 'mrxs', 'svslide', 'bif', 'dcm', 'czi', 'png', 'jpg', 'jpeg'],
  },
  { name: words().dialogs.zarr, extensions: ['json', 'zattrs'] },
  { name: words().dialogs.allFiles, extensions: ['*'] },
]
// An OME-Zarr is a folder. Only macOS has a dialog for files and folders: elsewhere a file in it is chosen.
const aSlide: ('openFile' | 'openDirectory')[] = process.platform === 'darwin' ? ['openFile', 'openDirectory'] : ['openFile']
const recipeFilters = (): FileFilter[] => [{ name: words().dialogs.recipe, extensions: ['json'] }]

export async function chooseSlide(window: BrowserWindow): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, {
    title: words().dialogs.openSlide,
    properties: aSlide,
    filters: slideFilters(),
  })
  return chosen.filePaths[0] ?? null
}

/** Several at once. */
export async function chooseSlides(window: BrowserWindow): Promise<string[]> {
  const properties: OpenDialogOptions['properties'] = [...aSlide, 'multiSelections']
  return (await dialog.showOpenDialog(window, { title: words().dialogs.addSlides, properties, filters: slideFilters() }))
    .filePaths
}

export async function chooseDirectory(window: BrowserWindow, { title }: CallArg<'dialog:directory'>): Promise<string | null> {
  const chosen = await dialog.showOpenDialog(window, { title, properties: ['openDirectory', 'createDirectory'] })
  return chosen.filePaths[0] ?? null
}

export async function chooseRecipe(window: BrowserWindow, { mode }: CallArg<'dialog:recipe'>): Promise<string | null> {
  if (mode === 'open') {
    const chosen = await dialog.showOpenDialog(window, {
      title: words().dialogs.openRecipe,
      properties: ['openFile'],
      filters: recipeFilters(),
    })
    return chosen.filePaths[0] ?? null
  }
  const chosen = await dialog.showSaveDialog(window, {
    title: words().dialogs.saveRecipe,
    defaultPath: 'recipe.json',
    filters: recipeFilters(),
  })
  if (chosen.canceled || chosen.filePath === '') return null
  // GTK's dialog does not add the ending by itself.
  return basename(chosen.filePath).includes('.') ? chosen.filePath : `${chosen.filePath}.json`
}
