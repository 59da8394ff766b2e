// Tells the user what went wrong and what to do next; the contract's code gives the headline.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { AppError, ErrorCode } from '../../app/contract'

export const headlines: Record<ErrorCode, string> = {
  INVALID_PARAMETER: 'A value cannot be used',
  SLIDE_UNREADABLE: 'The slide cannot be read',
  SLIDE_CHANGED: 'The slide’s file has changed',
  NOT_FOUND: 'Not found',
  NATIVE_UNAVAILABLE: 'The image engine is not available',
  GPU_UNAVAILABLE: 'The GPU is not available',
  GPU_OUT_OF_MEMORY: 'The GPU ran out of memory',
  GPU_LOST: 'The GPU stopped answering',
  OUT_OF_MEMORY: 'Not enough memory',
  OUTPUT_FAILED: 'The files could not be written',
  OUTPUT_EXISTS: 'There are files in the way',
  ENGINE_LOST: 'The engine stopped',
  CANCELLED: 'Cancelled',
  INTERNAL: 'An error in Morphoscope',
}

/** What helps most often; null where the message itself says it all. */
export const advice: Record<ErrorCode, string | null> = {
  INVALID_PARAMETER: 'Change the marked value, or reset it.',
  SLIDE_UNREADABLE: 'Check that the file is complete and that all of its parts lie in one folder.',
  SLIDE_CHANGED: 'Open the slide again, and run again.',
  NOT_FOUND: null,
  NATIVE_UNAVAILABLE: 'Run “npm start” again in a terminal: it says what is missing.',
  GPU_UNAVAILABLE: null,
  GPU_OUT_OF_MEMORY: 'Choose a smaller region, or run on the CPU.',
  GPU_LOST: 'Run again. If it fails again, run on the CPU.',
  OUT_OF_MEMORY: 'Choose a smaller region or a coarser pixel size.',
  OUTPUT_FAILED: 'Choose a folder that you may write to and that has room.',
  OUTPUT_EXISTS: null,
  ENGINE_LOST: 'Your settings are kept. Run again.',
  CANCELLED: null,
  INTERNAL: 'Please report it with the details in the log.',
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

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
  const text = next ? `${error.message} ${next}` : error.message
  // The same trouble again replaces its notice instead of piling up: the library would keep the older text and button.
  notifications.hide(id)
  notifications.show({
    id,
    color: 'red',
    title: about ? `${about}: ${lowerFirst(headlines[error.code])}` : headlines[error.code],
    message: remedies.length > 0 ? <WithRemedies text={text} remedies={remedies} /> : text,
    // Whoever is to press a button needs the time to read what it is about.
    autoClose: remedies.length > 0 ? false : 9000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    'data-testid': 'notice-error',
  })
}

interface WithRemediesProps {
  readonly text: string
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
const closeButtonProps = { 'aria-label': 'Dismiss' }

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
    message,
    ...(title ? { title } : {}),
    color: 'teal',
    autoClose,
    withBorder: true,
    closeButtonProps,
  })
}
