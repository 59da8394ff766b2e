// A titled part of a panel that folds.
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { HelpButton } from './HelpButton'

interface Props {
  readonly title: string
  readonly aside?: ReactNode
  readonly help?: string
  readonly folded?: boolean
  readonly children: ReactNode
}

export function Section({ title, aside, help, folded = false, children }: Props) {
  const [open, setOpen] = useState(!folded)
  const id = useId()
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <button type="button" className="section-toggle" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <IconChevronRight size={13} className={open ? 'turned' : ''} aria-hidden />
          <h2>{title}</h2>
        </button>
        {help && <HelpButton label={title} help={help} />}
        {aside}
      </div>
      {open && (
        <div id={id} className="section-body">
          {children}
        </div>
      )}
    </section>
  )
}
