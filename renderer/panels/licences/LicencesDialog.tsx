// The dialog with the licences, whose content comes when it is first opened.
import { Loader, Modal } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'

const LicenceList = lazy(async () => ({ default: (await import('./LicenceList')).LicenceList }))

export function LicencesDialog() {
  const opened = useStore((state) => state.ui.dialog === 'licences')
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.names.licences} size="min(860px, 96vw)">
      <Suspense fallback={<Loader size="sm" />}>
        <LicenceList />
      </Suspense>
    </Modal>
  )
}
