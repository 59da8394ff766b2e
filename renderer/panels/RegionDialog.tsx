// A region by its coordinates: the keyboard's way to draw a rectangle.
import { Button, Group, Modal, NumberInput, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import type { Region } from '../../app/contract'
import { segment } from '../store/runActions'
import { getState, patch, useStore } from '../store/store'
import { clip, visibleExactly } from '../viewer/geometry'

const fields = [
  ['x', 'Left'],
  ['y', 'Top'],
  ['width', 'Width'],
  ['height', 'Height'],
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
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (inside) segment(inside)
      }}
    >
      <SimpleGrid cols={2} spacing="xs">
        {fields.map(([key, label]) => (
          <NumberInput
            key={key}
            size="xs"
            label={`${label}, px`}
            min={key === 'x' || key === 'y' ? 0 : 1}
            max={key === 'x' || key === 'width' ? limit.widthPx : limit.heightPx}
            allowDecimal={false}
            value={region[key]}
            onChange={(value) => typeof value === 'number' && setRegion({ ...region, [key]: value })}
            data-testid={`region-${key}`}
            {...(key === 'x' ? { 'data-autofocus': true } : {})}
          />
        ))}
      </SimpleGrid>
      <p className="field-error" role="alert">
        {inside ? '' : `The region lies outside the slide (${limit.widthPx} × ${limit.heightPx} px).`}
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => patch('ui', { dialog: null })}>
          Cancel
        </Button>
        <Button type="submit" disabled={!inside} data-testid="region-go">
          Segment
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
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title="Segment a region" size="sm">
      <Form limit={info} />
    </Modal>
  )
}
