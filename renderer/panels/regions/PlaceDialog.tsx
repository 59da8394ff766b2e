// Where on the slide an imported image lies, where neither the file nor its size says it.
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Placing } from '../../store/slices/uiSlice'
import { patch, useStore } from '../../store/store'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'

const close = (): void => patch('ui', { dialog: null })
/** Px of the slide, beyond any. */
const far = { min: -1_000_000, max: 1_000_000 } as const
const scales = { min: 0.01, max: 1000 } as const

function PlaceForm({ placing }: { readonly placing: Placing }) {
  const slide = useStore((state) => state.slide.info?.name ?? '')
  const [x, setX] = useState<number | null>(0)
  const [y, setY] = useState<number | null>(0)
  const [scale, setScale] = useState<number | null>(placing.scale === null ? 1 : Number(placing.scale.toFixed(6)))
  const wrong = [entryProblem(x, far), entryProblem(y, far), entryProblem(scale, scales)].some((each) => each !== null)
  const { regionFiles, buttons } = words
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (x === null || y === null || scale === null || wrong) return
        close()
        placing.act({ x, y, scale })
      }}
    >
      <p className="note">{regionFiles.placeNote(placing.file, placing.width, placing.height, slide)}</p>
      {placing.scale !== null && <p className="note">{regionFiles.placeWhole(String(Number(placing.scale.toFixed(6))))}</p>}
      <Group mt="sm" grow align="flex-start">
        <NumberEntry label={regionFiles.placeX} value={x} step={1} {...far} onChange={setX} testId="place-x" />
        <NumberEntry label={regionFiles.placeY} value={y} step={1} {...far} onChange={setY} testId="place-y" />
        <NumberEntry
          label={regionFiles.placeScale}
          value={scale}
          step={1}
          {...scales}
          onChange={setScale}
          testId="place-scale"
          autoFocus
        />
      </Group>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {buttons.cancel}
        </Button>
        <Button type="submit" disabled={wrong} data-testid="place-import">
          {regionFiles.placeImport}
        </Button>
      </Group>
    </form>
  )
}

export function PlaceDialog() {
  const opened = useStore((state) => state.ui.dialog === 'placeImage')
  const placing = useStore((state) => state.ui.placing)
  return (
    <Modal opened={opened && placing !== null} onClose={close} title={words.regionFiles.placeTitle} size="md">
      {placing && <PlaceForm placing={placing} key={`${placing.file} ${placing.width} ${placing.height}`} />}
    </Modal>
  )
}
