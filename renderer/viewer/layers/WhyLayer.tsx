// The point that is asked about, and the shape that was kept or dropped there, over the slide.
import { useMemo } from 'react'
import { toScreen } from '../../arithmetic/geometry'
import { useStore } from '../../store/store'
import { pathOfRings, transformOf } from '../svgPaths'

export function WhyLayer() {
  const view = useStore((state) => state.ui.view)
  const { on, at, pinned, found } = useStore((state) => state.why)
  const path = useMemo(() => (found ? pathOfRings(found.outline) : ''), [found])
  if (!on || !view || !at) return null
  const point = toScreen(view, at)
  return (
    <svg className="fill through why-layer" data-testid="why-layer" data-inside={found?.inside} aria-hidden>
      {path !== '' && (
        <g transform={transformOf(view)} className={found?.inside ? 'kept' : 'dropped'}>
          <path d={path} className="why-halo" />
          <path d={path} className="why-line" data-testid="why-outline" />
        </g>
      )}
      {pinned && <path className="why-point" d={`M${point.x - 9} ${point.y}h6m6 0h6M${point.x} ${point.y - 9}v6m0 6v6`} />}
    </svg>
  )
}
