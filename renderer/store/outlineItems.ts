// The menu of what can be done to chosen objects' outlines, for the lasso's and for the selected one's.
import { keysOf, runCommand } from './commands'

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
