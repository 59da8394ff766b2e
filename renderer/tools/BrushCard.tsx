// What the brush holds: how large it is, whether it adds or takes away, and which region or object it works on.
import { Button, SegmentedControl } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { chooseRadius, shownRadius } from '../store/brushActions'
import { radiusRange } from '../store/brushSlice'
import { tip } from '../store/commands'
import { selectedRun } from '../store/objectActions'
import { areaSelected, isBrush, titleOf } from '../store/projectSlice'
import { clearSelection } from '../store/selectionActions'
import { slideMpp } from '../store/slideSlice'
import { patch, useStore, type State } from '../store/store'
import { IconButton } from '../widgets/IconButton'
import { entryProblem, NumberEntry } from '../widgets/NumberEntry'

const close = (): void => patch('project', { tool: null, drawing: null })

function choose(radius: number | null): void {
  if (radius !== null && entryProblem(radius, radiusRange) === null) chooseRadius(radius)
}

/** What the next stroke changes; null: nothing is selected, and it makes something new. */
function workOf(state: State): string | null {
  if (state.project.tool === 'redraw') {
    const { object } = state.selection
    return object && selectedRun(state) ? `object ${object.id}` : null
  }
  const one = areaSelected(state.project)
  return one && titleOf(state.project, one)
}

export function BrushCard() {
  const on = useStore((state) => isBrush(state.project.tool))
  const onObjects = useStore((state) => state.project.tool === 'redraw')
  const radius = useStore(shownRadius)
  const mpp = useStore((state) => slideMpp(state.slide.info))
  const subtracts = useStore((state) => state.brush.subtracts)
  const work = useStore(workOf)
  if (!on) return null
  const thing = onObjects ? 'object' : 'region'
  const beginAnew = (): void => (onObjects ? clearSelection() : patch('project', { selected: [] }))
  return (
    <section className="why wand" data-testid="brush" aria-label="Brush">
      <div className="why-head">
        <b>{onObjects ? 'Object brush' : 'Brush'}</b>
        <span className="dim grow" data-testid="brush-on" aria-live="polite">
          {work ?? (subtracts ? `no ${thing} selected` : `a new ${thing}`)}
        </span>
        <IconButton size={22} {...tip('cancel')} label="Close" onClick={close} testId="brush-close">
          <IconX size={13} />
        </IconButton>
      </div>
      <div className="why-body">
        <SegmentedControl
          size="xs"
          aria-label="What the brush does"
          value={subtracts ? 'subtract' : 'add'}
          onChange={(value) => patch('brush', { subtracts: value === 'subtract' })}
          data={[
            { value: 'add', label: 'Add' },
            { value: 'subtract', label: onObjects ? 'Rub out' : 'Cut out' },
          ]}
          data-testid="brush-how"
        />
        <NumberEntry
          label={`Radius, ${mpp === null ? 'px' : 'µm'}`}
          {...radiusRange}
          step={1}
          value={radius}
          onChange={choose}
          testId="brush-radius"
        />
        <Button size="compact-xs" variant="light" disabled={work === null} onClick={beginAnew} data-testid="brush-new">
          Begin a new {thing}
        </Button>
        <p className="dim">
          {onObjects ? 'A click selects an object, a drag paints on it. Alt rubs out.' : 'Alt cuts out.'} Ctrl and the wheel, or
          comma and full stop, change its size.
        </p>
      </div>
    </section>
  )
}
