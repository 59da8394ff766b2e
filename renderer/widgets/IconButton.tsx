// A button that is only an icon: its label is its tooltip and what screen readers say; its key is shown.
import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTip } from './useTip'

interface Props extends ActionIconProps {
  readonly label: string
  readonly shortcut?: string
  readonly pressed?: boolean
  readonly onClick?: () => void
  readonly children: ReactNode
  readonly testId?: string
  /** Beside a column of buttons a tip must not lie over the next one. */
  readonly tipPosition?: 'left' | 'top'
}

export function IconButton({ label, shortcut, pressed, onClick, children, testId, tipPosition, ...rest }: Props) {
  const tip = shortcut ? (
    <>
      {label} <kbd className="tip-key">{shortcut}</kbd>
    </>
  ) : (
    label
  )
  const { near, tip: shown } = useTip(tip, { position: tipPosition, isSaid: true })
  return (
    <>
      <ActionIcon
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        {...(onClick ? { onClick } : {})}
        {...(testId ? { 'data-testid': testId } : {})}
        className={pressed ? 'pressed' : ''}
        {...near}
        {...rest}
      >
        {children}
      </ActionIcon>
      {shown}
    </>
  )
}
