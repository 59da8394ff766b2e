// Tells the user what went wrong and what to do next; the contract's code gives the headline.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import type { AppError, ErrorCode } from '../../../app/contract'
import { words } from '../../words'
import { langOf } from '../../words/named'

export const headlines: Record<ErrorCode, string> = words.errors.headlines

/** What helps most often; null where the message itself says it all. */
export const advice: Record<ErrorCode, string | null> = words.errors.advice

/** The one thing that a notice offers to do about what it tells, or one of two. */
export interface Remedy {
  readonly label: string
  readonly testId: string
  readonly act: () => void
}

/** What a notice is about: it goes with it. */
export interface Subject {
  readonly slidePath?: string | undefined
  readonly runId?: string | undefined
}
const subjects = new Map<string, Subject>()

/** Takes away the notices about what is not there any more. */
export function hideNotices(isGone: (subject: Subject) => boolean): void {
  for (const [id, subject] of subjects) if (isGone(subject)) hide(id)
}
function hide(id: string): void {
  subjects.delete(id)
  notifications.hide(id)
}
function bind(id: string, subject: Subject | undefined): void {
  if (subject) subjects.set(id, subject)
  else subjects.delete(id)
}

/** What the engine said, and more in the page's language. */
function inItsLanguage(text: string, more = ''): ReactNode {
  const lang = langOf(text)
  if (lang === undefined) return text + more
  return (
    <>
      <span lang={lang}>{text}</span>
      {more}
    </>
  )
}

/** All trouble with GPUs is one notice, whose buttons mean the newest. */
const gpuNotice = 'gpu-trouble'
export const hideGpuTrouble = (): void => hide(gpuNotice)

/** Shows a failed run's error with buttons that start it otherwise. */
export function tellGpuTrouble(error: AppError, about: string, remedies: readonly Remedy[], subject: Subject): void {
  bind(gpuNotice, subject)
  showError(gpuNotice, error, about, remedies)
}

export function tellError(error: AppError, about?: string, subject?: Subject): void {
  // Whoever takes a call back does not want to hear of it.
  if (error.code === 'CANCELLED') return
  const id = `${error.code}:${about ?? ''}`
  bind(id, subject)
  showError(id, error, about, [])
}

function showError(id: string, error: AppError, about: string | undefined, remedies: readonly Remedy[]): void {
  const next = advice[error.code]
  const text = next ? inItsLanguage(error.message, ` ${next}`) : inItsLanguage(error.message)
  // The same trouble again replaces its notice instead of piling up: the library would keep the older text and button.
  notifications.hide(id)
  notifications.show({
    id,
    color: 'red',
    title: about ? words.errors.withAbout(about, headlines[error.code]) : headlines[error.code],
    message: remedies.length > 0 ? <WithRemedies text={text} remedies={remedies} /> : text,
    // Whoever is to press a button needs the time to read what it is about.
    autoClose: remedies.length > 0 ? false : 9000,
    withBorder: true,
    closeButtonProps: { 'aria-label': words.buttons.dismiss },
    'data-testid': 'notice-error',
  })
}

interface WithRemediesProps {
  readonly text: ReactNode
  readonly remedies: readonly Remedy[]
  readonly color?: string
}

function WithRemedies({ text, remedies, color = 'red' }: WithRemediesProps) {
  return (
    <>
      <span>{text}</span>
      {remedies.map(({ label, testId, act }) => (
        <Button
          key={testId}
          size="compact-xs"
          variant="light"
          color={color}
          mt={6}
          onClick={act}
          data-testid={testId}
          display="block"
        >
          {label}
        </Button>
      ))}
    </>
  )
}

/** What a screen reader calls the cross. */
const closeButtonProps = { 'aria-label': words.buttons.dismiss }

/** Something that is done, with what a person may do next: it stays for a minute. */
export function tellWithSteps(message: string, title: string, steps: readonly Remedy[]): void {
  notifications.hide(message)
  notifications.show({
    id: message,
    title,
    message: <WithRemedies text={message} remedies={steps} color="teal" />,
    color: 'teal',
    autoClose: 60_000,
    withBorder: true,
    closeButtonProps,
  })
}

/** What was just taken back or done again: one notice, which the next takes the place of. */
export function tellStep(message: string): void {
  notifications.hide('step')
  notifications.show({ id: 'step', message, color: 'teal', autoClose: 2500, withBorder: true, closeButtonProps })
}

export function tell(message: string, title?: string, autoClose = 4500, subject?: Subject): void {
  bind(message, subject)
  notifications.show({
    id: message,
    message: inItsLanguage(message),
    ...(title ? { title } : {}),
    color: 'teal',
    autoClose,
    withBorder: true,
    closeButtonProps,
  })
}
