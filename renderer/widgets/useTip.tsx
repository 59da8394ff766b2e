// The tip of a button, made when it is shown: what places one is some hundred of React's hooks, and a window has hundreds of buttons.
import { Tooltip } from '@mantine/core'
import { useEffect, useRef, useState, type FocusEvent, type PointerEvent, type ReactNode } from 'react'

/** A pointer on its way elsewhere opens nothing. */
const openDelayMs = 350

interface Tip {
  /** For the button. */
  readonly near: {
    readonly onPointerEnter: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerLeave: () => void
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void
    readonly onBlur: () => void
  }
  /** To be put beside it. */
  readonly tip: ReactNode
}

interface Options {
  readonly position?: 'left' | 'top' | undefined
  /** The button itself says what the tip does: screen readers hear it once. */
  readonly isSaid?: boolean
}

/** Shown where a pointer rests on the button, and where the keyboard's focus is on it; Escape takes it away. */
export function useTip(label: ReactNode, { position, isSaid }: Options = {}): Tip {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const close = (): void => {
    clearTimeout(waiting.current)
    setTarget(null)
  }
  useEffect(() => () => clearTimeout(waiting.current), [])
  useEffect(() => {
    if (!target) return
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setTarget(null)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [target])
  return {
    near: {
      onPointerEnter: ({ pointerType, currentTarget }) => {
        if (pointerType === 'touch') return
        clearTimeout(waiting.current)
        waiting.current = setTimeout(() => setTarget(currentTarget), openDelayMs)
      },
      onPointerLeave: close,
      onFocus: ({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) setTarget(currentTarget)
      },
      onBlur: close,
    },
    // It lies outside the page's landmarks.
    tip: target && (
      <Tooltip opened target={target} label={label} {...(position && { position })} {...(isSaid && { 'aria-hidden': true })} />
    ),
  }
}
