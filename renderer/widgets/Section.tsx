// A titled part of a panel that folds.
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { HelpButton } from './HelpButton'

interface Props {
  readonly title: string
  readonly aside?: ReactNode
  readonly help?: string
  readonly folded?: boolean
  /** Something in it is to be seen: it opens. */
  readonly wanted?: boolean
  /** Stands under the title, folded or not. */
  readonly always?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, aside, help, folded = false, wanted = false, always, children }: Props) {
  const [open, setOpen] = useState(!folded || wanted)
  useEffect(() => {
    if (wanted) setOpen(true)
  }, [wanted])
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
      {always}
      {open && (
        <div id={id} className="section-body">
          {children}
        </div>
      )}
    </section>
  )
}
