// The user's settings: what the program keeps and what this window shows of them stay the same.
import type { Result, Settings } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tellError } from './notify'
import { patch } from '../store'

/** The window goes by what was kept, not by what it held at its start. */
export async function saveSettings(change: Partial<Settings>): Promise<Result<Settings>> {
  const result = await api().call('settings:set', change)
  if (result.ok) patch('ui', { settings: result.value })
  return result
}

/** Whose keys the window goes by, from now on and in the next windows. */
export function chooseKeys(keys: Settings['keys']): void {
  void saveSettings({ keys }).then((result) => {
    if (!result.ok) tellError(result.error, words.names.keys)
  })
}
