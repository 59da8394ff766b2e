// How results and layers are shown; the overlay's looks are kept in the settings.
import type { OverlayStyle } from '../../app/contract'
import { Debounced } from './preview'
import { previewNow } from './previewActions'
import { saveSettings } from './settingsActions'
import { getState, patch } from './store'

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

/** An intermediate image exists only where a preview computed it. */
export function setLayer(layer: string): void {
  patch('ui', { layer })
  if (layer.startsWith('layer:')) previewNow()
}
