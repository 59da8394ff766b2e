// What issue 11 found wrong at 272ab0c, item by item: the mend, how it is taken back, and the test that then fails. Read by regressions.mjs.

/** One edit: `from` stands exactly once in `file`. */
const edit = (file, from, to) => ({ file, from, to })

/**
 * `item`: of the list. `name`: a part of the test's full name. `project`: the shell that Playwright drives; absent: vitest. Tests that
 * run the built program get one that is built of the edited sources; `native`: so is the addon, which takes minutes.
 */
export const entries = [
  {
    item: '1',
    mend: 'a recipe replaces nothing but a recipe',
    edits: [edit('main/recipe/recipeFile.ts', "    if (!isRecipe(text)) throw notOver(path, 'it is no recipe')\n", '')],
    test: 'test/app/serve/doors.test.ts',
    name: 'is a recipe, over a recipe or nothing',
  },
  {
    item: '1',
    mend: 'recipes are saved as *.json alone, under no hidden name',
    edits: [
      edit(
        'main/recipe/recipeFile.ts',
        "if (!isAbsolute(path) || name.startsWith('.') || extname(name) !== '.json')",
        'if (!isAbsolute(path))',
      ),
    ],
    test: 'test/app/serve/doors.test.ts',
    name: 'is a recipe, over a recipe or nothing',
  },
  {
    item: '1',
    mend: 'on the desktop a recipe goes only where the dialog said',
    edits: [
      edit(
        'app/desktop/grants.ts',
        'if (!isAbsolute(path!) || !this.#recipes.delete(resolve(path!)))',
        'if (!isAbsolute(path!) || (this.#recipes.delete(resolve(path!)) && false))',
      ),
    ],
    test: 'test/e2e/desktop.spec.ts',
    name: 'a script in the page writes nothing that no dialog named',
    project: 'electron',
  },
  {
    item: '1',
    mend: 'on the desktop an export goes only where a dialog said',
    edits: [
      edit(
        'app/desktop/grants.ts',
        'if (!isAbsolute(directory) || !this.#directories.includes(resolve(directory)))',
        'if (!isAbsolute(directory))',
      ),
    ],
    test: 'test/e2e/desktop.spec.ts',
    name: 'a script in the page writes nothing that no dialog named',
    project: 'electron',
  },
  {
    item: '2',
    mend: 'ids carry a random part of their engine process',
    edits: [edit('main/base/ids.ts', "const nonce = randomBytes(8).toString('hex')", "const nonce = '0a9f3c'; void randomBytes")],
    test: 'test/e2e/tissue.spec.ts',
    name: 'no tile of another slide, of another server or of a dead engine is shown',
    project: 'chromium',
  },
  {
    item: '2',
    mend: 'tissue is not for the browser’s disk cache',
    edits: [edit('main/tileResponse.ts', "'private, no-store'", "'public, max-age=31536000, immutable'")],
    test: 'test/e2e/tissue.spec.ts',
    name: 'no tile of another slide, of another server or of a dead engine is shown',
    project: 'chromium',
  },
  {
    item: '3',
    mend: 'a file that has changed ends the run',
    edits: [
      edit(
        'main/slide/identity.ts',
        "      if (!sameFile(file, now)) return { state: 'changed', path: file.path }",
        "      if (!sameFile(file, now)) return { state: 'same', path: file.path }",
      ),
    ],
    test: 'test/app/cli/changedSlide.test.ts',
    name: 'a slide that changes during its run',
  },
  {
    item: '3',
    mend: 'a deleted slide costs its checksum, not the result',
    edits: [
      edit(
        'main/slide/identity.ts',
        'return { sha256: null, reason: `the slide’s file could not be opened again (${codeOf(error)})` }',
        'throw error',
      ),
    ],
    test: 'test/app/cli/changedSlide.test.ts',
    name: 'and is deleted costs the checksum and the picture, not the result',
  },
  {
    item: '4',
    mend: 'the input is never written over',
    edits: [
      edit(
        'main/export/targets.ts',
        'if (await quickly(path, () => isSource(path), signal)) {',
        'if (false as boolean && (await isSource(path))) {',
      ),
    ],
    test: 'test/app/cli/overwrite.test.ts',
    name: 'never writes over its slide, under whatever name it lies there',
  },
  {
    item: '4',
    mend: 'what no earlier export wrote is replaced only where that is asked for',
    edits: [edit('main/export/targets.ts', 'if (inTheWay.length > 0) throw exists', 'if (inTheWay.length > 99) throw exists')],
    test: 'test/app/cli/overwrite.test.ts',
    name: 'replaces what an earlier run wrote, and asks for --overwrite where somebody has been at it',
  },
  {
    item: '4',
    mend: 'what fails at a later rename is rolled back',
    edits: [
      edit('main/export/outputSet.ts', '      await this.#takeBack(error)\n', '      void this.#takeBack\n      throw error\n'),
    ],
    test: 'test/app/cli/exportFaults.test.ts',
    name: 'EIO and ENOSPC at each file operation',
  },
  {
    item: '4',
    mend: 'what a killed export left is put right at the next',
    edits: [
      edit(
        'main/export/outputSet.ts',
        'const notes = await quickly(path, () => Staging.recover(path), signal)',
        'const notes: string[] = []',
      ),
    ],
    test: 'test/app/cli/exportFaults.test.ts',
    name: 'SIGKILL before or after each operation that shows',
  },
  {
    item: '5',
    mend: 'a slide that killed an engine is not opened again by itself',
    edits: [edit('app/host/parent/engineClient.ts', 'reopen: !crash && ends === 1', 'reopen: true || (crash && ends === 1)')],
    test: 'test/app/host/engineClient.test.ts',
    name: 'is named, not opened again, and not given to the next engine',
  },
  {
    item: '5',
    mend: 'after two restarts another is offered',
    edits: [
      edit(
        'app/host/parent/engineClient.ts',
        'restarted: false, reopen: false, canRestart: true',
        'restarted: false, reopen: false, canRestart: false',
      ),
    ],
    test: 'test/app/host/engineClient.test.ts',
    name: 'is not started for ever',
  },
  {
    item: '5',
    mend: 'runs of an absurd extent are refused',
    edits: [edit('main/run/request/extent.ts', 'export const maxRunPixels = 2 ** 37', 'export const maxRunPixels = 2 ** 50')],
    test: 'test/main/run/extent.test.ts',
    name: 'costs what is computed of it',
  },
  {
    item: '5',
    mend: 'images in memory have a budget',
    edits: [
      edit(
        'main/base/imageBudget.ts',
        'if (neededBytes <= this.totalBytes - this.heldBytes) return',
        'if (neededBytes < Infinity) return',
      ),
    ],
    test: 'test/app/host/hostileFiles.test.ts',
    name: 'refuses a progressive JPEG for what its decoder would hold',
  },
  {
    item: '5',
    mend: 'one decode at a time',
    edits: [
      edit(
        'main/base/imageBudget.ts',
        'const turn = this.last.then(async () => {',
        'const turn = Promise.resolve().then(async () => {',
      ),
    ],
    test: 'test/main/base/imageBudget.test.ts',
    name: 'lets one decode run at a time, in the order they came',
  },
  {
    item: '5',
    mend: 'runs wait for each other',
    edits: [edit('main/run/schedule/turns.ts', '    return this.busy.has(lane)', '    return this.busy.has(lane) && false')],
    test: 'test/main/run/runList.test.ts',
    name: 'wait for each other, are all listed, and have their turn in order',
  },
  {
    item: '5',
    mend: 'what a slide claims is judged before OpenSlide sees it',
    native: true,
    edits: [
      edit(
        'native/slide/plausible.cpp',
        'void require_plausible(const std::string& path) {\n',
        'void require_plausible(const std::string& path) {\n  if (path != "") return;\n',
      ),
    ],
    test: 'test/app/host/hostileFiles.test.ts',
    name: 'is refused by field and value',
  },
  {
    item: '6',
    mend: 'refused upgrades are ended, and strangers are bounded',
    edits: [
      edit('app/serve/server.ts', '      ;(stream as Socket).destroySoon()\n', '      stream.end()\n'),
      edit(
        'app/serve/server.ts',
        'const unauthenticated = new UnauthenticatedConnections(server)',
        'server.maxConnections = 512\n  const unauthenticated = new UnauthenticatedConnections(server, { most: 100_000, withinMs: 600_000 })',
      ),
    ],
    test: 'test/app/serve/doors.test.ts',
    name: 'serves its owner while hundreds without a key hold on to their sockets',
  },
  {
    item: '6',
    mend: 'no cookie carries what lets in',
    edits: [
      edit(
        'app/serve/server.ts',
        "    'Cache-Control': 'no-store',\n    'Content-Type': 'text/html; charset=utf-8',",
        "    'Cache-Control': 'no-store',\n    'Set-Cookie': `morphoscope=${/\"([\\w-]{43})\"/.exec(html)?.[1] ?? ''}; Path=/; HttpOnly; SameSite=Strict`,\n    'Content-Type': 'text/html; charset=utf-8',",
      ),
      edit(
        'app/serve/door.ts',
        "    queryOf(request, 'key'),",
        "    queryOf(request, 'key'),\n    /morphoscope=([\\w-]+)/.exec(request.headers.cookie ?? '')?.[1],",
      ),
    ],
    test: 'test/e2e/doors.spec.ts',
    name: 'a page at another port learns nothing and changes nothing, while the owner is served',
    project: 'chromium',
  },
  {
    item: '6',
    mend: 'the address is good once',
    edits: [
      edit(
        'app/serve/door.ts',
        'if (!this.#tokens.delete(digestOf(token))) return null',
        'if (!this.#tokens.has(digestOf(token))) return null',
      ),
    ],
    test: 'test/app/serve/doors.test.ts',
    name: 'takes its address once, and prints another when asked',
  },
  {
    item: '6',
    mend: 'what is remembered is for its owner alone',
    edits: [
      edit(
        'main/base/jsonFile.ts',
        'await chmod(path, mode).catch(() => undefined)',
        'await chmod(path, mode | 0o044).catch(() => undefined)',
      ),
    ],
    test: 'test/main/settings.test.ts',
    name: 'is for its owner alone, and makes what lies there already so',
  },
  {
    item: '6',
    mend: 'a .vms file names no file outside its folder',
    native: true,
    edits: [edit('native/slide/plausible_files.cpp', '    require_inside(path, folder_of(path), name, e.key);\n', '')],
    test: 'test/app/host/hostileFiles.test.ts',
    name: 'is refused by field and value',
  },
  {
    item: '7',
    mend: 'the packed binary is no Node',
    edits: [edit('electron-builder.yml', '  runAsNode: false', '  runAsNode: true')],
    test: 'test/e2e/package.spec.ts',
    name: 'is no Node and takes no debugger',
    project: 'electron',
  },
  {
    item: '7',
    mend: 'WebRTC leaves by no way past the policy',
    edits: [
      edit('app/desktop/window.ts', "  webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')\n", ''),
      edit(
        'app/desktop/window.ts',
        "  void own.setProxy({ mode: 'fixed_servers', proxyRules: '127.0.0.1:9', proxyBypassRules: '<-loopback>' })\n",
        '',
      ),
    ],
    test: 'test/e2e/desktop.spec.ts',
    name: 'WebRTC carries nothing out past the policy of the page',
    project: 'electron',
  },
  {
    item: '8',
    mend: 'the answer to a click belongs to its slide and calibration',
    edits: [
      edit(
        'renderer/store/selection/selectionActions.ts',
        'export function clearSelection(): void {\n  looking?.abort()\n',
        'export function clearSelection(): void {\n',
      ),
    ],
    test: 'test/e2e/runs.spec.ts',
    name: 'an answer to a click that comes after another slide was opened is not shown on that one',
    project: 'chromium',
  },
  {
    item: '8',
    mend: 'the answer to a click belongs to its slide and calibration (the page’s store)',
    edits: [
      edit(
        'renderer/store/selection/selectionActions.ts',
        'export function clearSelection(): void {\n  looking?.abort()\n',
        'export function clearSelection(): void {\n',
      ),
    ],
    test: 'test/renderer/page.test.ts',
    name: 'is on screen is not shown',
  },
  {
    item: '8',
    mend: 'a closed slide keeps its runs going',
    edits: [
      edit(
        'main/run/runs.ts',
        "(run.purpose === 'run' && (!run.over || run.objects.count > 0))",
        "(run.purpose === 'preview' && !run.over)",
      ),
    ],
    test: 'test/renderer/page.test.ts',
    name: 'go on when another slide is opened, are seen there, and are there when one comes back',
  },
  {
    item: '8',
    mend: 'clearing results ends what computes',
    edits: [
      edit('main/run/runs.ts', '  private forget(run: Run): void {\n    run.cancel()\n', '  private forget(run: Run): void {\n'),
    ],
    test: 'test/main/run/deleted.test.ts',
    name: 'ends at once, and what waits for it begins',
  },
  {
    item: '8',
    mend: 'a close waits for what is under way, and stops it',
    edits: [
      edit(
        'main/engine.ts',
        '        Promise.allSettled([...inFlight, journals]),',
        '        Promise.resolve([inFlight, journals]),',
      ),
    ],
    test: 'test/main/close.test.ts',
    name: 'waits for what is under way, and stops it',
  },
  {
    item: '9',
    mend: 'an overview with unreadable places says so and is not kept',
    edits: [
      edit('main/run/analysis/overviews.ts', '  if (passedOver === 0) return []', '  if (passedOver < Infinity) return []'),
    ],
    test: 'test/main/run/honest.test.ts',
    name: 'an overview with places that cannot be read says so, takes others, and is not kept',
  },
  {
    item: '9',
    mend: 'bugs and want of memory are not called damage',
    edits: [
      edit(
        'main/run/tiles/tileWork.ts',
        "new Set<string>(['SLIDE_UNREADABLE'])",
        "new Set<string>(['SLIDE_UNREADABLE', 'INTERNAL', 'OUT_OF_MEMORY'])",
      ),
    ],
    test: 'test/main/run/blockRefused.test.ts',
    name: 'of a tile ends the run as what it is, never as a damaged file',
  },
  {
    item: '9',
    mend: 'pictures show what could not be read',
    edits: [
      edit(
        'main/slide/hatchedRead.ts',
        '  hatchParts(read.rgba, area, scale, missing(read.unreadable))\n',
        '  void [hatchParts, missing]\n',
      ),
    ],
    test: 'test/main/slide/hatched.test.ts',
    name: 'shows stripes where the file gave nothing, and the file everywhere else',
  },
  {
    item: '10',
    mend: 'an engine whose GPU is lost is replaced',
    edits: [edit('app/host/parent/engineClient.ts', "      if (result.error.code === 'GPU_LOST') void this.#gpuLost()\n", '')],
    test: 'test/app/host/engineClient.test.ts',
    name: 'replaces the engine where nothing else would be lost',
  },
  {
    item: '10',
    mend: 'a lost GPU ends its run',
    edits: [
      edit(
        'main/run/tiles/tileWork.ts',
        "new Set<string>(['SLIDE_UNREADABLE'])",
        "new Set<string>(['SLIDE_UNREADABLE', 'GPU_LOST'])",
      ),
    ],
    test: 'test/main/run/blockRefused.test.ts',
    name: 'a lost GPU ends the run',
  },
  {
    item: '10',
    mend: 'the window offers to replace the engine, and runs again',
    edits: [
      edit(
        'renderer/store/runs/runErrors.ts',
        "return error.code === 'GPU_LOST' ? [onCpu, restart] : [onCpu]",
        'return restart ? [onCpu] : []',
      ),
    ],
    test: 'test/renderer/gpuTrouble.test.tsx',
    name: 'offers to replace the engine whose GPU is lost, and runs again on the GPU',
  },
  {
    item: '11',
    mend: 'objects at a window’s rim are counted and told',
    edits: [
      edit(
        'main/run/result/resultCollector.ts',
        '    this.cutObjects += owned.cutRows.filter((row) => !keep || keep(row)).length\n',
        '',
      ),
    ],
    test: 'test/main/run/honest.test.ts',
    name: 'counts the objects that its windows cut',
  },
  {
    item: '11',
    mend: 'one calibration: the geometric mean of pixels that are not square',
    edits: [edit('renderer/store/slices/slideSlice.ts', 'Math.sqrt(info.mppX * info.mppY)', '(info.mppX + info.mppY) / 2')],
    test: 'test/renderer/slideSlice.test.ts',
    name: 'have one number for lengths whose square is their area',
  },
  {
    item: '11',
    mend: 'a preview that the engine has let go is asked for again',
    edits: [
      edit('renderer/store/runs/runList.ts', '  if (getState().runs.byId[runId]) void refreshRuns()\n}', '  void runId\n}'),
      edit('renderer/store/events.ts', '      return void refreshRuns()\n', '      return\n'),
    ],
    test: 'test/renderer/page.test.ts',
    name: 'a preview that the engine has let go covers nothing',
  },
  {
    item: '11',
    mend: 'tiles that were announced while the connection was away are asked for',
    edits: [edit('renderer/store/runs/runList.ts', '  await learnTiles(', '  if (Date.now() < 0) await learnTiles(')],
    test: 'test/e2e/runs.spec.ts',
    name: 'what is announced while the connection is away is there when it is back',
    project: 'chromium',
  },
  {
    item: '12',
    mend: 'work that nobody waits for any more is stopped',
    edits: [edit('main/base/sharedWork.ts', '    this.end(key, work)\n    work.abort.abort()\n', '')],
    test: 'test/main/run/cancelled.test.ts',
    name: 'an overview, a tile and a click that were taken back are not there afterwards',
  },
  {
    item: '12',
    mend: 'a page that goes takes its calls back',
    edits: [edit('app/serve/socket.ts', "  socket.on('close', () => answering.cancelAll())\n", '')],
    test: 'test/app/serve/socket.test.ts',
    name: 'that closes takes its calls back, and a frame takes back one',
  },
  {
    item: '12',
    mend: 'one map of pending requests, from which a call is taken back',
    edits: [edit('app/host/parent/engineClient.ts', "      else this.#port?.post({ kind: 'cancel', id })\n", '')],
    test: 'test/app/host/engineClient.test.ts',
    name: 'reaches the engine, which answers when its work has stopped',
  },
  {
    item: '12',
    mend: 'objects are painted off the event loop',
    edits: [
      edit(
        'main/overlay/paint.ts',
        '    const part = await nativePaintIds(runs, runOffsets, ids, window, token)\n',
        `    void [nativePaintIds, token]
    const part = new Int32Array(window.width * window.height)
    const shift = window.level
    for (let i = 0; i < ids.length; i++) {
      for (let r = runOffsets[i]!; r < runOffsets[i + 1]!; r++) {
        const y = (runs[3 * r]! >> shift) - window.top
        if (y < 0 || y >= window.height) continue
        for (let px = runs[3 * r + 1]!; px <= runs[3 * r + 2]!; px++) {
          const x = (px >> shift) - window.left
          if (x >= 0 && x < window.width) part[y * window.width + x] = ids[i]!
        }
      }
    }
`,
      ),
    ],
    test: 'test/main/overlay/eventLoop.test.ts',
    name: 'is shared while a far view of a hundred thousand objects is painted',
  },
  {
    item: 'a',
    mend: 'a page that comes back finds its runs',
    edits: [
      edit(
        'renderer/store/slices/runSlice.ts',
        "({ status }) => status.purpose === 'run' && !known.has(status.runId)",
        '({ status }) => status.runId === String(known)',
      ),
    ],
    test: 'test/e2e/runs.spec.ts',
    name: 'a page that is loaded again finds its run and its results; another tab sees it',
    project: 'chromium',
  },
  {
    item: 'a',
    mend: 'what runs elsewhere is seen and ended from every tab',
    edits: [
      edit(
        'renderer/store/slices/runSlice.ts',
        'elsewhere: entries.filter(({ status }) => !isOver(status) && !mine.has(status.runId)),',
        'elsewhere: mine.size < 0 ? entries.filter(({ status }) => isOver(status)) : [],',
      ),
    ],
    test: 'test/renderer/page.test.ts',
    name: 'go on when another slide is opened, are seen there, and are there when one comes back',
  },
  {
    item: 'b',
    mend: 'no run replaces another',
    edits: [
      edit(
        'renderer/store/slices/runSlice.ts',
        "if (index >= position || older.purpose === 'run') return true",
        'if (index >= position) return true',
      ),
    ],
    test: 'test/e2e/runs.spec.ts',
    name: 'every run is kept: the field after the whole slide, a second rectangle after the first',
    project: 'chromium',
  },
  {
    item: 'b',
    mend: 'one Escape ends no long run',
    edits: [
      edit(
        'renderer/store/runs/runList.ts',
        "run.state === 'queued' || run.elapsedMs < askAfterMs) return void cancel",
        "run.state === 'queued' || run.elapsedMs < askAfterMs + 1e9) return void cancel",
      ),
    ],
    test: 'test/e2e/runs.spec.ts',
    name: 'one Escape ends no long run: it asks',
    project: 'chromium',
  },
  {
    item: 'b',
    mend: 'the program asks before it ends a run',
    edits: [
      edit('renderer/store/engine/leaving.ts', "shell === 'desktop' && isBusy()", "shell === 'desktop' && isBusy() && false"),
    ],
    test: 'test/e2e/desktop.spec.ts',
    name: 'the program asks before it ends a run, and goes on with it',
    project: 'electron',
  },
  {
    item: 'b',
    mend: 'previews lie under results until a value is changed',
    edits: [
      edit(
        'renderer/store/slices/runSlice.ts',
        'return runs.tuning ? [...kept, ...previews] : [...previews, ...kept]',
        'return [...kept, ...previews]',
      ),
    ],
    test: 'test/renderer/page.test.ts',
    name: 'lie over what is previewed, and keep the headline, until a value is changed',
  },
  {
    item: 'c',
    mend: 'places that cannot be made are refused',
    edits: [
      edit(
        'main/export/outputSet.ts',
        '() => makeFolders(path), signal)',
        '() => mkdir(path, { recursive: true }).then(() => (Date.now() < 0 ? makeFolders(path) : [])), signal)',
      ),
    ],
    test: 'test/app/host/deadDisk.test.ts',
    name: 'places that cannot be made are refused in words, and block nothing',
  },
  {
    item: 'c',
    mend: 'what was written is not said again under the next look',
    edits: [
      edit(
        'renderer/store/runs/exportActions.ts',
        '(exporting.running ? exporting : noExport)',
        '(exporting.runId === "" ? noExport : exporting)',
      ),
    ],
    test: 'test/renderer/exporting.test.ts',
    name: 'shows what was written, and keeps its folder for this session and the next start',
  },
  {
    item: 'c',
    mend: 'the folder is remembered',
    edits: [
      edit(
        'renderer/store/runs/exportActions.ts',
        '  if (result.ok && !result.value.cancelled) void saveSettings({ exportDirectory: request.directory })\n',
        '',
      ),
    ],
    test: 'test/renderer/exporting.test.ts',
    name: 'shows what was written, and keeps its folder for this session and the next start',
  },
  {
    item: 'c',
    mend: '"~" is the home folder, never a folder of that name',
    edits: [
      edit(
        'main/export/folder.ts',
        "  if (given === '~' || /^~[/\\\\]/.test(given)) return resolve(homedir(), given.slice(2))\n  if (given.startsWith('~') || !isAbsolute(given)) {",
        "  if (given === homedir() + '?') {",
      ),
    ],
    test: 'test/app/cli/overwrite.test.ts',
    name: 'makes no folder named "~", and takes no other for it',
  },
  {
    item: 'c',
    mend: 'a folder of its own for each export',
    edits: [edit('main/export/exportRun.ts', '    if (request.ownFolder) {', '    if (request.ownFolder && Date.now() < 0) {')],
    test: 'test/app/cli/deidentify.test.ts',
    name: 'a folder of its own is named by the pseudonym',
  },
  {
    item: 'd',
    mend: '“Run again” means the slide that it was asked on',
    edits: [edit('renderer/store/runs/runActions.ts', '  if (getState().slide.info?.path !== asked.slidePath) return\n', '')],
    test: 'test/renderer/page.test.ts',
    name: 'what an engine’s end offers belongs to its slide: it goes when another is opened',
  },
  {
    item: 'd',
    mend: 'the banner goes with its slide',
    edits: [
      edit(
        'renderer/store/slide/slideActions.ts',
        'const stays = banner.slidePath === info.path && (!banner.closed || banner.again.length > 0)',
        'const stays = banner.message !== info.path',
      ),
    ],
    test: 'test/e2e/runs.spec.ts',
    name: 'the engine dies during a run: “Run again” belongs to its slide',
    project: 'chromium',
  },
  {
    item: 'd',
    mend: 'notices go with their slide',
    edits: [
      edit(
        'renderer/store/slide/slideActions.ts',
        '  hideNotices(({ slidePath }) => slidePath !== undefined && slidePath !== info.path)\n',
        '  void hideNotices\n',
      ),
    ],
    test: 'test/renderer/page.test.ts',
    name: 'a notice goes with the slide that it is about, and one about its run with the run',
  },
  {
    item: 'e',
    mend: 'the time of a run is that of what this machine has computed',
    edits: [
      edit(
        'main/run/request/throughput.ts',
        "    if (measured) return { ms: (pixels / measured.pixels) * measured.ms, megapixels, basis: 'measured' }",
        "    if (measured) return { ms: (pixels / 8_000) * 4, megapixels, basis: 'measured' }",
      ),
    ],
    test: 'test/main/run/runList.test.ts',
    name: 'is told from previews, then from runs of the same, and not at all before anything has run',
  },
  {
    item: 'e',
    mend: 'kept tiles are no computed time',
    edits: [
      edit(
        'main/run/result/tileCommitter.ts',
        "    if (window === 'kept') for (const tile of tiles) this.found.addKept(tile)\n",
        "    if (window === 'kept') this.found.pixelsKept += tiles.length\n",
      ),
    ],
    test: 'test/main/run/kept.test.ts',
    name: 'that is kept whole tells no stage’s time',
  },
  {
    item: 'e',
    mend: 'what is looked at comes before what runs',
    edits: [edit('main/run/schedule/schedule.ts', 'const short = this.held > 0 &&', 'const short = this.held > 1e9 &&')],
    test: 'test/main/run/schedule.test.ts',
    name: 'keeps a worker from runs while something that is looked at waits',
  },
  {
    item: 'f',
    mend: 'zero objects come with words',
    edits: [
      edit(
        'renderer/store/runs/noObjects.ts',
        'if (run.objects > 0 || !isOver(run) ||',
        'if (run.objects >= 0 || !isOver(run) ||',
      ),
    ],
    test: 'test/e2e/words.spec.ts',
    name: 'a fluorescence slide gives zero objects with words',
    project: 'chromium',
  },
  {
    item: 'f',
    mend: 'a value out of range is named, with what was taken',
    edits: [edit('renderer/widgets/NumberField.tsx', '    onNote(noteOf(draft, problem, taken, text), taken ?? value)\n', '')],
    test: 'test/e2e/words.spec.ts',
    name: 'a number out of range says its range and what was taken',
    project: 'chromium',
  },
  {
    item: 'f',
    mend: 'dropped results and records are called what they are, and the others named',
    edits: [
      edit(
        'renderer/store/slide/notSlides.ts',
        "  if (/\\.json$/i.test(name)) return 'record'\n  return /\\.(geojson|csv|tsv)$/i.test(name) ? 'result' : 'slide'",
        "  return name === '' ? 'record' : 'slide'",
      ),
    ],
    test: 'test/renderer/dropped.test.ts',
    name: 'that are results are called what they are, and no slide is asked for',
  },
  {
    item: 'f',
    mend: 'stripes come with words',
    edits: [
      edit(
        'renderer/viewer/HatchLegend.tsx',
        '  if (!ofFile && tiles === 0 && every === 1) return null',
        '  if (every >= 1) return null',
      ),
    ],
    test: 'test/e2e/words.spec.ts',
    name: 'parts that the file cannot give are hatched, and a legend says what the stripes mean and why',
    project: 'chromium',
  },
  {
    item: 'f',
    mend: 'what is cut can be read whole',
    edits: [
      edit('renderer/panels/RecipePanel.tsx', ' className="recipe-about" title={spec.description}', ' className="recipe-about"'),
    ],
    test: 'test/e2e/words.spec.ts',
    name: 'nothing is cut and nothing overlaps, from the smallest window on',
    project: 'chromium',
  },
  {
    item: 'f',
    mend: 'no tip covers the main button’s neighbours',
    edits: [
      edit(
        'renderer/panels/RunControls.tsx',
        "import { Button, Menu } from '@mantine/core'",
        "import { Button, Menu, Tooltip } from '@mantine/core'",
      ),
      edit(
        'renderer/panels/RunControls.tsx',
        '        <Button\n          fullWidth\n          size="sm"\n          className="main-action"',
        '        <Tooltip label="Segment visible field (Space)" position="bottom"><Button\n          fullWidth\n          size="sm"\n          className="main-action"',
      ),
      edit(
        'renderer/panels/RunControls.tsx',
        '          Segment visible field\n        </Button>',
        '          Segment visible field\n        </Button></Tooltip>',
      ),
    ],
    test: 'test/e2e/words.spec.ts',
    name: 'the main button has its key in it, and no tip that covers its neighbours',
    project: 'chromium',
  },
  {
    item: 'e',
    mend: 'tiles that failed last are asked for again',
    edits: [
      edit(
        'renderer/viewer/osdViewer.ts',
        '      if (item && viewer.world.getIndexOfItem(item) >= 0) item.setClip(item.getClip())\n',
        '      void item\n',
      ),
    ],
    test: 'test/e2e/retry.spec.ts',
    name: 'the slide’s tiles that failed come after a while, until the picture is what it was',
    project: 'chromium',
  },
]
