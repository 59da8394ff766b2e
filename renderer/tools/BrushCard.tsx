// What the brush holds: how large it is, whether it adds or takes away, and which region or object it works on.
import { Button, SegmentedControl } from '@mantine/core'
import { chooseRadius, shownRadius } from '../store/objects/brushActions'
import { radiusRange } from '../store/slices/brushSlice'
import { selectedRun } from '../store/objects/objectActions'
import { areaSelected, isBrush, titleOf } from '../store/slices/projectSlice'
import { clearSelection } from '../store/selection/selectionActions'
import { slideMpp } from '../store/slices/slideSlice'
import { patch, useStore, type State } from '../store/store'
import { entryProblem, NumberEntry } from '../widgets/NumberEntry'
import { words } from '../words'
import { ToolCard } from './ToolCard'

const close = (): void => patch('project', { tool: null, drawing: null })

function choose(radius: number | null): void {
  if (radius !== null && entryProblem(radius, radiusRange) === null) chooseRadius(radius)
}

/** What the next stroke changes; null: nothing is selected, and it makes something new. */
function workOf(state: State): string | null {
  if (state.project.tool === 'redraw') {
    const { object } = state.selection
    return object && selectedRun(state) ? words.brush.object(object.id) : null
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
    <ToolCard
      id="brush"
      title={onObjects ? words.brush.objectTitle : words.brush.title}
      label={words.brush.title}
      note={work ?? (subtracts ? words.brush.noneSelected(thing) : words.brush.newOne(thing))}
      noteId="brush-on"
      onClose={close}
    >
      <SegmentedControl
        size="xs"
        aria-label={words.brush.whatItDoes}
        value={subtracts ? 'subtract' : 'add'}
        onChange={(value) => patch('brush', { subtracts: value === 'subtract' })}
        data={[
          { value: 'add', label: words.buttons.add },
          { value: 'subtract', label: onObjects ? words.brush.rubOut : words.brush.cutOut },
        ]}
        data-testid="brush-how"
      />
      <NumberEntry
        label={words.brush.radius(mpp === null ? 'px' : 'µm')}
        {...radiusRange}
        step={1}
        value={radius}
        onChange={choose}
        testId="brush-radius"
      />
      <Button size="compact-xs" variant="light" disabled={work === null} onClick={beginAnew} data-testid="brush-new">
        {words.brush.beginNew(thing)}
      </Button>
      <p className="dim">{onObjects ? words.brush.helpOfObjects : words.brush.helpOfRegions}</p>
    </ToolCard>
  )
}
