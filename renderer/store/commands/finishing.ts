// What Enter and Delete mean while a tool is in hand or something is selected: the newest intention, and never a run.
import { deleteLassoed, deleteObject, selectedRun } from '../objects/objectActions'
import { deletePoint } from '../document/pointActions'
import { deleteSelected, finishPolygon } from '../document/projectActions'
import { isClicked } from '../slices/projectSlice'
import { getState, patch, useStore, type State } from '../store'
import { keepWand } from '../objects/wandActions'

/** Whether a tool is in hand, or something half drawn. */
export const canFinish = ({ project, ui, wand } = getState()): boolean =>
  project.drawing !== null || project.tool !== null || wand.on || ui.tool === 'rectangle'

/** A polygon or a line is closed, what the wand outlines is kept; any other tool, which keeps what it made as it goes, is put away. */
export function finish(): void {
  const { wand } = getState()
  if (finishPolygon()) return
  if (wand.on && wand.node) return void keepWand()
  patch('project', { tool: null, drawing: null })
  patch('ui', { tool: 'pan', drawn: null })
  if (wand.on) patch('wand', { on: false, points: [], node: null })
}

/** Whether an object or a region was selected last: a key deletes that, and not what was selected before it. */
let newest: 'object' | 'region' = 'region'
/** A deletion is on its way: what was selected before is not meant by the next press. */
let deleting = false

function means(what: typeof newest): void {
  newest = what
  deleting = false
}

/** Of a click it was busy with the place before; what follows a place through previews is no choice. */
const isChosen = ({ selection: { object, at, state } }: State, before: State): boolean =>
  object !== null && state === 'found' && (at !== before.selection.at || before.selection.state === 'busy')

export function followSelection(state: State, before: State): void {
  const { selection, project } = state
  if (isChosen(state, before)) means('object')
  else if (!selection.object && before.selection.object && !deleting) means('region')
  else if (selection.state === 'empty' && before.selection.state !== 'empty') means('region')
  if (project.selected !== before.project.selected && project.selected.length > 0) means('region')
}
useStore.subscribe(followSelection)

/** While a polygon is drawn its last point goes instead; a ruler's line goes whole. */
function deleteDrawn(): boolean {
  const { drawing } = getState().project
  if (!drawing) return false
  const { points } = drawing
  if (isClicked(drawing.tool) && points.length > 2)
    patch('project', { drawing: { ...drawing, points: [...points.slice(0, -2), ...points.slice(-1)] } })
  // A stroke ends with its pointer.
  else if (isClicked(drawing.tool) || drawing.tool === 'ruler') patch('project', { drawing: null })
  return true
}

export function deleteMeant(): void {
  if (deleteDrawn()) return
  if (newest === 'object') {
    const run = selectedRun(getState())
    if (deleteObject()) return void (deleting = run !== null)
    if (deleting) return
  }
  if (deletePoint() || deleteLassoed()) return
  deleteSelected()
}
