// What stands where in the native menu; names and keys of commands are those of app/commands.ts. Without a value of Electron, so that any Node can read it.
import type { MenuItemConstructorOptions } from 'electron'
import { commands, type Command } from '../commands'
import { labelOf, words } from './words'

/** Electron's way of writing a chord: "$mod+o" is CmdOrCtrl+O. */
function accelerator(chord: string): string {
  const parts = chord.split(/\b\+/)
  return parts.map((part) => (part === '$mod' ? 'CmdOrCtrl' : part.length === 1 ? part.toUpperCase() : part)).join('+')
}

/** A key without $mod stays with the page: as an accelerator it could not be typed any more. */
function keyOf(command: Command): string | undefined {
  const { keys, menuKey } = commands[command]
  return menuKey ?? keys.find((chord) => chord.startsWith('$mod+'))
}

/** The one item that is no command of the page's: it works without the page. */
export const loadPageItem = () => ({ id: 'loadPage', label: words().menu.loadPage, accelerator: 'CmdOrCtrl+R' })

export interface MenuOptions {
  run: (command: Command) => void
  loadPage: () => void
  mac: boolean
  /** Opens the list that Electron brings of its own parts; null: it is not there. */
  openElectronLicences: (() => void) | null
}

export function menuTemplate({ run, mac, loadPage, openElectronLicences }: MenuOptions): MenuItemConstructorOptions[] {
  const item = (command: Command): MenuItemConstructorOptions => {
    const { asks } = commands[command]
    const label = labelOf(command)
    const key = keyOf(command)
    return {
      id: command,
      label: asks ? `${label}…` : label,
      click: () => run(command),
      ...(key === undefined ? {} : { accelerator: accelerator(key) }),
    }
  }
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: words().menu.file,
      submenu: [
        item('start'),
        item('open'),
        item('info'),
        separator,
        item('newProject'),
        item('openProject'),
        item('saveProject'),
        item('addSlide'),
        item('addSlides'),
        item('summary'),
        separator,
        item('importRegions'),
        item('carrySection'),
        item('exportRegions'),
        item('exportRegionImages'),
        item('export'),
        separator,
        mac ? { role: 'close', label: words().menu.close } : { role: 'quit', label: words().menu.quit },
      ],
    },
    // Electron's own names of roles are English.
    {
      label: words().menu.edit,
      submenu: [
        { role: 'undo', label: words().menu.undo },
        { role: 'redo', label: words().menu.redo },
        separator,
        { role: 'cut', label: words().menu.cut },
        { role: 'copy', label: words().menu.copy },
        { role: 'paste', label: words().menu.paste },
        { role: 'delete', label: words().menu.delete },
        separator,
        { role: 'selectAll', label: words().menu.selectAll },
      ],
    },
    {
      label: words().menu.segment,
      submenu: [
        item('segmentVisible'),
        item('rectangle'),
        item('segmentWhole'),
        item('why'),
        separator,
        item('device'),
        separator,
        item('pause'),
        item('timeline'),
        item('compare'),
        item('cancel'),
      ],
    },
    {
      label: words().menu.view,
      submenu: [
        item('overlay'),
        item('style'),
        separator,
        item('fit'),
        item('actualSize'),
        item('magnification'),
        item('flip'),
        separator,
        item('tone'),
        item('grid'),
        item('second'),
        item('savePicture'),
        item('copyPicture'),
        separator,
        { label: words().menu.theme, submenu: [item('themeSystem'), item('themeLight'), item('themeDark')] },
        { label: words().menu.language, submenu: [item('languageSystem'), item('languageEnglish'), item('languageGerman')] },
        // The keys are heard before the page has them (offerToLoad.ts), as one that hangs hands nothing on.
        { ...loadPageItem(), click: loadPage, registerAccelerator: false },
        { role: 'togglefullscreen', label: words().menu.fullScreen },
        { role: 'toggleDevTools', label: words().menu.developerTools },
      ],
    },
    {
      role: 'help',
      label: words().menu.help,
      submenu: [
        item('guide'),
        item('palette'),
        item('help'),
        item('tour'),
        separator,
        item('licences'),
        ...(openElectronLicences === null
          ? []
          : [{ id: 'electronLicences', label: words().menu.electronLicences, click: openElectronLicences }]),
      ],
    },
  ]
}
