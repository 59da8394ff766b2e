// What draws the slide: the address says, for tests and machines without WebGL.
import type { DrawerChoice } from './osd/osdOptions'

export const drawerChoice = (): DrawerChoice =>
  new URLSearchParams(window.location.search).get('drawer') === 'canvas' ? 'canvas' : 'webgl'
