// What an imported file does not say: what its features are, or how large the discs around its points.
import { Button, Group, Modal, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import type { AskedImport } from '../../store/slices/uiSlice'
import { patch, useStore } from '../../store/store'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'

const close = (): void => patch('ui', { dialog: null })
/** µm: what the engine takes. */
const radii = { min: 0.01, max: 1000 } as const
/** Of a nucleus, about; as the command line has it. */
const usualRadiusUm = 4

function AskForm({ asked: { file, of, act } }: { readonly asked: AskedImport }) {
  const [unsaid, setUnsaid] = useState<'regions' | 'objects'>('objects')
  const [radiusUm, setRadiusUm] = useState<number | null>(usualRadiusUm)
  const { regionFiles, buttons } = words
  const wrong = of === 'radius' && entryProblem(radiusUm, radii) !== null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (wrong || radiusUm === null) return
        close()
        act(of === 'features' ? { unsaid } : { radiusUm })
      }}
    >
      {of === 'features' ? (
        <Radio.Group
          label={regionFiles.askFeatures(file)}
          value={unsaid}
          onChange={(value) => setUnsaid(value === 'regions' ? 'regions' : 'objects')}
        >
          <Stack gap="xs" mt="sm">
            <Radio
              value="objects"
              label={regionFiles.asObjects}
              description={regionFiles.asObjectsNote}
              data-testid="ask-objects"
              data-autofocus
            />
            <Radio
              value="regions"
              label={regionFiles.asRegions}
              description={regionFiles.asRegionsNote}
              data-testid="ask-regions"
            />
          </Stack>
        </Radio.Group>
      ) : (
        <>
          <p className="note">{regionFiles.askRadius(file)}</p>
          <NumberEntry
            label={regionFiles.radius}
            value={radiusUm}
            step={0.5}
            {...radii}
            onChange={setRadiusUm}
            testId="ask-radius"
            autoFocus
          />
        </>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {buttons.cancel}
        </Button>
        <Button type="submit" disabled={wrong} data-testid="ask-import">
          {regionFiles.placeImport}
        </Button>
      </Group>
    </form>
  )
}

export function AskImportDialog() {
  const opened = useStore((state) => state.ui.dialog === 'askImport')
  const asked = useStore((state) => state.ui.askedImport)
  const { askFeaturesTitle, askRadiusTitle } = words.regionFiles
  return (
    <Modal
      opened={opened && asked !== null}
      onClose={close}
      title={asked?.of === 'radius' ? askRadiusTitle : askFeaturesTitle}
      size="md"
    >
      {asked && <AskForm asked={asked} key={`${asked.file} ${asked.of}`} />}
    </Modal>
  )
}
