// The judge of the arrows: reads every import and #include of the repository, and shows on planted violations that it would find them.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCircles } from './arrows/circles'
import { findLongFiles, longFiles } from './arrows/longFiles'
import { findViolations } from './arrows/rules'

const root = join(import.meta.dirname, '..')
const isText = /\.(tsx?|mts|cts|[mc]?js|[ch]pp|h|cc|cuh?|css|sh|json|html)$|CMakeLists\.txt$/

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? walk(path) : [relative(root, path).split(sep).join('/')]
  })
}

/** What git tracks or would track; without git (a downloaded archive) the folders of the house. */
function repositoryPaths(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  } catch {
    return ['app', 'renderer', 'main', 'native', 'cuda', 'assets', 'test']
      .filter((name) => existsSync(join(root, name)))
      .flatMap((name) => walk(join(root, name)))
  }
}

const files = repositoryPaths()
  .filter((path) => !path.startsWith('test/fixtures/'))
  .map((path) => ({ path, text: isText.test(path) ? readFileSync(join(root, path), 'utf8') : '' }))

test('every arrow of the repository points the right way, and every outside library has its owner', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(findViolations(files)).toEqual([])
})

test('no files of the engine and of the page import each other', () => {
  expect(findCircles(files, ['app/', 'main/', 'native/', 'renderer/'])).toEqual([])
})

test('files that import each other are found, by types alone and by others as well, and what only stands beside them is not', () => {
  const file = (path: string, ...lines: string[]) => ({ path, text: `// A file.\n${lines.join('\n')}` })
  const planted = [
    file('main/a.ts', "import type { B } from './run/b'"),
    file('main/run/b.ts', "export * from '../c'"),
    file('main/c.ts', "import { a } from './a'", "import './d'"),
    file('main/d.ts', "const later = import('./a')", "// import './c'"),
    file('main/e.ts', "import { a } from './a'"),
  ]
  expect(findCircles(planted, ['main/'])).toEqual([['main/a.ts', 'main/c.ts', 'main/run/b.ts']])
  expect(findCircles(planted, ['main/run/'])).toEqual([])
})

test('no file has grown past 400 lines but those that say why', () => {
  expect(findLongFiles(files, longFiles)).toEqual([])
})

test('a file that has grown is found, and so is a reason that nobody needs any more', () => {
  const lines = (path: string, count: number) => ({ path, text: '// A line.\n'.repeat(count) })
  const known = { 'main/table.ts': 'One table.', 'main/gone.ts': 'Was one table.' }
  expect(findLongFiles([lines('main/engine.ts', 400), lines('main/table.ts', 401), lines('main/gone.ts', 401)], known)).toEqual(
    [],
  )
  expect(findLongFiles([lines('cuda/op.cu', 401), lines('main/table.ts', 400)], known)).toEqual([
    expect.stringMatching(/^cuda\/op.cu: 401 lines/),
    expect.stringMatching(/^main\/table.ts: is short/),
    expect.stringMatching(/^main\/gone.ts: is not there/),
  ])
})

