// The arrows of the house as data, and the check of a set of files against them: who may import whom, and who owns an outside library.
import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import ts from 'typescript'

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** What the engine's process and its parent say to each other. */
const boundary = ['app/host/messages.ts', 'app/host/frames.ts']
/** What shells see of the engine's process: its parent's side. */
const host = ['app/host/parent/', 'app/host/threadPool.ts', 'app/host/contentTypes.ts']
const underMain = ['app/contract/index.ts', 'native/index.ts']
const underRun = [...underMain, 'main/base/', 'main/recipe/', 'main/slide/']
const underStore = [
  ...['app/contract/index.ts', 'app/commands.ts', 'app/guide.ts'],
  ...['renderer/api.ts', 'renderer/arithmetic/', 'renderer/words/'],
]
const state = ['renderer/store/store.ts', 'renderer/store/slices/']
const underEngine = ['native/contract/', 'native/cpu/', 'native/slide/', 'cuda/gpu.hpp']
/** Each stands on those before it. */
const engineRooms = ['device', 'program', 'recipe', 'certainty', 'window', 'query', 'operation', 'region']
const rooms = (folder: string, names: string): string[] => names.split(' ').map((name) => `${folder}/${name}/`)

/** The first pattern that a file's path starts with decides what it may reach inside the house; a folder always reaches itself. */
const inside: readonly (readonly [layer: string, mayReach: readonly string[]])[] = [
  ['app/contract/', []],
  // The second plank of the floor: both ends of a request, in a browser and in Node.
  ['app/requests.ts', []],
  // The third: what a user can ask for by name. Data only.
  ['app/commands.ts', []],
  // And what the guide says of it.
  ['app/guide.ts', ['app/commands.ts']],
  // The same in German.
  ['app/german/', ['app/contract/index.ts', 'app/commands.ts', 'app/guide.ts']],
  // Runs before anything is installed or built.
  ['app/setup/', ['package.json']],
  // Packs what was built; of the command line it reads the built program, for the pages about it.
  ['app/package/', ['app/setup/', 'app/cli/cli.ts', 'package.json']],
  // Makes the documentation of the tables that the program uses: the command line's commands, recipes, measurements, codes, keys.
  [
    'docs/site/',
    [
      ...['app/contract/index.ts', 'app/contract/zod.ts', 'app/commands.ts', 'app/guide.ts', 'app/cli/', 'app/setup/'],
      ...[
        'app/package/commandPages.mjs',
        'main/',
        'native/',
        'renderer/store/base/commandKeys.ts',
        'renderer/words/',
        'assets/',
        'package.json',
      ],
    ],
  ],
  // The two sides of the process boundary know what crosses it, and nothing of each other.
  ['app/host/parent/', ['app/contract/index.ts', 'app/requests.ts', ...boundary, 'app/host/threadPool.ts']],
  ['app/host/child/', ['app/contract/index.ts', 'app/requests.ts', ...boundary, 'main/engine.ts']],
  ['app/host/', ['app/contract/index.ts', 'main/engine.ts']],
  ['app/desktop/', ['app/contract/index.ts', 'app/requests.ts', 'app/commands.ts', 'app/german/', ...host, 'main/engine.ts']],
  ['app/serve/', ['app/contract/index.ts', 'app/requests.ts', ...host, 'main/engine.ts']],
  ['app/cli/', ['app/contract/index.ts', 'app/requests.ts', ...host, 'app/serve/', 'main/engine.ts', 'main/ops.ts']],
  // Inside main/: what shows and writes stands on what computes, that on what reads; main/ itself wires them.
  ['main/base/', underMain],
  ['main/recipe/', [...underMain, 'main/base/']],
  ['main/slide/', [...underMain, 'main/base/']],
  // A run's rooms, each on those before it; main/run itself leads a run through them.
  ['main/run/schedule/', underRun],
  ['main/run/plan/', underRun],
  ['main/run/objects/', [...underRun, 'main/run/plan/']],
  ['main/run/analysis/', [...underRun, 'main/run/plan/', 'main/run/objects/']],
  ['main/run/tiles/', [...underRun, ...rooms('main/run', 'schedule plan objects analysis')]],
  ['main/run/journal/', [...underRun, ...rooms('main/run', 'plan objects analysis tiles')]],
  ['main/run/request/', [...underRun, ...rooms('main/run', 'schedule plan objects analysis tiles journal')]],
  ['main/run/result/', [...underRun, ...rooms('main/run', 'schedule plan objects analysis tiles journal request')]],
  ['main/run/point/', [...underRun, ...rooms('main/run', 'plan objects analysis tiles')]],
  ['main/run/', underRun],
  ['main/overlay/', [...underMain, 'main/base/', 'main/slide/', 'main/run/']],
  ['main/compare/', [...underMain, 'main/base/', 'main/run/', 'main/overlay/']],
  ['main/export/', [...underMain, 'main/base/', 'main/slide/', 'main/run/', 'main/overlay/', 'main/table/', 'main/spatial/']],
  ['main/project/', [...underMain, 'main/base/', 'main/slide/', 'main/recipe/', 'main/run/', 'main/table/', 'main/compare/']],
  ['main/table/', [...underMain, 'main/base/', 'main/run/']],
  ['main/spatial/', [...underMain, 'main/base/', 'main/run/']],
  ['main/samples/', [...underMain, 'main/base/']],
  ['main/tma/', [...underMain, 'main/base/', 'main/slide/']],
  ['main/shards/', [...underMain, 'main/base/', 'main/run/']],
  ['main/evaluate/', [...underMain, 'main/base/']],
  ['main/imageFiles/', [...underMain, 'main/base/', 'main/export/']],
  ['main/', underMain],
  ['renderer/api.ts', ['app/contract/index.ts', 'app/requests.ts', 'renderer/words/']],
  ['renderer/arithmetic/', ['app/contract/index.ts']],
  // Texts, with the numbers in them as people read them.
  [
    'renderer/words/',
    ['app/contract/index.ts', 'app/commands.ts', 'app/guide.ts', 'app/german/', 'renderer/arithmetic/format.ts'],
  ],
  // Would serve any program: what they do, and most of what they show, is given to them.
  ['renderer/widgets/', ['renderer/words/']],
  // The store's rooms: the state, then what acts on it, each on those before it; renderer/store itself hears the engine.
  ['renderer/store/slices/', underStore],
  ['renderer/store/store.ts', [...underStore, 'renderer/store/slices/']],
  ['renderer/store/base/', [...underStore, ...state]],
  ['renderer/store/runs/', [...underStore, ...state, ...rooms('renderer/store', 'base')]],
  ['renderer/store/recipe/', [...underStore, ...state, ...rooms('renderer/store', 'base runs')]],
  ['renderer/store/selection/', [...underStore, ...state, ...rooms('renderer/store', 'base runs')]],
  ['renderer/store/slide/', [...underStore, ...state, ...rooms('renderer/store', 'base runs recipe selection')]],
  ['renderer/store/document/', [...underStore, ...state, ...rooms('renderer/store', 'base runs selection')]],
  ['renderer/store/cohort/', [...underStore, ...state, ...rooms('renderer/store', 'base runs slide')]],
  ['renderer/store/objects/', [...underStore, ...state, ...rooms('renderer/store', 'base runs recipe selection document')]],
  ['renderer/store/engine/', [...underStore, ...state, ...rooms('renderer/store', 'base runs slide')]],
  [
    'renderer/store/commands/',
    [...underStore, ...state, ...rooms('renderer/store', 'base runs recipe selection slide document cohort objects engine')],
  ],
  ['renderer/store/', underStore],
  // The cards of tools, which stand in a panel or over the slide.
  [
    'renderer/tools/',
    ['app/contract/index.ts', 'renderer/arithmetic/', 'renderer/store/', 'renderer/widgets/', 'renderer/words/'],
  ],
  // Calls go through the store; of the door it takes the addresses of pictures.
  [
    'renderer/viewer/',
    [
      'app/contract/index.ts',
      'renderer/api.ts',
      'renderer/arithmetic/',
      'renderer/store/',
      'renderer/tools/',
      'renderer/widgets/',
      'renderer/words/',
    ],
  ],
  [
    'renderer/panels/',
    [
      'app/contract/index.ts',
      'renderer/arithmetic/',
      'renderer/store/',
      'renderer/tools/',
      'renderer/widgets/',
      'renderer/words/',
    ],
  ],
  // What puts the window together.
  ['renderer/', []],
  ['native/contract/', []],
  ['native/cpu/', ['native/contract/']],
  ['native/slide/', ['native/contract/']],
  ...engineRooms.map((room, i): readonly [string, readonly string[]] => [
    `native/engine/${room}/`,
    [...underEngine, ...engineRooms.slice(0, i).map((above) => `native/engine/${above}/`)],
  ]),
  ['native/export/', ['native/contract/', 'native/cpu/']],
  ['native/addon/', ['native/contract/', 'native/engine/', 'native/slide/', 'native/export/']],
  [
    'native/addonCalls.ts',
    [
      'native/explanation.ts',
      'native/ground.ts',
      'native/packed.ts',
      'native/pictures.ts',
      'native/plan.ts',
      'native/score.ts',
      'native/types.ts',
      'native/windows.ts',
    ],
  ],
  [
    'native/index.ts',
    [
      'native/addonCalls.ts',
      'native/explanation.ts',
      'native/ground.ts',
      'native/load.ts',
      'native/packed.ts',
      'native/pictures.ts',
      'native/plan.ts',
      'native/score.ts',
      'native/stageTiming.ts',
      'native/types.ts',
      'native/windows.ts',
    ],
  ],
  ['native/explanation.ts', ['native/plan.ts', 'native/types.ts', 'native/windows.ts']],
  ['native/ground.ts', ['native/plan.ts', 'native/stageTiming.ts', 'native/types.ts']],
  ['native/load.ts', ['native/types.ts']],
  ['native/packed.ts', ['native/types.ts']],
  ['native/pictures.ts', []],
  ['native/plan.ts', ['native/types.ts']],
  ['native/types.ts', []],
  ['native/windows.ts', ['native/plan.ts', 'native/stageTiming.ts', 'native/types.ts']],
  ['native/stageTiming.ts', []],
  ['cuda/gpu.hpp', ['native/contract/']],
  ['cuda/', ['native/contract/']],
  ['test/', ['app/', 'main/', 'renderer/', 'native/', 'cuda/', 'assets/', 'docs/site/', 'package.json']],
]

