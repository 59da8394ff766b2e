// Runs of before their engine's end, each to be gone on with, or shown where it was finished, or thrown away.
import { Button } from '@mantine/core'
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { discardRun, resumeRun } from '../store/engine/interruptedActions'
import { isFinished, leftOver, percentDone, type JournalEntry } from '../store/slices/interruptedSlice'
import { useStore } from '../store/store'
import { formatCount } from '../arithmetic/format'
import { IconButton } from '../widgets/IconButton'
import { Section } from '../widgets/Section'
import { words } from '../words'
import { recipeNamed } from '../words/named'

function Row({ entry, busy }: { readonly entry: JournalEntry; readonly busy: boolean }) {
  const { name, slideName, slidePath, recipeName, region, objects, startedAt } = entry
  const finished = isFinished(entry)
  return (
    <li className="run cut-off" data-testid="interrupted-row">
      <span
        className="run-main"
        title={words.interrupted.about(slidePath, recipeNamed(recipeName), new Date(startedAt).toLocaleString())}
      >
        <span className="run-name">{slideName}</span>
        {/* A journal has its tiles' objects: of a region's run also those that lie beyond it. */}
        {region === 'whole' && <b className="num">{formatCount(objects)}</b>}
        <span className="run-state num">
          {finished ? words.interrupted.done(name) : words.interrupted.interrupted(name, percentDone(entry))}
        </span>
      </span>
      <Button
        size="compact-xs"
        variant="light"
        leftSection={<IconPlayerPlay size={12} />}
        disabled={busy || slidePath === null}
        onClick={() => void resumeRun(entry)}
        aria-label={finished ? words.interrupted.show(name, slideName) : words.interrupted.goOn(name, slideName)}
        data-testid="interrupted-resume"
      >
        {finished ? words.buttons.show : words.buttons.goOn}
      </Button>
      <IconButton
        size={22}
        label={words.interrupted.throwAway(name, slideName)}
        disabled={busy}
        onClick={() => discardRun(entry)}
        testId="interrupted-discard"
      >
        <IconTrash size={14} />
      </IconButton>
    </li>
  )
}

/** A part of the panel for each kind of them. */
export function Interrupted() {
  const { entries, resuming } = useStore((state) => state.interrupted)
  const slidePath = useStore((state) => state.slide.info?.path ?? null)
  return leftOver(entries, slidePath).map(({ title, entries: own }) => (
    <Section key={title} title={words.interrupted.titleWith(title, own.length)} folded>
      <ul className="run-list" aria-label={title} data-testid="interrupted">
        {own.map((entry) => (
          <Row key={entry.journalId} entry={entry} busy={resuming !== null} />
        ))}
      </ul>
    </Section>
  ))
}
