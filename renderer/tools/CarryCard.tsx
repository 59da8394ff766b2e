// What was carried over from an earlier result, and what does not fit any more: gone to one after the other.
import { Button, Group } from '@mantine/core'
import { formatCount } from '../arithmetic/format'
import { goToUnfit, leaveCarry } from '../store/objects/carryActions'
import { carriedRows } from '../store/slices/carrySlice'
import { changeable, handClasses } from '../store/objects/objectActions'
import { getState, useStore } from '../store/store'
import { words } from '../words'
import { ToolCard } from './ToolCard'
import { titled } from '../words/named'

export function CarryCard() {
  const { found, at } = useStore((state) => state.carry)
  if (!found) return null
  const place = at === null ? null : found.places[at]!
  const classes = handClasses(getState(), changeable(getState()))
  const was =
    place &&
    (place.made
      ? words.carry.was.made
      : place.classId === null
        ? words.carry.was.deleted
        : `${titled(classes.find(({ id }) => id === place.classId)?.label ?? place.classId)}`)
  return (
    <ToolCard
      id="carry"
      title={words.carry.cardTitle(found.from)}
      label={words.carry.card}
      body={{ 'aria-live': 'polite' }}
      onClose={leaveCarry}
    >
      <dl className="why-values" data-testid="carry-counts">
        {carriedRows(found).map(({ label, count }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {found.rule && <p className="dim">{words.carry.limitsToo}</p>}
      {found.places.length > 0 && (
        <>
          <Group gap={4}>
            <Button size="compact-xs" variant="light" onClick={() => goToUnfit(-1)} data-testid="carry-previous">
              {words.carry.previous}
            </Button>
            <Button size="compact-xs" variant="light" onClick={() => goToUnfit(1)} data-testid="carry-next">
              {words.buttons.next}
            </Button>
          </Group>
          <p className="dim" data-testid="carry-place">
            {place ? words.carry.place(at! + 1, found.places.length, was) : words.carry.unfitNote}
          </p>
        </>
      )}
    </ToolCard>
  )
}
