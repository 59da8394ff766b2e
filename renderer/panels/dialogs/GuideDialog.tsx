// The guide's dialog, whose content and pictures come when it is first opened.
import { Loader, Modal } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'

const Guide = lazy(async () => ({ default: (await import('./Guide')).Guide }))

export function GuideDialog() {
  const opened = useStore((state) => state.ui.dialog === 'guide')
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.guide.title} size="min(1180px, 96vw)">
      <Suspense fallback={<Loader size="sm" />}>
        <Guide />
      </Suspense>
    </Modal>
  )
}
