// `morphoscope info SLIDE`: what the file says about itself.
import { resolve } from 'node:path'
import type { Engine } from '../../main/engine'
import { channelWords, depthWords, stainTitles } from '../contract'
import type { Recognition, SlideInfo } from '../contract'
import { valueOf } from './exitCodes'
import { nowReading } from './parent'
import { table } from './terminal'
import type { Terminal } from './terminal'

/** `channel`: the one of several that is analysed, by its name or number. */
export async function openSlide(engine: Engine, path: string, mpp?: number, channel?: string): Promise<SlideInfo> {
  nowReading(resolve(path))
  const how = { ...(mpp === undefined ? {} : { mpp }), ...(channel === undefined ? {} : { channel }) }
  return valueOf(await engine.call('slide:open', { path: resolve(path), ...how })) as SlideInfo
}

/** Or why its overview does not tell. */
async function recognised(engine: Engine, { slideId }: SlideInfo): Promise<Recognition | string> {
  const answer = await engine.call('slide:recognise', { slideId })
  return answer.ok ? (answer.value as Recognition) : answer.error.message
}

function recognitionWords(seen: Recognition | string): string {
  if (typeof seen === 'string') return `unknown: ${seen}`
  const { stain, percent, recipe } = seen
  return recipe === null ? stainTitles[stain] : `${stainTitles[stain]} (${percent} %): --recipe ${recipe}`
}

export async function info(
  engine: Engine,
  terminal: Terminal,
  path: string,
  { json, channel }: { json?: boolean | undefined; channel?: string | undefined },
): Promise<void> {
  const slide = await openSlide(engine, path, undefined, channel)
  const seen = await recognised(engine, slide)
  if (json) {
    const { slideId: _, viewer: __, ...shown } = slide
    terminal.print(JSON.stringify({ ...shown, looksLike: typeof seen === 'string' ? null : seen }, null, 2))
    return
  }
  const levels = slide.levels.map(
    (level) => `${level.widthPx} × ${level.heightPx} (1:${Number(level.downsample.toPrecision(6))})`,
  )
  const calibration =
    slide.mppX === null || slide.mppY === null
      ? 'none: lengths are in px; --mpp gives one'
      : `${slide.mppX} × ${slide.mppY} µm/px (${slide.mppSource})`
  const depth = depthWords(slide)
  terminal.print(
    table([
      ['name', slide.name],
      ['vendor', slide.vendor],
      ['reader', `${slide.reader} ${slide.readerVersion}`],
      ['size', `${slide.widthPx} × ${slide.heightPx} px`],
      ['bounds', `${slide.bounds.x},${slide.bounds.y},${slide.bounds.width},${slide.bounds.height}`],
      ['levels', levels.join(', ')],
      ['calibration', calibration],
      ...(slide.channels.length > 0 ? [['channels', slide.channels.map(channelWords).join(', ')] as const] : []),
      ...(depth === null ? [] : [['analysed in', depth] as const]),
      ...(slide.icc === undefined ? [] : [['colour profile', `${slide.icc}; not applied to what is analysed`] as const]),
      ['objective', slide.objectivePower === null ? 'unknown' : `${slide.objectivePower}×`],
      ['looks like', recognitionWords(seen)],
      ['associated images', slide.associatedImages.join(', ') || 'none'],
    ]),
  )
  for (const warning of slide.warnings) terminal.note(`warning: ${warning}`)
}
