// The field that has a file of regions, and the button that opens it where a menu of the system's asked for it.
import { Button, Group, Modal } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { importFile } from '../../store/document/importActions'
import { chooseRegionsFile, setRegionsFile } from '../../store/document/regionFiles'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'

const close = (): void => patch('ui', { dialog: null })

export function RegionsFile() {
  const input = useRef<HTMLInputElement>(null)
  const opened = useStore((state) => state.ui.dialog === 'importRegions')
  const name = useStore((state) => state.slide.info?.name ?? '')
  useEffect(() => {
    setRegionsFile(() => input.current?.click())
    return () => setRegionsFile(null)
  }, [])
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".geojson,.json,.geojsonl,.ndjson,.gz,.tif,.tiff,.png,.npy,.csv,.tsv,.parquet,.geoparquet"
        hidden
        data-testid="region-import"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          close()
          if (file) void importFile(file)
          event.currentTarget.value = ''
        }}
      />
      <Modal opened={opened} onClose={close} title={words.regionFiles.importTitle} size="sm">
        <p className="note">{words.regionFiles.importNote(name)}</p>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {words.buttons.cancel}
          </Button>
          <Button onClick={chooseRegionsFile} data-autofocus data-testid="import-choose">
            {words.regionFiles.chooseFile}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
