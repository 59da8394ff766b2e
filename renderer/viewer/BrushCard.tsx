// What the brush holds: how large it is, whether it adds or takes away, and which region it works on.
import { Button, SegmentedControl } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { shownRadius } from '../store/brushActions'
import { radiusRange } from '../store/brushSlice'
import { tip } from '../store/commands'
import { areaSelected, titleOf } from '../store/projectSlice'
import { slideMpp } from '../store/slideSlice'
import { patch, useStore } from '../store/store'
import { IconButton } from '../widgets/IconButton'
import { entryProblem, NumberEntry } from '../widgets/NumberEntry'

const close = (): void => patch('project', { tool: null, drawing: null })

function choose(radius: number | null): void {
  if (radius !== null && entryProblem(radius, radiusRange) === null) patch('brush', { radius })
}

export function BrushCard() {
  const on = useStore((state) => state.project.tool === 'brush')
  const radius = useStore(shownRadius)
  const mpp = useStore((state) => slideMpp(state.slide.info))
  const subtracts = useStore((state) => state.brush.subtracts)
  const title = useStore(({ project }) => {
    const one = areaSelected(project)
    return one && titleOf(project, one)
  })
  if (!on) return null
  return (
    <section className="why wand" data-testid="brush" aria-label="Brush">
      <div className="why-head">
        <b>Brush</b>
        <span className="dim grow" data-testid="brush-on">
          {title ?? (subtracts ? 'no region selected' : 'a new region')}
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
            { value: 'subtract', label: 'Cut out' },
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
        <Button
          size="compact-xs"
          variant="light"
          disabled={title === null}
          onClick={() => patch('project', { selected: [] })}
          data-testid="brush-new"
        >
          Begin a new region
        </Button>
        <p className="dim">Alt cuts out. Wheel, comma and full stop: smaller or larger (Ctrl and wheel: zoom).</p>
      </div>
    </section>
  )
}