/** Who may import an outside library: its owner, and where needed a second one. A library that is not here has no owner yet. */
const npmOwners: readonly (readonly [library: RegExp, owners: readonly string[]])[] = [
  [/^zod$/, ['app/', 'main/', 'test/']],
  [/^electron$/, ['app/desktop/']],
  [/^ws$/, ['app/serve/', 'test/']],
  [/^commander$/, ['app/cli/', 'docs/site/']],
  [/^sharp$/, ['main/', 'app/package/', 'test/']],
  [/^(env-paths|write-file-atomic)$/, ['main/', 'test/']],
  [/^flatbush$/, ['main/', 'renderer/arithmetic/', 'test/']],
  [/^delaunator$/, ['main/spatial/']],
  [/^libsql$/, ['main/project/', 'test/']],
  [/^hyparquet-writer$/, ['main/export/', 'test/']],
  [/^hyparquet(\/src\/(column|snappy)\.js)?$/, ['main/project/importing/points/parquet/', 'test/']],
  // The HDF Group's own library: what main/export/hdf5 writes is read back by it.
  [/^h5wasm$/, ['test/']],
  [/^(zarrita|@zarrita\/storage)$/, ['test/']],
  // The tests of native/ bundle its TypeScript as a shell does.
  [/^(esbuild|vite)$/, ['app/setup/', 'docs/site/', 'test/']],
  // Builds the documentation's site; no file that is shipped has it.
  [/^vitepress$/, ['docs/site/']],
  [/^@electron\/fuses$/, ['app/package/', 'test/']],
  [/^@wasm-fmt\/clang-format$/, ['app/setup/']],
  [/^@cyclonedx\/cyclonedx-library$/, ['app/setup/notices/', 'test/']],
  [/^(vite|@vitejs\/plugin-react)$/, ['renderer/vite.config.ts']],
  [/^d3-scale-chromatic$/, ['renderer/arithmetic/']],
  [/^lru-cache$/, ['main/', 'renderer/viewer/']],
  [/^tinykeys$/, ['renderer/store/']],
  [/^openseadragon$/, ['renderer/viewer/']],
  [/^@tanstack\/react-virtual$/, ['renderer/panels/']],
  [/^(react|react-dom|zustand(\/react\/shallow)?|@mantine\/.+|@tabler\/icons-react)$/, ['renderer/', 'test/']],
  // GPL, so of no file that is shipped.
  [/^@action-validator\/core$/, ['test/']],
  [/^ajv$/, ['test/']],
  // Of npm's version ranges.
  [/^semver$/, ['test/']],
  [/^(vitest|fast-check|typescript|@playwright\/test)$/, ['test/']],
]
/** Libraries that a single file may import, so that the rest of the house never sees their types. */
const oneFileOnly = ['openseadragon', 'tinykeys']

