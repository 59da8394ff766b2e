// The dialog of the project's summary, whose content comes when it is first asked for.
import { Loader, Modal } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'

const Summary = lazy(async () => ({ default: (await import('./Summary')).Summary }))

export function SummaryDialog() {
  const opened = useStore((state) => state.ui.dialog === 'summary')
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.summary.title} size="min(1400px, 94vw)">
      <Suspense fallback={<Loader size="sm" />}>
        <Summary />
      </Suspense>
    </Modal>
  )
}
