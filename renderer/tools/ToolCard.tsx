// The card of a tool: what it is, what it says of its work, a way out, and below that its settings.
import { IconX } from '@tabler/icons-react'
import type { HTMLAttributes, ReactNode } from 'react'
import { tip } from '../store/base/commandKeys'
import { IconButton } from '../widgets/IconButton'
import { words } from '../words'

interface Props {
  /** Its test id; with "-close" that of its way out. */
  readonly id: string
  readonly title: string
  /** What it is called in full; without it its title. */
  readonly label?: string
  /** Beside the title. */
  readonly note?: ReactNode
  /** Of the note: it is read out when it changes. */
  readonly noteId?: string
  /** Before the way out. */
  readonly buttons?: ReactNode
  /** narrow: over the slide it takes the room of a few settings. steady: what it says changes as the pointer moves, its height does not. */
  readonly looks?: string
  /** Of a tool that asks the engine. */
  readonly isBusy?: boolean
  /** Of what lies below the head. */
  readonly body?: HTMLAttributes<HTMLDivElement>
  readonly onClose: () => void
  readonly children: ReactNode
}

export function ToolCard({
  id,
  title,
  label = title,
  note,
  noteId,
  buttons,
  looks = 'narrow',
  isBusy,
  body,
  onClose,
  children,
}: Props) {
  return (
    <section className={`tool-card ${looks}`} data-testid={id} data-busy={isBusy} aria-label={label}>
      <div className="tool-card-head">
        <b className={note === undefined ? 'grow' : undefined}>{title}</b>
        {note !== undefined && (
          <span className="dim grow" data-testid={noteId} aria-live={noteId === undefined ? undefined : 'polite'}>
            {note}
          </span>
        )}
        {buttons}
        <IconButton size={22} {...tip('cancel')} label={words.buttons.close} onClick={onClose} testId={`${id}-close`}>
          <IconX size={13} />
        </IconButton>
      </div>
      <div className="tool-card-body" {...body}>
        {children}
      </div>
    </section>
  )
}
