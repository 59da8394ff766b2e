// The addresses of a slide's picture: its samples as the file has them, or by the file's colour profile where the settings say so.
import { tilePaths, type SlideInfo } from '../../app/contract'
import { api } from '../api'
import { useStore } from '../store/store'

export type TileUrl = (k: number, x: number, y: number) => string

/** Whether a slide is shown by its colour profile. */
export const useProfile = (info: SlideInfo | null): boolean =>
  useStore(({ ui }) => info?.icc !== undefined && (ui.settings?.colorProfiles ?? false))

export function slideUrl({ slideId }: SlideInfo, byProfile: boolean): TileUrl {
  const path = byProfile ? tilePaths.converted : tilePaths.slide
  return (k, x, y) => api().tileUrl(path(slideId, k, x, y))
}
