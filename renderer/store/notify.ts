// Tells the user what went wrong and what to do next; the contract's code gives the headline.
import { notifications } from '@mantine/notifications'
import type { AppError, ErrorCode } from '../../app/contract'

export const headlines: Record<ErrorCode, string> = {
  INVALID_PARAMETER: 'A value cannot be used',
  SLIDE_UNREADABLE: 'The slide cannot be read',
  NOT_FOUND: 'Not found',
  NATIVE_UNAVAILABLE: 'The image engine is not available',
  GPU_UNAVAILABLE: 'The GPU is not available',
  GPU_OUT_OF_MEMORY: 'The GPU ran out of memory',
  GPU_LOST: 'The GPU stopped answering',
  OUT_OF_MEMORY: 'Not enough memory',
  OUTPUT_FAILED: 'The files could not be written',
  ENGINE_LOST: 'The engine stopped',
  INTERNAL: 'An error in Morphoscope',
}

/** What helps most often; null where the message itself says it all. */
export const advice: Record<ErrorCode, string | null> = {
  INVALID_PARAMETER: 'Change the marked value, or reset it.',
  SLIDE_UNREADABLE: 'Check that the file is complete and that all of its parts lie in one folder.',
  NOT_FOUND: null,
  NATIVE_UNAVAILABLE: 'Run “npm start” again in a terminal: it says what is missing.',
  GPU_UNAVAILABLE: 'The CPU can be used instead.',
  GPU_OUT_OF_MEMORY: 'Choose a smaller region, or run on the CPU.',
  GPU_LOST: 'Run again; if it comes back, run on the CPU.',
  OUT_OF_MEMORY: 'Choose a smaller region or a coarser pixel size.',
  OUTPUT_FAILED: 'Choose a folder that you may write to and that has room.',
  ENGINE_LOST: 'Nothing that you set is lost: run again.',
  INTERNAL: 'Please report it with the details in the log.',
}

export function tellError(error: AppError, about?: string): void {
  const next = advice[error.code]
  notifications.show({
    // The same trouble again replaces its notice instead of piling up.
    id: `${error.code}:${about ?? ''}`,
    color: 'red',
    title: about ? `${about}: ${headlines[error.code].toLowerCase()}` : headlines[error.code],
    message: next ? `${error.message} ${next}` : error.message,
    autoClose: 9000,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    'data-testid': 'notice-error',
  })
}

export function tell(message: string, title?: string): void {
  notifications.show({ id: message, message, ...(title ? { title } : {}), color: 'teal', autoClose: 4500, withBorder: true })
}
