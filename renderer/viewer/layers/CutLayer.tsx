// What is above the slider's value, coloured over the slide while it moves.
import { useLayoutEffect, useRef } from 'react'
import { colourAbove, stepOf } from '../../store/slices/cutsSlice'
import { currentSpec, findParam, valueOf } from '../../store/slices/recipeSlice'
import { useStore } from '../../store/store'

export function CutLayer() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useStore((state) => state.ui.view)
  const cuts = useStore((state) => (state.cuts.moving ? state.cuts.cuts : null))
  const values = useStore((state) => state.cuts.values)
  const step = useStore((state) => {
    const [stage = '', key = ''] = state.cuts.param?.split('.') ?? []
    const spec = currentSpec(state.recipe)
    const param = spec && findParam(spec, stage, key)
    const value = param && valueOf(state.recipe, stage, param)
    return param?.kind === 'number' && typeof value === 'number' ? stepOf(param, value) : null
  })
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !cuts || !values || step === null || values.length !== cuts.width * cuts.height) return
    const image = context.createImageData(cuts.width, cuts.height)
    colourAbove(values, step, image.data)
    context.putImageData(image, 0, 0)
  }, [cuts, values, step])
  if (!view || !cuts || step === null) return null
  const { center, zoom, rotation, flipped, width, height } = view
  const { region, scale } = cuts
  const transform = `translate(${width / 2}px, ${height / 2}px) scaleX(${flipped ? -1 : 1}) rotate(${rotation}deg) scale(${zoom}) translate(${region.x - center.x}px, ${region.y - center.y}px) scale(${scale})`
  return (
    <div className="fill through cut-layer" aria-hidden>
      <canvas ref={canvas} width={cuts.width} height={cuts.height} style={{ transform }} data-testid="cut-layer" />
    </div>
  )
}
