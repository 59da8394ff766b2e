// The max-tree node in the wand's hand, over the slide, and the stroke that chose it.
import { useMemo } from 'react'
import { useStore } from '../../store/store'
import { pathOfRings, transformOf } from '../svgPaths'

export function WandLayer() {
  const view = useStore((state) => state.ui.view)
  const { on, node, stroke, points } = useStore((state) => state.wand)
  const path = useMemo(() => (node ? pathOfRings(node.parts.flat()) : ''), [node])
  if (!on || !view) return null
  return (
    <svg className="fill through wand-layer" data-testid="wand-layer" aria-hidden>
      <g transform={transformOf(view)}>
        {path !== '' && (
          <>
            <path d={path} className="wand-halo" fillRule="evenodd" />
            <path d={path} className={`wand-line ${node?.cut ? 'cut' : ''}`} data-testid="wand-outline" />
          </>
        )}
        {stroke && <path d={`M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`} className="wand-stroke" />}
      </g>
    </svg>
  )
}
