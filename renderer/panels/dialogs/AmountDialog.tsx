// By how much the chosen objects grow or shrink.
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { reshapeChosen } from '../../store/objects/reshapeActions'
import { firstAmount } from '../../store/objects/reshapeWords'
import { slideMpp } from '../../store/slices/slideSlice'
import { getState, patch, useStore } from '../../store/store'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'

const range = { min: 0.01, max: 1000 } as const
const close = (): void => patch('ui', { dialog: null })

function Form({ type, mpp }: { readonly type: 'grow' | 'shrink'; readonly mpp: number | null }) {
  const [by, setBy] = useState<number | null>(() => getState().ui.reshapeBy ?? firstAmount(mpp))
  const usable = by !== null && entryProblem(by, range) === null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!usable) return
        patch('ui', { reshapeBy: by, dialog: null })
        void reshapeChosen({ type, by, unit: mpp === null ? 'px' : 'um' }, getState().ui.reshapeOf)
      }}
    >
      <NumberEntry
        label={words.amount.by(mpp === null ? 'px' : 'µm')}
        {...range}
        step={mpp === null ? 1 : 0.5}
        value={by}
        onChange={setBy}
        testId="amount"
        autoFocus
      />
      <p className="dim">{type === 'grow' ? words.amount.growNote : words.amount.shrinkNote}</p>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {words.buttons.cancel}
        </Button>
        <Button type="submit" disabled={!usable} data-testid="amount-go">
          {type === 'grow' ? words.amount.grow : words.amount.shrink}
        </Button>
      </Group>
    </form>
  )
}

export function AmountDialog() {
  const dialog = useStore((state) => state.ui.dialog)
  const mpp = useStore((state) => slideMpp(state.slide.info))
  const rows = useStore((state) => state.ui.reshapeOf === 'rows')
  const type = dialog === 'grow' || dialog === 'shrink' ? dialog : null
  return (
    <Modal
      opened={type !== null}
      onClose={close}
      title={words.amount.title(type === 'shrink' ? 'shrink' : 'grow', rows)}
      size="xs"
    >
      {type && <Form type={type} mpp={mpp} />}
    </Modal>
  )
}
