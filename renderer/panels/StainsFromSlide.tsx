// The recipe's stains as colours, and the offer to take them from the open slide.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { stainMethodTitles } from '../../app/contract'
import type { StageSpec, StainMethod } from '../../app/contract'
import { currentSpec, valueOf } from '../store/recipeSlice'
import { stainNames } from '../store/slideSlice'
import { stainsFromSlide } from '../store/stainActions'
import { useStore } from '../store/store'

/** As it looks where it takes so much light that the eye tells its colour well. */
const shownDensity = 0.8
const colorOf = (vector: readonly number[]): string => {
  const length = Math.hypot(...vector) || 1
  return `rgb(${vector.map((part) => Math.round(255 * 10 ** ((-shownDensity * part) / length))).join(' ')})`
}

export function StainsFromSlide({ stage }: { readonly stage: StageSpec }) {
  const hasSlide = useStore((state) => state.slide.info !== null)
  const set = useStore((state) => currentSpec(state.recipe)?.stainSet ?? 'h-e')
  const recipe = useStore((state) => state.recipe)
  const [asking, setAsking] = useState<StainMethod | null>(null)
  const values = stage.params.map((param) => Number(valueOf(recipe, stage.id, param)))
  const ask = (method: StainMethod): void => {
    setAsking(method)
    void stainsFromSlide(method).finally(() => setAsking(null))
  }
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
      <Group gap={6} role="group" aria-label="Take the stains from the slide">
        <span className="dim">From the slide:</span>
        {(Object.keys(stainMethodTitles) as StainMethod[]).map((method) => (
          <Button
            key={method}
            size="compact-xs"
            variant="light"
            disabled={!hasSlide}
            loading={asking === method}
            title={stainMethodTitles[method].help}
            onClick={() => ask(method)}
            data-testid={`stains-${method}`}
          >
            {stainMethodTitles[method].label}
          </Button>
        ))}
      </Group>
    </div>
  )
}
