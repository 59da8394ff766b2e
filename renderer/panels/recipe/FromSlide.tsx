// Offers to take values of the recipe from the open slide or from the selected region: its stains, as colours too, and the limit between its classes.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { stainMethodTitles } from '../../../app/contract'
import type { StageSpec, StainMethod } from '../../../app/contract'
import { currentSpec, valueOf } from '../../store/slices/recipeSlice'
import { areaSelected } from '../../store/slices/projectSlice'
import { stainNames } from '../../store/slices/slideSlice'
import { takeClassLimit, takeStains, type Source } from '../../store/recipe/fromSlide'
import { useStore } from '../../store/store'
import { Swatch } from '../../widgets/Swatch'
import { words } from '../../words'
import { titled } from '../../words/named'

/** As it looks where it takes so much light that the eye tells its colour well. */
const shownDensity = 0.8
const colorOf = (vector: readonly number[]): string => {
  const length = Math.hypot(...vector) || 1
  return `rgb(${vector.map((part) => Math.round(255 * 10 ** ((-shownDensity * part) / length))).join(' ')})`
}

interface Way {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly take: (source: Source) => Promise<void>
}
const stainWays: readonly Way[] = (Object.keys(stainMethodTitles) as StainMethod[]).map((method) => ({
  id: method,
  label: titled(stainMethodTitles[method].label),
  help: titled(stainMethodTitles[method].help),
  take: (source) => takeStains(method, source),
}))
const limitWays: readonly Way[] = [
  {
    id: 'otsu',
    label: words.fromSlide.otsu,
    help: words.fromSlide.otsuHelp,
    take: takeClassLimit,
  },
]

export function StainsFromSlide({ stage }: { readonly stage: StageSpec }) {
  const set = useStore((state) => currentSpec(state.recipe)?.stainSet ?? 'h-e')
  const recipe = useStore((state) => state.recipe)
  const values = stage.params.map((param) => Number(valueOf(recipe, stage.id, param)))
  return (
    <div className="stains">
      <ul className="stain-colors">
        {[0, 1].map((k) => (
          <li key={k}>
            <Swatch className="stain-mark" colour={colorOf(values.slice(3 * k, 3 * k + 3))} name={stainNames[set][k]!} isSaid />
            {stainNames[set][k]}
            <span className="num" data-testid={`stain-${k}`}>
              {values
                .slice(3 * k, 3 * k + 3)
                .map((value) => value.toFixed(2))
                .join(' ')}
            </span>
          </li>
        ))}
      </ul>
      <Offers what="stains" ways={stainWays} />
    </div>
  )
}

export function LimitFromSlide() {
  return (
    <div className="stains">
      <Offers what="limit" ways={limitWays} />
    </div>
  )
}

interface OffersProps {
  readonly what: 'stains' | 'limit'
  readonly ways: readonly Way[]
}

function Offers(of: OffersProps) {
  return (
    <>
      <Offer {...of} source="slide" />
      <Offer {...of} source="region" />
    </>
  )
}

function Offer({ what, ways, source }: OffersProps & { readonly source: Source }) {
  const isThere = useStore(({ slide, project }) => slide.info !== null && (source === 'slide' || areaSelected(project) !== null))
  const [asking, setAsking] = useState<string | null>(null)
  return (
    <Group gap={6} mb={4} role="group" aria-label={words.fromSlide[what].take(source)}>
      <span className={`dim ${source === 'region' ? 'stains-from' : ''}`}>{words.fromSlide.from(source)}</span>
      {ways.map(({ id, label, help, take }) => (
        <Button
          key={id}
          size="compact-xs"
          variant="light"
          disabled={!isThere}
          loading={asking === id}
          title={isThere || source === 'slide' ? help : words.fromSlide.selectRegion}
          onClick={() => {
            setAsking(id)
            void take(source).finally(() => setAsking(null))
          }}
          data-testid={`${what}-${source === 'slide' ? '' : 'region-'}${id}`}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}
