// A new result beside one that was corrected: its corrections are offered, and not taken by themselves.
import { Button } from '@mantine/core'
import { carryOffer, correctionWords } from '../../store/slices/carrySlice'
import { tip } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { useStore } from '../../store/store'
import { words } from '../../words'

export function CarryOffer() {
  const from = useStore((state) => carryOffer(state.runs))
  const busy = useStore((state) => state.carry.busy)
  if (!from) return null
  return (
    <div className="no-objects" role="status" data-testid="carry-offer">
      <p>{words.carry.offer(from.name, correctionWords(from))}</p>
      <Button
        size="compact-xs"
        variant="default"
        loading={busy}
        title={tip('carry').label}
        onClick={() => runCommand('carry')}
        data-testid="carry-take"
      >
        {words.carry.from(from.name)}
      </Button>
    </div>
  )
}
