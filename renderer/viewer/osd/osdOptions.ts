// How OpenSeadragon is set up: what it draws by, how it moves, and how much it keeps.
import { tilesOfScreens } from '../tiles/cacheBudget'

export type DrawerChoice = 'canvas' | 'webgl'
type Drawers = DrawerChoice[]

export function osdOptions(drawer: DrawerChoice) {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const gestures = { clickToZoom: false, dblClickToZoom: false, dblClickDragToZoom: false, flickEnabled: !calm }
  const drawers: Drawers = drawer === 'canvas' ? ['canvas'] : ['webgl', 'canvas']
  return {
    drawer: drawers,
    showNavigationControl: false,
    navigatorRotate: true,
    navigatorDrawer: 'canvas' as const,
    // Its place has the theme's.
    navigatorBackground: 'transparent',
    navigatorBorderColor: 'transparent',
    navigatorDisplayRegionColor: '#3ecfb2',
    maxTilesPerFrame: 16,
    imageLoaderLimit: 12,
    maxImageCacheCount: tilesOfScreens(4),
    timeout: 60000,
    // Asked for again by revive().
    tileRetryMax: 0,
    animationTime: calm ? 0 : 0.5,
    springStiffness: 9,
    blendTime: 0,
    immediateRender: false,
    minZoomImageRatio: 0.3,
    maxZoomPixelRatio: 24,
    visibilityRatio: 0.2,
    constrainDuringPan: false,
    zoomPerScroll: 1.35,
    autoResize: true,
    preserveImageSizeOnResize: true,
    // Where no tile is yet: seen on a dark and a light surrounding.
    placeholderFillStyle: 'rgba(128, 128, 128, 0.1)',
    gestureSettingsMouse: gestures,
    gestureSettingsPen: gestures,
    gestureSettingsTouch: { ...gestures, pinchToZoom: true },
    crossOriginPolicy: false as const,
  }
}
