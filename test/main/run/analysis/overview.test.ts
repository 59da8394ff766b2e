// The overview's values depend on the channel alone: what lets every other slider answer without taking them again.
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { ParamSpec, ParamValue } from '../../../../app/contract'
import { resolveParams } from '../../../../main/recipe/resolve'
import { openSpecs } from '../../../../main/recipe/specs'
import { defaultRecipe } from '../../../../main/recipe/validate'
import { overviewParams } from '../../../../main/run/analysis/overviews'
import { openSlide, overview } from '../../../../native/index'

const assets = fileURLToPath(new URL('../../../../assets', import.meta.url))

function otherValue(param: ParamSpec): ParamValue {
  if (param.kind === 'toggle') return !param.default
  if (param.kind === 'choice') return param.choices.find(({ value }) => value !== param.default)?.value ?? param.default
  // Downwards: the sum of some weights must not exceed 1.
  const near = param.default - param.step
  return near >= param.min ? near : Math.min(param.max, param.default + param.step)
}

it('finds the same whatever a later stage is set to', async () => {
  const slide = await openSlide(`${assets}/samples/CMU-1-Small-Region.svs`)
  const { rgba } = await slide.readScaled(1, 900, 900, 300, 300)
  let varied = 0
  for (const spec of await openSpecs(assets).list()) {
    const base = resolveParams(spec, defaultRecipe(spec), 0.5)
    const found = await overview(spec.pipeline, base, rgba, 300, 300)
    for (const stage of spec.stages) {
      for (const param of stage.params) {
        const name = `${stage.id}.${param.key}`
        if (name in overviewParams(base)) continue
        const recipe = defaultRecipe(spec)
        const params = { ...recipe.params, [stage.id]: { ...recipe.params[stage.id], [param.key]: otherValue(param) } }
        const changed = await overview(spec.pipeline, resolveParams(spec, { ...recipe, params }, 0.5), rgba, 300, 300)
        expect([spec.id, name, changed]).toEqual([spec.id, name, found])
        varied += 1
      }
    }
  }
  expect(varied).toBeGreaterThan(20)
  slide.close()
})