describe('a planted violation is found', () => {
  const title = '// Stands in for a file of the house, in a test.\n'
  const plant = (path: string, ...lines: string[]) => findViolations([{ path, text: title + lines.join('\n') }])

  test.each([
    ['renderer/store/run.ts', "import { createEngine } from '../../main/engine'"],
    ['renderer/api.ts', "import type { Slide } from '../native/index'"],
    ['main/engine.ts', "import { app } from '../app/desktop/main'"],
    ['main/engine.ts', "import { loadAddon } from '../native/load'"],
    ['main/slide/slides.ts', "import { coreOf } from '../run/plan/plan'"],
    ['main/recipe/specs.ts', "import type { OpenSlide } from '../slide/slides'"],
    ['main/run/objects/marks.ts', "import { Run } from '../run'"],
    ['main/run/plan/plan.ts', "import type { Draft } from '../analysis/draft'"],
    ['main/run/journal/kept.ts', "import type { RunOrder } from '../request/order'"],
    ['main/run/point/click.ts', "import { Timeline } from '../result/timeline'"],
    ['main/run/run.ts', "import { objectsTile } from '../overlay/objectTiles'"],
    ['main/run/run.ts', "import { Exports } from '../export/exports'"],
    ['main/overlay/objectTiles.ts', "import { joinRuns } from '../export/geojson'"],
    ['main/base/errors.ts', "import { completeRecipe } from '../recipe/validate'"],
    ['main/export/csv.ts', "import { createEngine } from '../engine'"],
    ['app/host/parent/pipeEngine.ts', "import { openParentChannel } from '../child/parentChannel'"],
    ['app/cli/serve.ts', "import '../host/child/engineProcess'"],
    ['app/cli/cli.ts', "import { openSlide } from '../../native/index'"],
    ['app/cli/cli.ts', "const plan = await import('../../main/run/plan/plan')"],
    ['app/serve/server.ts', "export { menu } from '../desktop/menu'"],
    ['app/contract/calls/calls.ts', "import { join } from 'node:path'"],
    ['renderer/api.ts', "import { calls } from '../app/contract/calls/calls'"],
    ['native/index.ts', "import { calls } from '../app/contract'"],
    ['app/setup/build.mjs', "import '../contract/index.ts'"],
    ['app/commands.ts', "import type { AppEvent } from './contract'"],
    ['app/commands.ts', "import { platform } from 'node:process'"],
    ['app/cli/cli.ts', "import { commands } from '../commands'"],
    ['main/engine.ts', "import { commands } from '../app/commands'"],
    ['renderer/widgets/IconButton.tsx', "import { commands } from '../../app/commands'"],
    ['renderer/api.ts', "import { getState } from './store/store'"],
    ['renderer/arithmetic/format.ts', "import { getState } from '../store/store'"],
    ['renderer/arithmetic/format.ts', "import { words } from '../words'"],
    ['renderer/words/start.ts', "import { getState } from '../store/store'"],
    ['renderer/words/start.ts', "import { geometry } from '../arithmetic/geometry'"],
    ['renderer/widgets/IconButton.tsx', "import { commands } from '../store/commands'"],
    ['renderer/widgets/IconButton.tsx', "import { commands } from '../../app/contract'"],
    ['renderer/widgets/NumberField.tsx', "import { formatParam } from '../viewer/format'"],
    ['renderer/store/slices/runSlice.ts', "import { getState } from '../store'"],
    ['renderer/store/base/notify.tsx', "import { cancelRun } from '../runs/runList'"],
    ['renderer/store/runs/runList.ts', "import { setParam } from '../recipe/recipeActions'"],
    ['renderer/store/store.ts', "import { notify } from './base/notify'"],
    ['renderer/store/commands/commands.ts', "import { listen } from '../events'"],
    ['renderer/store/commands/commands.ts', "import { OsdViewer } from '../viewer/osdViewer'"],
    ['renderer/store/base/questions.ts', "import { QuestionDialog } from '../panels/QuestionDialog'"],
    ['renderer/store/base/offer.tsx', "import { IconButton } from '../widgets/IconButton'"],
    ['renderer/viewer/Viewer.tsx', "import { Header } from '../panels/Header'"],
    ['renderer/panels/Header.tsx', "import { OsdViewer } from '../viewer/osdViewer'"],
    ['renderer/panels/OpenDialog.tsx', "import { api } from '../api'"],
    ['renderer/panels/Header.tsx', "import { App } from '../App'"],
  ])('%s: %s', (path, line) => {
    expect(plant(path, line)).toEqual([expect.stringMatching(/may not|must also run in a browser/)])
  })

  test.each([
    ['app/serve/server.ts', "import { app } from 'electron'"],
    ['app/desktop/window.ts', "import type OpenSeadragon from 'openseadragon'"],
    ['renderer/panels/Recipe.tsx', "import OpenSeadragon from 'openseadragon'"],
    ['renderer/panels/Recipe.tsx', "import { tinykeys } from 'tinykeys'"],
    ['main/export/png.ts', "const react = require('react')"],
    ['renderer/api.ts', "import sharp from 'sharp'"],
    ['app/contract/calls/calls.ts', "import ws from 'ws'"],
  ])('%s: %s', (path, line) => {
    expect(plant(path, line)).toEqual([expect.stringMatching(/belongs to|imports only zod/)])
  })

  test.each([
    ['native/cpu/label.cpp', '#include <napi.h>', /belongs to native\/addon/],
    ['native/contract/view.hpp', '#include <openslide.h>', /belongs to native\/slide/],
    ['cuda/gpu.hpp', '#include <cuda_runtime.h>', /stays free of CUDA/],
    ['native/engine/window/run.cpp', '#  include <cub/cub.cuh>', /belongs to cuda/],
    ['native/engine/window/run.cpp', '#include <opencv2/core.hpp>', /has no owner/],
    ['native/engine/window/run.cpp', '#include "nowhere.hpp"', /not in the house/],
  ])('%s: %s', (path, line, expected) => {
    expect(plant(path, line)).toEqual([expect.stringMatching(expected)])
  })

  test('an include against the arrows', () => {
    const floor = { path: 'native/contract/view.hpp', text: `${title}#include "cpu/label.hpp"` }
    const room = { path: 'native/cpu/label.hpp', text: `${title}#include "../engine/window/memo.hpp"` }
    const roof = {
      path: 'native/engine/window/memo.hpp',
      text: `${title}#include "contract/view.hpp"\n#include <vector>\n#include <sys/mman.h>\n#include "engine/query/wand.hpp"`,
    }
    // The rooms of the engine stand on those before them.
    const query = { path: 'native/engine/query/wand.hpp', text: `${title}#include "engine/window/memo.hpp"` }
    expect(findViolations([floor, room, roof, query])).toEqual([
      expect.stringMatching(/^native\/contract\/view.hpp: reaches native\/cpu/),
      expect.stringMatching(/^native\/cpu\/label.hpp: reaches native\/engine/),
      expect.stringMatching(/^native\/engine\/window\/memo.hpp: reaches native\/engine\/query/),
    ])
  })

  test('a second file that imports openseadragon', () => {
    const text = `${title}import OpenSeadragon from 'openseadragon'`
    const found = findViolations(['renderer/viewer/osd.ts', 'renderer/viewer/overlay.ts'].map((path) => ({ path, text })))
    expect(found).toEqual([expect.stringMatching(/belongs to one file/)])
  })

  test('a library without an owner, a builtin without its prefix, a folder that is not of the house, a file that says nothing', () => {
    expect(plant('main/engine.ts', "import _ from 'lodash'")).toEqual([expect.stringMatching(/has no owner/)])
    expect(plant('main/engine.ts', "import { join } from 'path'")).toEqual([expect.stringMatching(/without "node:"/)])
    expect(plant('renderer/api.ts', "import { join } from 'node:path'")).toEqual([expect.stringMatching(/browser/)])
    expect(plant('scripts/run.ts')).toEqual([expect.stringMatching(/no folder of the house/)])
    expect(findViolations([{ path: 'main/engine.ts', text: 'export const x = 1\n' }])).toEqual([
      expect.stringMatching(/first line/),
    ])
  })
})

