// The user's settings: what the program keeps and what this window shows of them stay the same.
import type { Result, Settings } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { tellError } from './notify'
import { getState, patch } from '../store'

type Change = Partial<Settings> | ((kept: Settings | null) => Partial<Settings>)
let before: Promise<unknown> = Promise.resolve()

/**
 * The window goes by what was kept, not by what it held at its start. One after the other, as a change may stand on the one before it: `kept` is what
 * that has left.
 */
export function saveSettings(change: Change): Promise<Result<Settings>> {
  const saved = before.then(async () => {
    const result = await api().call('settings:set', typeof change === 'function' ? change(getState().ui.settings) : change)
    if (result.ok) patch('ui', { settings: result.value })
    return result
  })
  before = saved.catch(() => undefined)
  return saved
}

/** Whose keys the window goes by, from now on and in the next windows. */
export function chooseKeys(keys: Settings['keys']): void {
  void saveSettings({ keys }).then((result) => {
    if (!result.ok) tellError(result.error, words.names.keys)
  })
}
