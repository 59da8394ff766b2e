// How results and layers are shown; style and opacity are kept in the settings, the rest by this page (persist.ts).
import { runOfMapLayer, type ColourColumn, type OverlayStyle } from '../../../app/contract'
import { colourScales, type ColourScale, type Ink } from '../../arithmetic/colours'
import { Debounced } from '../runs/preview'
import { previewNow } from '../runs/previewActions'
import { saveSettings } from '../base/settingsActions'
import { getState, patch } from '../store'
import { layerOf } from '../slices/uiSlice'

const save = new Debounced(() => {
  const { style, opacity } = getState().overlay
  void saveSettings({ overlayStyle: style, overlayOpacity: opacity })
})

export function setStyle(style: OverlayStyle): void {
  patch('overlay', { style, visible: true })
  save.soon(400)
}
export function setOpacity(opacity: number): void {
  patch('overlay', { opacity })
  save.soon(400)
}
export function toggleOverlay(): void {
  patch('overlay', { visible: !getState().overlay.visible })
}
export const setWidth = (widthPx: number): void => patch('overlay', { widthPx })
export const setInk = (ink: Ink): void => patch('overlay', { ink, column: null })
/** The scale is found anew from what is in view. */
export const setColumn = (column: ColourColumn | null): void => patch('overlay', { column, range: null, visible: true })
export const setScale = (scale: ColourScale): void => patch('overlay', { scale })
export const setLayerScale = (layerScale: ColourScale): void => patch('overlay', { layerScale })
/** From what is in view now. */
export const fitRange = (): void => patch('overlay', { range: null })
export const fitLayerRange = (): void => patch('overlay', { layerRange: null })
/** Every value that an intermediate image can have. */
const wholeRange = { low: 0, high: 255, settled: true }
export const wholeLayerRange = (): void => patch('overlay', { layerRange: wholeRange })
export const isScale = (value: string | null): value is ColourScale =>
  (colourScales as readonly (string | null)[]).includes(value)

/** An intermediate image exists only where a preview computed it. */
export function setLayer(layer: string): void {
  patch('ui', { layer })
  const shown = layerOf(layer)
  const isMap = shown !== null && runOfMapLayer(shown) !== null
  // A map's scale is the whole map's.
  patch('overlay', { layerRange: isMap ? wholeRange : null })
  if (shown !== null && !isMap) previewNow()
}
