// A small "i" whose help shows on hover and on focus, and which screen readers read.
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { words } from '../words'
import { useTip } from './useTip'

interface Props {
  readonly label: string
  readonly help: string
  readonly more?: ReactNode
}

export function HelpButton({ label, help, more }: Props) {
  const { near, tip } = useTip(
    <>
      {help}
      {more}
    </>,
  )
  return (
    <>
      <button type="button" className="help" aria-label={words.help.about(label, help)} {...near}>
        <IconInfoCircle size={13} aria-hidden />
      </button>
      {tip}
    </>
  )
}
