// What a list calls a slide's runs: the second of a name gets a number.
import type { RunRequest } from '../../app/contract'

export class RunNames {
  /** How many runs of a name a slide has had. */
  private readonly counts = new Map<string, number>()

  next({ name: asked, purpose, region }: RunRequest, slideId: string): string {
    if (purpose === 'preview') return asked ?? 'Preview'
    const name = asked ?? (region === 'whole' ? 'Whole slide' : 'Region')
    const key = `${slideId}/${name}`
    const count = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, count)
    return count > 1 ? `${name} ${count}` : name
  }

  forget(slideId: string): void {
    for (const key of [...this.counts.keys()]) if (key.startsWith(`${slideId}/`)) this.counts.delete(key)
  }
}
