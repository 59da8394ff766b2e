// A region by its coordinates: the keyboard's way to draw a rectangle.
import { Button, Group, Modal, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import type { Region } from '../../../app/contract'
import { segment } from '../../store/runs/runActions'
import { getState, patch, useStore } from '../../store/store'
import { clip, containsRegion, visibleExactly } from '../../arithmetic/geometry'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'

const fields = [
  ['x', words.regionDialog.left],
  ['y', words.regionDialog.top],
  ['width', words.regionDialog.width],
  ['height', words.regionDialog.height],
] as const

/** What is in view, or all of the slide. */
function firstRegion(limit: { widthPx: number; heightPx: number }): Region {
  const { view } = getState().ui
  return (
    (view && visibleExactly(view, limit.widthPx, limit.heightPx)) ?? { x: 0, y: 0, width: limit.widthPx, height: limit.heightPx }
  )
}

function Form({ limit }: { readonly limit: { widthPx: number; heightPx: number } }) {
  const [region, setRegion] = useState(() => firstRegion(limit))
  const inside = clip(region, limit.widthPx, limit.heightPx)
  const rangeOf = (key: keyof Region) => ({
    min: key === 'x' || key === 'y' ? 0 : 1,
    max: (key === 'x' || key === 'width' ? limit.widthPx : limit.heightPx) - (key === 'x' || key === 'y' ? 1 : 0),
    integer: true,
  })
  // What reaches beyond the slide would be cut to it in silence.
  const usable =
    inside !== null && containsRegion(inside, region) && fields.every(([key]) => !entryProblem(region[key], rangeOf(key)))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (usable) segment(inside)
      }}
    >
      <SimpleGrid cols={2} spacing="xs">
        {fields.map(([key, label]) => (
          <NumberEntry
            key={key}
            label={words.regionDialog.inPx(label)}
            {...rangeOf(key)}
            step={1}
            value={region[key]}
            onChange={(value) => setRegion({ ...region, [key]: value ?? Number.NaN })}
            testId={`region-${key}`}
            autoFocus={key === 'x'}
          />
        ))}
      </SimpleGrid>
      <p className="field-error" role="alert">
        {usable ? '' : words.regionDialog.outside(limit.widthPx, limit.heightPx)}
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => patch('ui', { dialog: null })}>
          {words.buttons.cancel}
        </Button>
        <Button type="submit" disabled={!usable} data-testid="region-go">
          {words.buttons.segment}
        </Button>
      </Group>
    </form>
  )
}

export function RegionDialog() {
  const opened = useStore((state) => state.ui.dialog === 'region')
  const info = useStore((state) => state.slide.info)
  if (!info) return null
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.regionDialog.title} size="sm">
      <Form limit={info} />
    </Modal>
  )
}
