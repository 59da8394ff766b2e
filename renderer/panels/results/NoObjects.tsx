// Zero objects are not left without a word: what is likely, and the one step that shows more.
import { Button } from '@mantine/core'
import type { RunStatus } from '../../../app/contract'
import { keyNamed } from '../../store/base/commandKeys'
import { adviceForNone, deletedWords } from '../../store/runs/noObjects'
import { setLayer } from '../../store/slide/overlayActions'
import { undoDocument } from '../../store/document/projectActions'
import { currentSpec } from '../../store/slices/recipeSlice'
import { isDarkSlide } from '../../store/slices/slideSlice'
import { useStore } from '../../store/store'
import { words } from '../../words'

/** Undo brings them back, where that was the last step; else step by step. */
function AllDeleted({ run, text }: { readonly run: RunStatus; readonly text: string }) {
  const deletesOf = useStore((state) => state.project.doc?.undo?.deletesOf)
  const isLast = run.keptId !== undefined && deletesOf === run.keptId
  return (
    <div className="no-objects" role="status" data-testid="all-deleted">
      <p>
        {text} {isLast ? '' : words.noObjects.undo(keyNamed('undo'))}
      </p>
      {isLast && (
        <Button size="compact-xs" variant="default" onClick={() => void undoDocument()} data-testid="bring-back">
          {words.noObjects.bringBack}
        </Button>
      )}
    </div>
  )
}

export function NoObjects({ run }: { readonly run: RunStatus }) {
  const spec = useStore((state) => currentSpec(state.recipe))
  const dark = useStore((state) => isDarkSlide(state.slide))
  const deleted = deletedWords(run)
  if (deleted !== null) return <AllDeleted run={run} text={deleted} />
  const advice = adviceForNone(run, spec, dark)
  if (!advice) return null
  const { text, layer } = advice
  return (
    <div className="no-objects" role="status" data-testid="no-objects">
      <p>{text}</p>
      {layer && (
        <Button size="compact-xs" variant="default" onClick={() => setLayer(`layer:${layer.id}`)}>
          {words.noObjects.lookAtStep(layer.label)}
        </Button>
      )}
    </div>
  )
}
