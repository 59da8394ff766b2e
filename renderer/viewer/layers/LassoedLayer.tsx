// The objects that the lasso holds, highlighted as the selected one is.
import { useMemo } from 'react'
import type { Lasso } from '../../store/slices/projectSlice'
import { useStore } from '../../store/store'
import { smoothRing } from '../tiles/borders'
import { pathOfRings } from '../svgPaths'

export function LassoedObjects({ lasso: { runId, outlines } }: { readonly lasso: Lasso }) {
  const step = useStore((state) => state.runs.byId[runId]?.grid.scale ?? 1)
  const path = useMemo(() => outlines && pathOfRings(outlines.map((ring) => smoothRing(ring, step))), [outlines, step])
  if (!path) return null
  return (
    <>
      <path d={path} className="lassoed-halo" />
      <path d={path} className="lassoed" data-testid="lassoed" />
    </>
  )
}