const headerOwners: readonly (readonly [header: RegExp, owners: readonly string[]])[] = [
  [/^(napi|node_api|js_native_api|uv|node|v8)\.h$/, ['native/addon/']],
  [/^(openslide\/.*|openslide(-features)?\.h|jpeglib\.h|turbojpeg\.h|tiffio\.h|zlib\.h)$/, ['native/slide/']],
  [/^(cuda.*|cub\/.*|thrust\/.*|cooperative_groups.*|device_launch_parameters\.h|nvtx3\/.*)$/, ['cuda/']],
  [/^(gtest|gmock)\/.*$/, ['test/native/']],
  // The system's own, wherever it is needed.
  [
    /^(sys\/\w+|dlfcn|unistd|malloc|cpuid|fcntl|pthread|sched|windows|io|winioctl|delayimp|[a-z]+intrin|arm_neon)(\.h)?$/,
    ['native/', 'cuda/', 'test/'],
  ],
]
/** The one header of cuda/ that others include: free of CUDA's types, so that a compiler without CUDA reads it. */
const cudaFree = ['cuda/gpu.hpp']
const coreFolders = ['app', 'renderer', 'main', 'native', 'cuda', 'assets', 'docs', 'test']

const isTypeScript = (path: string) => /\.(ts|tsx|mts|cts|mjs|cjs|js)$/.test(path)
const isCpp = (path: string) => /\.(cpp|hpp|h|cc|cu|cuh)$/.test(path)
const startsWithAny = (path: string, prefixes: readonly string[]) => prefixes.some((prefix) => path.startsWith(prefix))
const nodeModules = new Set(builtinModules)

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
}

