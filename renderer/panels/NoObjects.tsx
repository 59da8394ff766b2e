// Zero objects are not left without a word: what is likely, and the one step that shows more.
import { Button } from '@mantine/core'
import type { RunStatus } from '../../app/contract'
import { adviceForNone } from '../store/noObjects'
import { setLayer } from '../store/overlayActions'
import { currentSpec } from '../store/recipeSlice'
import { isDarkSlide } from '../store/slideSlice'
import { useStore } from '../store/store'

export function NoObjects({ run }: { readonly run: RunStatus }) {
  const spec = useStore((state) => currentSpec(state.recipe))
  const dark = useStore((state) => isDarkSlide(state.slide))
  const advice = adviceForNone(run, spec, dark)
  if (!advice) return null
  const { text, layer } = advice
  return (
    <div className="no-objects" role="status" data-testid="no-objects">
      <p>{text}</p>
      {layer && (
        <Button size="compact-xs" variant="default" onClick={() => setLayer(`layer:${layer.id}`)}>
          Look at the step “{layer.label}”
        </Button>
      )}
    </div>
  )
}
