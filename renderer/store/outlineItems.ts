// The menu of what can be done to chosen objects' outlines, for the lasso's, for the selected one's, and for all that the table lists.
import { keysOf, runCommand } from './commands'
import { askAmount, mergeRows, reshapeChosen } from './reshapeActions'

export const outlineItems = [
  { label: 'Fill holes', shortcut: keysOf('fillHoles')[0], onClick: () => runCommand('fillHoles'), testId: 'outline-fill' },
  { label: 'Grow…', shortcut: keysOf('growObjects')[0], onClick: () => runCommand('growObjects'), testId: 'outline-grow' },
  {
    label: 'Shrink…',
    shortcut: keysOf('shrinkObjects')[0],
    onClick: () => runCommand('shrinkObjects'),
    testId: 'outline-shrink',
  },
]

export const rowItems = [
  { label: 'Merge into one', onClick: () => void mergeRows(), testId: 'rows-merge' },
  { label: 'Fill holes', onClick: () => void reshapeChosen({ type: 'fill' }, 'rows'), testId: 'rows-fill' },
  { label: 'Grow…', onClick: () => askAmount('grow', 'rows'), testId: 'rows-grow' },
  { label: 'Shrink…', onClick: () => askAmount('shrink', 'rows'), testId: 'rows-shrink' },
]
