// How an import of regions goes: a notice that counts up, and takes the import back where it is told to. Shown once it takes a moment.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { words } from '../../words'

const id = 'importing'
let cancel: (() => void) | null = null
let about = ''
let begun = 0
/** Sooner, and of less, nobody can say how long the rest takes. */
const [leastMs, leastShare] = [1000, 0.02]

/** From now on facts about an import are about this one. Call what it gives when it is over. */
export function importing(fileName: string, stop: () => void): () => void {
  cancel = stop
  about = fileName
  begun = performance.now()
  return () => {
    cancel = null
    notifications.hide(id)
  }
}

export function importProgressed(fraction: number): void {
  // Another page's.
  if (!cancel) return
  const notice = {
    id,
    color: 'teal',
    title: words.regionFiles.importing(about),
    message: <Progress percent={Math.floor(100 * fraction)} leftMs={leftOf(fraction)} />,
    loading: true,
    autoClose: false as const,
    withCloseButton: false,
    withBorder: true,
    'data-testid': 'notice-importing',
  }
  notifications.show(notice)
  notifications.update(notice)
}

/** null: nobody can say yet. */
function leftOf(fraction: number): number | null {
  const passed = performance.now() - begun
  return passed < leastMs || fraction < leastShare ? null : (passed * (1 - fraction)) / fraction
}

function Progress({ percent, leftMs }: { readonly percent: number; readonly leftMs: number | null }) {
  return (
    <>
      <span>{words.regionFiles.going(percent, leftMs)}</span>
      <Button size="compact-xs" variant="light" mt={6} display="block" onClick={() => cancel?.()} data-testid="import-cancel">
        {words.buttons.cancel}
      </Button>
    </>
  )
}
