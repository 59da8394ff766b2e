// The small pictures of what less and more of a value do: made on the sample slide by test/stress/effects.test.ts, with the values that they show.
import { effectNameOf } from '../../../app/contract'

const pictures = import.meta.glob('../../../assets/guide/effects/*.webp', { eager: true, query: '?url', import: 'default' })
const shownValues = import.meta.glob('../../../assets/guide/effects/effects.json', { eager: true, import: 'default' })

interface Shown {
  /** null: the picture has no such part, as it would look like the usual one's. */
  readonly less: number | null
  readonly more: number | null
}
const values = (Object.values(shownValues)[0] ?? {}) as Readonly<Record<string, Shown>>

export interface Effect extends Shown {
  readonly url: string
}

export function effectOf(spec: string, stage: string, key: string): Effect | null {
  const name = effectNameOf(spec, stage, key)
  const url = pictures[`../../../assets/guide/effects/${name}.webp`]
  const shown = values[name]
  return url !== undefined && shown ? { url, ...shown } : null
}