function layerOf(path: string): string | undefined {
  return inside.find(([layer]) => path.startsWith(layer))?.[0]
}

function checkInside(from: string, to: string): string[] {
  const layer = layerOf(from)
  if (layer === undefined) return [`${from}: belongs to no layer of test/arrows/rules.ts`]
  const reach = inside.find(([name]) => name === layer)![1]
  const own = layer.endsWith('/') ? [layer] : []
  return startsWithAny(to, [...own, ...reach]) ? [] : [`${from}: reaches ${to}, which ${layer} may not`]
}

function checkPackage(from: string, specifier: string): string[] {
  const name = packageOf(specifier)
  if (specifier.startsWith('node:') || nodeModules.has(name)) {
    if (!specifier.startsWith('node:')) return [`${from}: imports ${specifier} without "node:"`]
    // vite.config.ts runs in Node; everything else of the renderer in a browser.
    const browser = from.startsWith('renderer/') && from !== 'renderer/vite.config.ts'
    return browser || from.startsWith('app/contract/') || ['app/requests.ts', 'app/commands.ts'].includes(from)
      ? [`${from}: imports ${specifier}, and it must also run in a browser`]
      : []
  }
  const rules = npmOwners.filter(([library]) => library.test(name))
  if (rules.length === 0) return [`${from}: imports ${name}, which has no owner in test/arrows/rules.ts`]
  if (from.startsWith('app/contract/')) return name === 'zod' ? [] : [`${from}: imports ${name}, and the floor imports only zod`]
  const owners = rules.flatMap(([, folders]) => folders)
  return startsWithAny(from, owners) ? [] : [`${from}: imports ${name}, which belongs to ${owners.join(' and ')}`]
}