test('right arrows pass', () => {
  const title = '// Stands in for a file of the house, in a test.\n'
  expect(
    findViolations([
      { path: 'app/contract/calls/calls.ts', text: `${title}import { z } from 'zod'\nimport { Region } from './geometry'` },
      {
        path: 'app/desktop/main.ts',
        text: `${title}import { app } from 'electron'\nimport { EngineClient } from '../host/parent/engineClient'\nimport '../contract'`,
      },
      {
        path: 'main/engine.ts',
        text: `${title}import { openSlide } from '../native/index'\nimport type { Calls } from '../app/contract'\nimport './run/plan'`,
      },
      {
        path: 'renderer/viewer/osd.ts',
        text: `${title}import OpenSeadragon from 'openseadragon'\nimport { tilePaths } from '../../app/contract'`,
      },
      {
        path: 'renderer/panels/Header.tsx',
        text: `${title}import { getState } from '../store/store'\nimport { Logo } from '../widgets/Logo'\nimport '../arithmetic/format'`,
      },
      { path: 'renderer/store/store.ts', text: `${title}import { api } from '../api'\nimport '../../app/contract'` },
      { path: 'renderer/App.tsx', text: `${title}import { Viewer } from './viewer/Viewer'\nimport './panels/Header'` },
      { path: 'native/addon/addon.cpp', text: `${title}#include <napi.h>\n#include <cstdint>` },
    ]),
  ).toEqual([])
})
