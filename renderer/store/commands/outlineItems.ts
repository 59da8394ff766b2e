// The menu of what can be done to chosen objects' outlines, for the lasso's, for the selected one's, and for all that the table lists.
import { words } from '../../words'
import { keysOf, type Command } from '../base/commandKeys'
import { runCommand } from './commands'
import { askAmount, mergeRows, reshapeChosen } from '../objects/reshapeActions'

const item = (label: string, command: Command, testId: string) => ({
  label,
  shortcut: keysOf(command)[0],
  onClick: () => runCommand(command),
  testId,
})

/** With the keys that are chosen now. */
export const outlineItems = () => [
  item(words.outline.fillHoles, 'fillHoles', 'outline-fill'),
  item(words.outline.grow, 'growObjects', 'outline-grow'),
  item(words.outline.shrink, 'shrinkObjects', 'outline-shrink'),
]

export const rowItems = [
  { label: words.outline.mergeIntoOne, onClick: () => void mergeRows(), testId: 'rows-merge' },
  { label: words.outline.fillHoles, onClick: () => void reshapeChosen({ type: 'fill' }, 'rows'), testId: 'rows-fill' },
  { label: words.outline.grow, onClick: () => askAmount('grow', 'rows'), testId: 'rows-grow' },
  { label: words.outline.shrink, onClick: () => askAmount('shrink', 'rows'), testId: 'rows-shrink' },
]
