// What was carried over from an earlier result, and what does not fit any more: gone to one after the other.
import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { formatCount } from '../arithmetic/format'
import { goToUnfit, leaveCarry } from '../store/carryActions'
import { carriedRows } from '../store/carrySlice'
import { tip } from '../store/commands'
import { changeable, handClasses } from '../store/objectActions'
import { getState, useStore } from '../store/store'
import { IconButton } from '../widgets/IconButton'

export function CarryCard() {
  const { found, at } = useStore((state) => state.carry)
  if (!found) return null
  const place = at === null ? null : found.places[at]!
  const classes = handClasses(getState(), changeable(getState()))
  const was =
    place &&
    (place.made
      ? 'made by hand'
      : place.classId === null
        ? 'deleted'
        : `${classes.find(({ id }) => id === place.classId)?.label ?? place.classId}`)
  return (
    <section className="why wand" data-testid="carry" aria-label="Corrections carried over">
      <div className="why-head">
        <b className="grow">Corrections from {found.from}</b>
        <IconButton size={22} {...tip('cancel')} label="Close" onClick={leaveCarry} testId="carry-close">
          <IconX size={13} />
        </IconButton>
      </div>
      <div className="why-body" aria-live="polite">
        <dl className="why-values" data-testid="carry-counts">
          {carriedRows(found).map(({ label, count }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="num">{formatCount(count)}</dd>
            </div>
          ))}
        </dl>
        {found.rule && <p className="dim">Its limits of classes hold here too.</p>}
        {found.places.length > 0 && (
          <>
            <Group gap={4}>
              <Button size="compact-xs" variant="light" onClick={() => goToUnfit(-1)} data-testid="carry-previous">
                Previous
              </Button>
              <Button size="compact-xs" variant="light" onClick={() => goToUnfit(1)} data-testid="carry-next">
                Next
              </Button>
            </Group>
            <p className="dim" data-testid="carry-place">
              {place
                ? `${at! + 1} of ${formatCount(found.places.length)}: was ${was}`
                : 'No object here covers half of the same place. They are marked on the slide.'}
            </p>
          </>
        )}
      </div>
    </section>
  )
}
