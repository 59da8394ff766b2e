// What a region of interest is called, over it.
import { isArea, isPoints, type RegionOfInterest, type RegionShape } from '../../../app/contract'
import { lineWords } from '../../arithmetic/brushShape'
import { formatCount } from '../../arithmetic/format'
import { toScreen, type View } from '../../arithmetic/geometry'
import { boxOfShape } from '../../arithmetic/regionShapes'
import { colourOf, titleOf } from '../../store/slices/projectSlice'
import { useStore } from '../../store/store'
import { leastLabelledPx } from './shownRegions'

interface Props {
  readonly region: RegionOfInterest
  readonly shape: RegionShape
  readonly view: View
}

export function RegionLabel({ region, shape, view }: Props) {
  const title = useStore((state) => titleOf(state.project, region))
  const colour = useStore((state) => colourOf(state.project, region))
  const objects = useStore((state) => state.project.measures.get(region.id)?.objects ?? null)
  const length = useStore(({ slide: { info } }) =>
    shape.kind === 'line' && info ? lineWords(shape.points, info.mppX, info.mppY) : null,
  )
  const box = boxOfShape(shape)
  // Small on the screen a region has no room for words.
  if (isArea(shape) && Math.max(box.width, box.height) * view.zoom < leastLabelledPx) return null
  const top = toScreen(view, { x: box.x + box.width / 2, y: box.y })
  return (
    // Of its colour, and lighter: the line has it pure, and words of a dark one could not be read.
    <text x={top.x} y={top.y - 6} className="region-label" style={{ fill: `color-mix(in srgb, ${colour}, #fff 60%)` }}>
      {title}
      {isPoints(shape) ? ` (${formatCount(shape.points.length)})` : ''}
      {length === null ? '' : `: ${length}`}
      {objects === null ? '' : `: ${formatCount(objects)}`}
    </text>
  )
}