function checkTypeScript(file: SourceFile): { violations: string[]; packages: string[] } {
  const imports = ts.preProcessFile(file.text, true, true).importedFiles.map((each) => each.fileName)
  const violations: string[] = []
  const packages: string[] = []
  for (const specifier of imports) {
    if (specifier.startsWith('.')) {
      const bare = posix.join(posix.dirname(file.path), specifier)
      // A layer may be one file, or a folder whose door is its index.ts; imports leave both endings out.
      const whole = inside.some(([layer]) => layer === `${bare}/`) ? `${bare}/index` : bare
      const target = isTypeScript(whole) || /\.\w+$/.test(whole) ? whole : `${whole}.ts`
      violations.push(...checkInside(file.path, target))
    } else {
      packages.push(packageOf(specifier))
      violations.push(...checkPackage(file.path, specifier))
    }
  }
  return { violations, packages }
}

function checkIncludes(file: SourceFile, paths: ReadonlySet<string>): string[] {
  const violations: string[] = []
  for (const [, quoted, angled] of file.text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)/gm)) {
    const name = quoted ?? angled!
    const candidates = [posix.join(posix.dirname(file.path), name), posix.join('native', name), posix.normalize(name)]
    const target = candidates.find((path) => paths.has(path))
    if (target !== undefined) {
      violations.push(...checkInside(file.path, target))
      continue
    }
    const owner = headerOwners.find(([header]) => header.test(name))
    if (owner) {
      if (!startsWithAny(file.path, owner[1]))
        violations.push(`${file.path}: includes ${name}, which belongs to ${owner[1].join(' and ')}`)
      else if (cudaFree.includes(file.path)) violations.push(`${file.path}: includes ${name}, and this header stays free of CUDA`)
    } else if (quoted !== undefined) violations.push(`${file.path}: includes "${name}", which is not in the house`)
    // The standard library's headers have no ending; C's own are included by their C++ names.
    else if (!/^[a-z_0-9]+$/.test(name))
      violations.push(`${file.path}: includes <${name}>, which has no owner in test/arrows/rules.ts`)
  }
  return violations
}

/** A file says its one reason to change in its first line (after a #! line, where it is a program). */
function checkFirstLine({ path, text }: SourceFile): string[] {
  const [first, second] = text.split('\n', 2)
  const line = first?.startsWith('#!') ? second : first
  const wanted = /\.(css|html)$/.test(path)
    ? /^(\/\*|<!)/
    : /(^|\/)CMakeLists\.txt$|\.(sh|yml)$/.test(path)
      ? /^# \S/
      : /^\/\/ \S.{15}/
  return wanted.test(line ?? '') ? [] : [`${path}: its first line does not say its one reason to change`]
}

/** Every violation in `files` (paths from the repository's root, with '/'), as sentences. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const violations: string[] = []
  const paths = new Set(files.map((file) => file.path))
  const importers = new Map<string, string[]>()
  for (const file of files) {
    const [folder] = file.path.split('/')
    if (file.path.includes('/') && !folder!.startsWith('.') && !coreFolders.includes(folder!)) {
      violations.push(`${file.path}: ${folder} is no folder of the house (${coreFolders.join(', ')})`)
      continue
    }
    // Configuration that tools insist on finding at the root imports those tools.
    if (!file.path.includes('/') || file.path.startsWith('.')) continue
    if (isTypeScript(file.path)) {
      const { violations: found, packages } = checkTypeScript(file)
      violations.push(...found)
      for (const name of packages) importers.set(name, [...(importers.get(name) ?? []), file.path])
    } else if (isCpp(file.path)) violations.push(...checkIncludes(file, paths))
    if (isTypeScript(file.path) || isCpp(file.path) || /CMakeLists\.txt$|\.(css|sh)$/.test(file.path))
      violations.push(...checkFirstLine(file))
  }
  for (const name of oneFileOnly) {
    const found = [...new Set(importers.get(name) ?? [])]
    if (found.length > 1) violations.push(`${name}: belongs to one file, and is imported by ${found.join(', ')}`)
  }
  return violations
}
