// Under the name of a clicked object whose outline is not the recipe's: how it was found, and what can be done about it.
import { currentSpec } from '../store/recipeSlice'
import { showOtherOutline } from '../store/selectionActions'
import { useStore } from '../store/store'
import { askWhy, takeOffer } from '../store/whyActions'
import { valuesWords } from '../store/whySlice'

export function ClickNote() {
  const { outlined, recipes, object, at } = useStore((state) => state.selection)
  const spec = useStore((state) => currentSpec(state.recipe))
  if (!outlined || !spec) return null
  const own = object === recipes
  const how =
    outlined.by === 'path'
      ? 'Outlined along the strongest edge around the click'
      : `Found with ${valuesWords(spec, outlined.changes)}`
  return (
    <p className="nothing" data-testid="click-note" data-by={own ? 'recipe' : outlined.by}>
      {own
        ? 'As a run with these values finds it.'
        : `${how}: ${recipes ? 'the recipe outlines it otherwise' : 'the recipe finds nothing here'}.`}{' '}
      {recipes && (
        <button type="button" className="legend-link" onClick={showOtherOutline} data-testid="click-other">
          {own ? 'The other outline' : 'The recipe’s'}
        </button>
      )}
      {!own && outlined.changes.length > 0 && (
        <button type="button" className="legend-link" onClick={() => takeOffer(outlined)} data-testid="click-take">
          Take these values
        </button>
      )}
      {!recipes && at && (
        <button type="button" className="legend-link" onClick={() => askWhy(at)} data-testid="why-not">
          Why?
        </button>
      )}
    </p>
  )
}
