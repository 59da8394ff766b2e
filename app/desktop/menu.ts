// Makes the native menu. Its items are commands that the renderer knows; the keys of the page itself stay with the page.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Menu, shell } from 'electron'
import type { Command } from '../commands'
import { menuTemplate } from './menuTemplate'

export interface MenuActions {
  command: (command: Command) => void
  /** Without the page, which may hang or be empty. */
  loadPage: () => void
}

/** Electron puts it beside its program; in a Mac's package it may be among the resources. */
const electronLicences = (): string | null =>
  [dirname(process.execPath), process.resourcesPath]
    .map((folder) => join(folder, 'LICENSES.chromium.html'))
    .find((path) => existsSync(path)) ?? null

export function createMenu({ command, loadPage }: MenuActions): Menu {
  const path = electronLicences()
  return Menu.buildFromTemplate(
    menuTemplate({
      run: command,
      loadPage,
      mac: process.platform === 'darwin',
      // The system's browser shows it: the window shows our own page alone.
      openElectronLicences: path === null ? null : () => void shell.openPath(path),
    }),
  )
}
