// A small "i" whose help shows on hover and on focus, and which screen readers read.
import { Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly help: string
  readonly more?: ReactNode
}

export function HelpButton({ label, help, more }: Props) {
  return (
    <Tooltip
      label={
        <>
          {help}
          {more}
        </>
      }
    >
      <button type="button" className="help" aria-label={`Help: ${label}. ${help}`}>
        <IconInfoCircle size={13} aria-hidden />
      </button>
    </Tooltip>
  )
}
