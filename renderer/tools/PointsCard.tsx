// What the points' tool holds: the class that is counted, and how many there are of each.
import { formatPercent } from '../arithmetic/format'
import { choosePointClass } from '../store/document/pointActions'
import { pointCounts, pointRegion } from '../store/document/pointSlice'
import { unclassified } from '../store/slices/projectSlice'
import { patch, useStore } from '../store/store'
import { Swatch } from '../widgets/Swatch'
import { words } from '../words'
import { ToolCard } from './ToolCard'

const close = (): void => patch('project', { tool: null, point: null })

export function PointsCard() {
  const on = useStore((state) => state.project.tool === 'points')
  const project = useStore((state) => state.project)
  if (!on) return null
  const region = pointRegion(project)
  const chosen = region ? region.classId : project.pointClass
  const counts = pointCounts(project)
  const all = counts.reduce((sum, { points }) => sum + points, 0)
  const rows = [{ id: null, name: words.names.noClass, color: unclassified }, ...(project.doc?.classes ?? [])]
  return (
    <ToolCard id="points" title={words.points.title} note={words.counts.points(all)} noteId="points-count" onClose={close}>
      <div className="point-classes" role="group" aria-label={words.points.classOf}>
        {rows.map(({ id, name, color }) => {
          const found = counts.find(({ classId }) => classId === id)
          return (
            <button
              key={id ?? ''}
              type="button"
              aria-pressed={chosen === id}
              onClick={() => choosePointClass(id)}
              data-testid={`points-${id ?? 'none'}`}
            >
              <Swatch colour={color} name={name} isSaid />
              <span>{name}</span>
              <span className="num">{found ? words.points.countAndShare(found.points, formatPercent(found.share)) : '0'}</span>
            </button>
          )
        })}
      </div>
      <p className="dim">{words.points.help}</p>
    </ToolCard>
  )
}
