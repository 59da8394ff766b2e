// How an import or an export of regions goes: a notice that counts up, and ends the work where it is told to. Shown once it takes a moment.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { words } from '../../words'

/** Sooner, and of less, nobody can say how long the rest takes. */
const [leastMs, leastShare] = [1000, 0.02]

interface Words {
  readonly title: (about: string) => string
  readonly going: (percent: number, leftMs: number | null) => string
}

/** The work of one kind: of this page one at a time. */
class RegionNotice {
  readonly #kind: 'import' | 'export' | 'picture'
  readonly #words: Words
  #stop: (() => void) | null = null
  #about = ''
  #begun = 0

  constructor(kind: 'import' | 'export' | 'picture', said: Words) {
    this.#kind = kind
    this.#words = said
  }

  /** From now on facts about such work are about this one. Call what it gives when it is over. */
  begin(about: string, stop: () => void): () => void {
    this.#stop = stop
    this.#about = about
    this.#begun = performance.now()
    return () => {
      this.#stop = null
      notifications.hide(this.#id)
    }
  }

  progressed(fraction: number): void {
    // Another page's.
    if (!this.#stop) return
    const text = this.#words.going(Math.floor(100 * fraction), this.#leftOf(fraction))
    const notice = {
      id: this.#id,
      color: 'teal',
      title: this.#words.title(this.#about),
      message: <Progress kind={this.#kind} text={text} cancel={() => this.#stop?.()} />,
      loading: true,
      autoClose: false as const,
      withCloseButton: false,
      withBorder: true,
      'data-testid': `notice-${this.#id}`,
    }
    notifications.show(notice)
    notifications.update(notice)
  }

  get #id(): string {
    return `${this.#kind}ing`
  }

  /** null: nobody can say yet. */
  #leftOf(fraction: number): number | null {
    const passed = performance.now() - this.#begun
    return passed < leastMs || fraction < leastShare ? null : (passed * (1 - fraction)) / fraction
  }
}

export const importNotice = new RegionNotice('import', {
  title: words.regionFiles.importing,
  going: words.regionFiles.going,
})
export const exportNotice = new RegionNotice('export', {
  title: words.regionFiles.exporting,
  going: words.regionFiles.writing,
})

export const imagesNotice = new RegionNotice('picture', {
  title: words.regionImages.writing,
  going: words.regionFiles.writing,
})

interface Going {
  readonly kind: 'import' | 'export' | 'picture'
  readonly text: string
  readonly cancel: () => void
}
function Progress({ kind, text, cancel }: Going) {
  return (
    <>
      <span>{text}</span>
      <Button size="compact-xs" variant="light" mt={6} display="block" onClick={cancel} data-testid={`${kind}-cancel`}>
        {words.buttons.cancel}
      </Button>
    </>
  )
}
