// What one engine process holds, as its parent learns it from answers and events: open slides, and results that no export has saved.
import { basename } from 'node:path'
import { pathsOf, traitsOf } from '../../contract'
import type { AppEvent, CallName, Result } from '../../contract'

const projectSuffix = '.morphoscope'

/** The slide that a call opens; one that is only added is not open afterwards. */
const slideOf = (name: CallName, arg: unknown): string | undefined => pathsOf(name, arg).find(({ use }) => use === 'slide')?.path

export class Holdings {
  /** Paths by slide id; a slide that is being opened stands under its path. */
  readonly #slides = new Map<string, string>()
  readonly #unsaved = new Set<string>()
  readonly #saved = new Set<string>()
  #project: string | null = null

  /** The project that is being opened. */
  get project(): string | null {
    return this.#project
  }

  opening(project: string | null): void {
    this.#project = project
  }

  /** Paths of the slides that are open or being opened. */
  slides(): string[] {
    return [...new Set(this.#slides.values())]
  }

  /** " The slide a.svs was open.", " It was opening the project b.", or ''. Names without folders: messages are read by others. */
  sayOpen(): string {
    if (this.#project !== null) return ` It was opening the project ${basename(this.#project, projectSuffix)}.`
    const names = this.slides().map((path) => basename(path))
    if (names.length === 0) return ''
    return ` ${names.length > 1 ? 'The slides' : 'The slide'} ${names.join(', ')} ${names.length > 1 ? 'were' : 'was'} open.`
  }

  asked(name: CallName, arg: unknown): void {
    const slide = slideOf(name, arg)
    if (slide !== undefined) this.#slides.set(slide, slide)
  }

  answered(name: CallName, arg: unknown, result: Result<unknown>): void {
    const slide = slideOf(name, arg)
    if (slide !== undefined) {
      this.#slides.delete(slide)
      const { slideId: opened } = ((result.ok && result.value) || {}) as { slideId?: string }
      if (opened !== undefined) this.#slides.set(opened, slide)
    }
    if (!result.ok) return
    const { slideId, runId } = (arg ?? {}) as { slideId?: string; runId?: string }
    const { letsGo, saves } = traitsOf(name)
    if (letsGo === 'slide' && slideId !== undefined) this.#slides.delete(slideId)
    if (letsGo === 'run' && runId !== undefined) this.#unsaved.delete(runId)
    if (saves === 'run' && runId !== undefined && (result.value as { cancelled?: boolean } | null)?.cancelled === false) {
      this.#saved.add(runId)
      this.#unsaved.delete(runId)
    }
  }

  happened(event: AppEvent): void {
    if (event.type !== 'run:end' && event.type !== 'run:progress') return
    const { runId, purpose, state } = event.status
    if (purpose === 'run' && state !== 'failed' && !this.#saved.has(runId)) this.#unsaved.add(runId)
    else this.#unsaved.delete(runId)
  }

  /** Whether ending the process would lose a result or a run. `listed`: run:list's answer, which knows what was let go; null = none. */
  holdsMore(listed: unknown): boolean {
    if (!Array.isArray(listed)) return this.#unsaved.size > 0
    return listed.some((entry: { status?: { runId?: string; purpose?: string; state?: string } }) => {
      const { runId, purpose, state } = entry.status ?? {}
      return purpose === 'run' && state !== 'failed' && runId !== undefined && !this.#saved.has(runId)
    })
  }
}
