// Mends that no unit test covers, but a journey alone: how each is taken back, and the journey that then fails. Read by regressions.mjs.

/** One edit: `from` stands exactly once in `file`. */
const edit = (file, from, to) => ({ file, from, to })

/** `item`: of issue 11's list. `name`: a part of the journey's name. `project`: the shell that Playwright drives, with a program built of the edited sources. */
export const entries = [
  {
    item: '2',
    mend: 'ids carry a random part of their engine process',
    edits: [edit('main/base/ids.ts', "const nonce = randomBytes(8).toString('hex')", "const nonce = '0a9f3c'; void randomBytes")],
    test: 'test/e2e/browser/tissue.spec.ts',
    name: 'no tile of another slide, of another server or of a dead engine is shown',
    project: 'chromium',
  },
  {
    item: '2',
    mend: 'tissue is not for the browser’s disk cache',
    edits: [edit('main/tileResponse.ts', "'private, no-store'", "'public, max-age=31536000, immutable'")],
    test: 'test/e2e/browser/tissue.spec.ts',
    name: 'no tile of another slide, of another server or of a dead engine is shown',
    project: 'chromium',
  },
  {
    item: '7',
    mend: 'the packed binary is no Node',
    edits: [edit('electron-builder.yml', '  runAsNode: false', '  runAsNode: true')],
    test: 'test/e2e/desktop/package.spec.ts',
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
    test: 'test/e2e/desktop/desktop.spec.ts',
    name: 'WebRTC carries nothing out past the policy of the page',
    project: 'electron',
  },
  {
    item: '11',
    mend: 'tiles that were announced while the connection was away are asked for',
    edits: [edit('renderer/store/runs/runList.ts', '  await learnTiles(', '  if (Date.now() < 0) await learnTiles(')],
    test: 'test/e2e/browser/runs.spec.ts',
    name: 'what is announced while the connection is away is there when it is back',
    project: 'chromium',
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
    test: 'test/e2e/browser/runs.spec.ts',
    name: 'a page that is loaded again finds its run and its results; another tab sees it',
    project: 'chromium',
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
    test: 'test/e2e/browser/runs.spec.ts',
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
    test: 'test/e2e/browser/runs.spec.ts',
    name: 'one Escape ends no long run: it asks',
    project: 'chromium',
  },
  {
    item: 'b',
    mend: 'the program asks before it ends a run',
    edits: [
      edit('renderer/store/engine/leaving.ts', "shell === 'desktop' && isBusy()", "shell === 'desktop' && isBusy() && false"),
    ],
    test: 'test/e2e/desktop/desktop.spec.ts',
    name: 'the program asks before it ends a run, and goes on with it',
    project: 'electron',
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
    test: 'test/e2e/browser/runs.spec.ts',
    name: 'the engine dies during a run: “Run again” belongs to its slide',
    project: 'chromium',
  },
  {
    item: 'f',
    mend: 'a value out of range is named, with what was taken',
    edits: [edit('renderer/widgets/NumberField.tsx', '    onNote(noteOf(draft, problem, taken, text), taken ?? value)\n', '')],
    test: 'test/e2e/browser/words.spec.ts',
    name: 'a number out of range says its range and what was taken',
    project: 'chromium',
  },
  {
    item: 'f',
    mend: 'stripes come with words',
    edits: [
      edit(
        'renderer/viewer/legends/HatchLegend.tsx',
        '  if (!ofFile && tiles === 0 && every === 1) return null',
        '  if (every >= 1) return null',
      ),
    ],
    test: 'test/e2e/browser/words.spec.ts',
    name: 'parts that the file cannot give are hatched, and a legend says what the stripes mean and why',
    project: 'chromium',
  },
  {
    item: 'e',
    mend: 'tiles that failed last are asked for again',
    edits: [
      edit(
        'renderer/viewer/osd/osdViewer.ts',
        '      if (item && viewer.world.getIndexOfItem(item) >= 0) item.setClip(item.getClip())\n',
        '      void item\n',
      ),
    ],
    test: 'test/e2e/browser/retry.spec.ts',
    name: 'the slide’s tiles that failed come after a while, until the picture is what it was',
    project: 'chromium',
  },
]
