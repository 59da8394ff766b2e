// Under the name of a clicked object whose outline is not the recipe's: how it was found, and what can be done about it.
import { currentSpec } from '../store/slices/recipeSlice'
import { showOtherOutline } from '../store/selection/selectionActions'
import { useStore } from '../store/store'
import { askWhy, takeOffer } from '../store/recipe/whyActions'
import { valuesWords } from '../store/slices/whySlice'
import { words } from '../words'

export function ClickNote() {
  const { outlined, recipes, object, at } = useStore((state) => state.selection)
  const spec = useStore((state) => currentSpec(state.recipe))
  if (!outlined || !spec) return null
  const own = object === recipes
  const how =
    outlined.by === 'path'
      ? words.click.alongEdge(recipes !== null)
      : words.click.withValues(valuesWords(spec, outlined.changes), recipes !== null)
  return (
    <p className="nothing" data-testid="click-note" data-by={own ? 'recipe' : outlined.by}>
      {own ? words.click.asRun : how}{' '}
      {recipes && (
        <button type="button" className="legend-link" onClick={showOtherOutline} data-testid="click-other">
          {own ? words.click.otherOutline : words.click.recipes}
        </button>
      )}
      {!own && outlined.changes.length > 0 && (
        <button type="button" className="legend-link" onClick={() => takeOffer(outlined)} data-testid="click-take">
          {words.click.takeValues}
        </button>
      )}
      {!recipes && at && (
        <button type="button" className="legend-link" onClick={() => askWhy(at)} data-testid="why-not">
          {words.buttons.why}
        </button>
      )}
    </p>
  )
}
