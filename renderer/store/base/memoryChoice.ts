// What runs may hold of the machine's memory: the choices that a menu shows, and choosing one. It is kept in the settings.
import type { AppInfo, Settings } from '../../../app/contract'
import { words } from '../../words'
import { tellError } from './notify'
import { saveSettings } from './settingsActions'

export interface MemoryLine {
  readonly mib: number
  readonly label: string
  readonly detail: string
  readonly ticked: boolean
}
export interface MemoryMenu {
  readonly title: string
  readonly lines: readonly MemoryLine[]
}

/** 0: by what is free. Beyond the last there is no need of a limit. */
const offered = [0, 1024, 2048, 4096, 8192, 16_384]

/** A limit that was set elsewhere (settings.json holds any) is shown among the others. Pure. */
export function memoryMenu(settings: Pick<Settings, 'memoryMiB'> | null, app: Pick<AppInfo, 'shell'> | null): MemoryMenu {
  const chosen = settings?.memoryMiB ?? 0
  const all = [...new Set([...offered, chosen])].sort((a, b) => a - b)
  return {
    title: words.memory.title(app?.shell === 'serve'),
    lines: all.map((mib) => ({
      mib,
      label: mib === 0 ? words.memory.automatic : words.memory.upTo(Number((mib / 1024).toFixed(2))),
      detail: mib === 0 ? words.memory.automaticDetail : mib === 1024 ? words.memory.leastDetail : '',
      ticked: mib === chosen,
    })),
  }
}

/** From the next run on, and for the next starts of the program. */
export async function chooseMemory(mib: number): Promise<void> {
  const result = await saveSettings({ memoryMiB: mib })
  if (!result.ok) tellError(result.error, words.memory.about)
}
