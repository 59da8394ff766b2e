// A notice with one button: it stays until it is answered or dismissed, and a newer one about the same takes its place.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { words } from '../../words'

export interface Offer {
  /** What is asked: two questions may stand side by side. */
  readonly about: 'files' | 'slides' | 'stain'
  readonly title: string
  readonly text: string
  readonly label: string
  readonly testId: string
  readonly act: () => void
}

/** What was offered is not any more. */
export const withdraw = (about: Offer['about']): void => void notifications.hide(`offer-${about}`)

export function offer({ about, title, text, label, testId, act }: Offer): void {
  const id = `offer-${about}`
  const take = () => {
    notifications.hide(id)
    act()
  }
  notifications.hide(id)
  notifications.show({
    id,
    color: 'teal',
    title,
    message: (
      <>
        <span>{text}</span>
        <Button size="compact-xs" variant="light" mt={6} display="block" onClick={take} data-testid={testId}>
          {label}
        </Button>
      </>
    ),
    autoClose: false,
    withBorder: true,
    closeButtonProps: { 'aria-label': words.buttons.dismiss },
    'data-testid': 'notice-offer',
  })
}
