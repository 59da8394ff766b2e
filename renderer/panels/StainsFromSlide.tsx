// The recipe's stains as colours, and the offers to take them from the open slide or from the selected region.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { stainMethodTitles } from '../../app/contract'
import type { StageSpec, StainMethod } from '../../app/contract'
import { currentSpec, valueOf } from '../store/recipeSlice'
import { areaSelected } from '../store/projectSlice'
import { stainNames } from '../store/slideSlice'
import { takeStains, type StainSource } from '../store/stainActions'
import { useStore } from '../store/store'

/** As it looks where it takes so much light that the eye tells its colour well. */
const shownDensity = 0.8
const colorOf = (vector: readonly number[]): string => {
  const length = Math.hypot(...vector) || 1
  return `rgb(${vector.map((part) => Math.round(255 * 10 ** ((-shownDensity * part) / length))).join(' ')})`
}

export function StainsFromSlide({ stage }: { readonly stage: StageSpec }) {
  const set = useStore((state) => currentSpec(state.recipe)?.stainSet ?? 'h-e')
  const recipe = useStore((state) => state.recipe)
  const values = stage.params.map((param) => Number(valueOf(recipe, stage.id, param)))
  return (
    <div className="stains">
      <ul className="stain-colors">
        {[0, 1].map((k) => (
          <li key={k}>
            <i style={{ background: colorOf(values.slice(3 * k, 3 * k + 3)) }} aria-hidden />
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
      <Offer source="slide" />
      <Offer source="region" />
    </div>
  )
}

const offers = {
  slide: { words: 'From the slide:', label: 'Take the stains from the slide' },
  region: { words: 'From the selected region:', label: 'Take the stains from the selected region' },
} as const satisfies Record<StainSource, object>

function Offer({ source }: { readonly source: StainSource }) {
  const isThere = useStore(({ slide, project }) => slide.info !== null && (source === 'slide' || areaSelected(project) !== null))
  const [asking, setAsking] = useState<StainMethod | null>(null)
  const ask = (method: StainMethod): void => {
    setAsking(method)
    void takeStains(method, source).finally(() => setAsking(null))
  }
  const { words, label } = offers[source]
  return (
    <Group gap={6} mb={4} role="group" aria-label={label}>
      <span className={`dim ${source === 'region' ? 'stains-from' : ''}`}>{words}</span>
      {(Object.keys(stainMethodTitles) as StainMethod[]).map((method) => (
        <Button
          key={method}
          size="compact-xs"
          variant="light"
          disabled={!isThere}
          loading={asking === method}
          title={isThere || source === 'slide' ? stainMethodTitles[method].help : 'Select one region of interest first'}
          onClick={() => ask(method)}
          data-testid={`stains-${source === 'slide' ? '' : 'region-'}${method}`}
        >
          {stainMethodTitles[method].label}
        </Button>
      ))}
    </Group>
  )
}
