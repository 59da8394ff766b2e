// The menu of what can be done to chosen objects' outlines, for the lasso's, for the selected one's, and for all that the table lists.
import { keysOf, runCommand, type Command } from './commands'
import { askAmount, mergeRows, reshapeChosen } from './reshapeActions'

const item = (label: string, command: Command, testId: string) => ({
  label,
  shortcut: keysOf(command)[0],
  onClick: () => runCommand(command),
  testId,
})

/** With the keys that are chosen now. */
export const outlineItems = () => [
  item('Fill holes', 'fillHoles', 'outline-fill'),
  item('Grow…', 'growObjects', 'outline-grow'),
  item('Shrink…', 'shrinkObjects', 'outline-shrink'),
]

export const rowItems = [
  { label: 'Merge into one', onClick: () => void mergeRows(), testId: 'rows-merge' },
  { label: 'Fill holes', onClick: () => void reshapeChosen({ type: 'fill' }, 'rows'), testId: 'rows-fill' },
  { label: 'Grow…', onClick: () => askAmount('grow', 'rows'), testId: 'rows-grow' },
  { label: 'Shrink…', onClick: () => askAmount('shrink', 'rows'), testId: 'rows-shrink' },
]
