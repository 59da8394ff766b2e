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
  GPU_LOST: 'Run again; if it comes back, run on the CPU.',
  OUT_OF_MEMORY: 'Choose a smaller region or a coarser pixel size.',
  OUTPUT_FAILED: 'Choose a folder that you may write to and that has room.',
  OUTPUT_EXISTS: null,
  ENGINE_LOST: 'Nothing that you set is lost: run again.',
  CANCELLED: null,
  INTERNAL: 'Please report it with the details in the log.',
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** The one thing that a notice offers to do about what it tells. */
export interface Remedy {
  readonly label: string
  readonly testId: string
  readonly act: () => void
}

/** All trouble with GPUs is one notice, whose button means the newest. */
const gpuNotice = 'gpu-trouble'
export const hideGpuTrouble = (): void => void notifications.hide(gpuNotice)

/** Shows a failed run's error with a button that starts it on the CPU. */
export function tellGpuTrouble(error: AppError, about: string, onCpu: () => void): void {
  showError(gpuNotice, error, about, { label: 'Run on the CPU', testId: 'run-on-cpu', act: onCpu })
}

export function tellError(error: AppError, about?: string): void {
  if (error.code === 'CANCELLED') return
  showError(`${error.code}:${about ?? ''}`, error, about)
}

function showError(id: string, error: AppError, about?: string, remedy?: Remedy): void {
  const next = advice[error.code]
  const text = next ? `${error.message} ${next}` : error.message
  // The same trouble again replaces its notice instead of piling up: the library would keep the older text and button.
  notifications.hide(id)
  notifications.show({
    id,
    color: 'red',
    title: about ? `${about}: ${lowerFirst(headlines[error.code])}` : headlines[error.code],
    message: remedy ? <WithRemedy text={text} remedy={remedy} /> : text,
    // Whoever is to press a button needs the time to read what it is about.
    autoClose: remedy ? false : 9000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    'data-testid': 'notice-error',
  })
}

function WithRemedy({ text, remedy }: { readonly text: string; readonly remedy: Remedy }) {
  return (
    <>
      <span>{text}</span>
      <Button
        size="compact-xs"
        variant="light"
        color="red"
        mt={6}
        onClick={remedy.act}
        data-testid={remedy.testId}
        display="block"
      >
        {remedy.label}
      </Button>
    </>
  )
}

export function tell(message: string, title?: string, autoClose = 4500): void {
  notifications.show({ id: message, message, ...(title ? { title } : {}), color: 'teal', autoClose, withBorder: true })
}
