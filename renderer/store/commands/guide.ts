// The guide's chapters with the keys of their commands, and the addresses of its pictures.
import type { Command } from '../../../app/commands'
import { chapters as ofGuide, labelOf } from '../../words/named'
import { keysOf, withKeys } from '../base/commandKeys'

const pictures = import.meta.glob('../../../assets/guide/*.webp', { eager: true, query: '?url', import: 'default' })

/** undefined: none was made of it. */
export const guidePicture = (id: string): string | undefined => pictures[`../../../assets/guide/${id}.webp`]

/** With the keys that are chosen now. */
export const chapters = () =>
  ofGuide.map((chapter) => ({
    ...chapter,
    words: chapter.words.map((text) => withKeys(text)),
    rows: chapter.commands.map((command: Command) => ({ command, label: labelOf(command), keys: keysOf(command) })),
  }))
