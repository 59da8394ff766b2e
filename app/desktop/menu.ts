// Makes the native menu. Its items are commands that the renderer knows; the keys of the page itself stay with the page.
import { Menu } from 'electron'
import type { Command } from '../commands'
import { menuTemplate } from './menuTemplate'

export interface MenuActions {
  command: (command: Command) => void
}

export const createMenu = ({ command }: MenuActions): Menu =>
  Menu.buildFromTemplate(menuTemplate(command, process.platform === 'darwin'))
