// What the wand holds: which image it looks at, how large the node is and how it stands out, and what a click does.
import { Button, SegmentedControl, Select } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { formatDuration } from '../arithmetic/format'
import { currentSpec } from '../store/slices/recipeSlice'
import { patch, useStore } from '../store/store'
import { chooseWandLayer, keepWand, leaveWand, wandWalks } from '../store/objects/wandActions'
import { areaWords, placeWords } from '../store/slices/wandSlice'
import { IconButton } from '../widgets/IconButton'
import { words } from '../words'
import { ToolCard } from './ToolCard'

export function WandCard() {
  const { on, node, busy, layer, keeps } = useStore((state) => state.wand)
  const spec = useStore((state) => currentSpec(state.recipe))
  if (!on || !spec) return null
  const layers = node?.layers ?? (layer === '' ? [] : [layer])
  const labelOf = (id: string): string => spec.layers.find((each) => each.id === id)?.label ?? id
  return (
    <ToolCard
      id="wand"
      title={words.wand.title}
      label={words.wand.card}
      note={node ? formatDuration(node.elapsedMs) : ''}
      buttons={
        <>
          <IconButton size={22} label={words.wand.smaller} onClick={() => void wandWalks(-1)} testId="wand-in">
            <IconMinus size={13} />
          </IconButton>
          <IconButton size={22} label={words.wand.larger} onClick={() => void wandWalks(1)} testId="wand-out">
            <IconPlus size={13} />
          </IconButton>
        </>
      }
      looks="narrow steady"
      isBusy={busy}
      onClose={leaveWand}
    >
      <Select
        size="xs"
        label={words.names.image}
        data={layers.map((id) => ({ value: id, label: labelOf(id) }))}
        value={layer === '' ? (node?.layer ?? null) : layer}
        placeholder={words.wand.recipesChannel}
        onChange={(id) => id !== null && chooseWandLayer(id)}
        allowDeselect={false}
        data-testid="wand-image"
      />
      {node ? (
        <dl className="why-values wand-values" data-testid="wand-values" data-walked={node.walked}>
          <div>
            <dt>{words.names.area}</dt>
            <dd className="num" data-testid="wand-area">
              {areaWords(node)}
              {node.cut ? words.wand.orMore : ''}
            </dd>
          </div>
          <div>
            <dt>{words.wand.brighterThan}</dt>
            <dd className="num">{node.value - 1}</dd>
          </div>
          <div>
            <dt>{words.wand.nested}</dt>
            <dd className="num">{placeWords(node)}</dd>
          </div>
        </dl>
      ) : (
        <p className="dim">{busy ? words.wand.building : words.states.pointAtSlide}</p>
      )}
      {node?.parts.length === 0 ? (
        <p className="dim" data-testid="wand-nothing">
          {words.wand.nothing}
        </p>
      ) : null}
      {node?.unread && <p className="dim">{words.wand.unread}</p>}
      {node?.cut && node.parts.length > 0 && <p className="dim">{words.wand.reachesEnd}</p>}
      <SegmentedControl
        size="xs"
        aria-label={words.wand.whatAClickKeeps}
        value={keeps}
        onChange={(value) => patch('wand', { keeps: value === 'object' ? 'object' : 'region' })}
        data={[
          { value: 'region', label: words.names.region },
          { value: 'object', label: words.names.object },
        ]}
        data-testid="wand-keeps"
      />
      <Button
        size="compact-xs"
        variant="light"
        disabled={!node || node.parts.length === 0}
        onClick={() => void keepWand()}
        data-testid="wand-keep"
      >
        {keeps === 'region' ? words.wand.keepAsRegion : words.wand.addToResult}
      </Button>
      <p className="dim">{words.wand.help}</p>
    </ToolCard>
  )
}
