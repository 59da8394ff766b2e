// Asks before work is ended or thrown away; the safe answer is the one that Enter, Escape and a click beside the dialog give.
import { getState, patch } from '../store'
import type { Question } from '../slices/uiSlice'

export function ask(question: Question): void {
  patch('ui', { dialog: 'question', question })
}

export function answer(yes: boolean | 'other'): void {
  const { question } = getState().ui
  // The text stays while the dialog fades out.
  patch('ui', { dialog: null })
  if (yes === 'other') question?.other?.act()
  else if (yes) question?.act()
}
