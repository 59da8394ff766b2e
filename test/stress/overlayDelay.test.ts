// How long the engine's thread is kept while dense overlay tiles are painted, by level. Figures by hand:
//   npx vitest run --config test/stress/vitest.config.ts overlayDelay
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { it } from 'vitest'
import { deepestObjectLevel } from '../../app/contract'
import { OverlayTiles } from '../../main/overlay/overlayTiles'
import { TileResults } from '../../main/run/tiles/tileResults'
import { denseRun } from '../main/overlay/madeDense'

it('by level', async () => {
  const rows: object[] = []
  for (let level = 0; level <= 6; level++) {
    // 10^5 objects within the tile at every level that has room for them: 2 px apart at level 0 they overlap.
    const side = Math.max(2048, 256 * 2 ** level)
    const run = denseRun(100_000, side)
    const overlays = new OverlayTiles(2 ** 28, new TileResults())
    const delay = monitorEventLoopDelay({ resolution: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    delay.enable()
    // The first sample sets the clock: without it a tile that is painted there and then would not show.
    await new Promise((resolve) => setTimeout(resolve, 20))
    const begun = performance.now()
    await (level <= deepestObjectLevel ? overlays.objects(run, level, 0, 0) : overlays.density(run, level, 0, 0))
    const ms = performance.now() - begun
    await new Promise((resolve) => setTimeout(resolve, 20))
    delay.disable()
    rows.push({ level, ms: Math.round(ms), longestDelayMs: Math.round(delay.max / 1e6) })
  }
  console.table(rows)
})
