// What the wand holds: which image it looks at, how large the node is and how it stands out, and what a click does.
import { Button, SegmentedControl, Select } from '@mantine/core'
import { IconMinus, IconPlus, IconX } from '@tabler/icons-react'
import { formatDuration } from '../arithmetic/format'
import { tip } from '../store/commands'
import { currentSpec } from '../store/recipeSlice'
import { patch, useStore } from '../store/store'
import { chooseWandLayer, keepWand, leaveWand, wandWalks } from '../store/wandActions'
import { areaWords, placeWords } from '../store/wandSlice'
import { IconButton } from '../widgets/IconButton'

export function WandCard() {
  const { on, node, busy, layer, keeps } = useStore((state) => state.wand)
  const spec = useStore((state) => currentSpec(state.recipe))
  if (!on || !spec) return null
  const layers = node?.layers ?? (layer === '' ? [] : [layer])
  const labelOf = (id: string): string => spec.layers.find((each) => each.id === id)?.label ?? id
  return (
    <section className="why wand steady" data-testid="wand" data-busy={busy} aria-label="Max-tree wand">
      <div className="why-head">
        <b>Wand</b>
        <span className="dim grow">{node ? formatDuration(node.elapsedMs) : ''}</span>
        <IconButton size={22} label="Smaller: the next shape inside it" onClick={() => void wandWalks(-1)} testId="wand-in">
          <IconMinus size={13} />
        </IconButton>
        <IconButton size={22} label="Larger: the next shape around it" onClick={() => void wandWalks(1)} testId="wand-out">
          <IconPlus size={13} />
        </IconButton>
        <IconButton size={22} {...tip('cancel')} label="Close" onClick={leaveWand} testId="wand-close">
          <IconX size={13} />
        </IconButton>
      </div>
      <div className="why-body">
        <Select
          size="xs"
          label="Image"
          data={layers.map((id) => ({ value: id, label: labelOf(id) }))}
          value={layer === '' ? (node?.layer ?? null) : layer}
          placeholder="The recipe’s channel"
          onChange={(id) => id !== null && chooseWandLayer(id)}
          allowDeselect={false}
          data-testid="wand-image"
        />
        {node ? (
          <dl className="why-values wand-values" data-testid="wand-values" data-walked={node.walked}>
            <div>
              <dt>Area</dt>
              <dd className="num" data-testid="wand-area">
                {areaWords(node)}
                {node.cut ? ' or more' : ''}
              </dd>
            </div>
            <div>
              <dt>Brighter than</dt>
              <dd className="num">{node.value - 1}</dd>
            </div>
            <div>
              <dt>Nested shapes</dt>
              <dd className="num">{placeWords(node)}</dd>
            </div>
          </dl>
        ) : (
          <p className="dim">{busy ? 'Building the tree of this field…' : 'Point at the slide.'}</p>
        )}
        {node?.parts.length === 0 ? (
          <p className="dim" data-testid="wand-nothing">
            Nothing stands out here. Ctrl and the wheel take what is around it.
          </p>
        ) : null}
        {node?.cut && node.parts.length > 0 && <p className="dim">It reaches the end of the field that was looked at.</p>}
        <SegmentedControl
          size="xs"
          aria-label="What a click keeps"
          value={keeps}
          onChange={(value) => patch('wand', { keeps: value === 'object' ? 'object' : 'region' })}
          data={[
            { value: 'region', label: 'Region' },
            { value: 'object', label: 'Object' },
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
          {keeps === 'region' ? 'Keep as a region' : 'Add to the result'}
        </Button>
        <p className="dim">
          Ctrl and the wheel: larger or smaller. A click keeps it; a drag takes the smallest that holds the stroke.
        </p>
      </div>
    </section>
  )
}
