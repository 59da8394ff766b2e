// The native menu. Its items are commands that the renderer knows; the keys of the page itself stay with the page.
import { Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'

export interface MenuActions {
  command: (command: string) => void
}

export function createMenu({ command }: MenuActions): Menu {
  const item = (label: string, name: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => command(name),
    ...(accelerator ? { accelerator } : {}),
  })
  const mac = process.platform === 'darwin'
  return Menu.buildFromTemplate([
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        item('Open slide…', 'open', 'CmdOrCtrl+O'),
        item('Export…', 'export', 'CmdOrCtrl+E'),
        item('Slide information', 'info'),
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Segment',
      submenu: [
        item('Visible field', 'segmentVisible', 'CmdOrCtrl+Enter'),
        item('Rectangle…', 'rectangle'),
        item('Whole slide…', 'segmentWhole'),
        { type: 'separator' },
        item('Compute on…', 'device'),
        { type: 'separator' },
        item('Cancel', 'cancel', 'CmdOrCtrl+.'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('Show or hide the overlay', 'overlay'),
        item('Outlines or filled', 'style'),
        { type: 'separator' },
        item('Fit', 'fit', 'CmdOrCtrl+0'),
        item('One to one', 'actualSize', 'CmdOrCtrl+1'),
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'help', submenu: [item('Keyboard shortcuts', 'help')] },
  ])
}
