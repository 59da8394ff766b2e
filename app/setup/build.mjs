// Builds the native engine (build/native) and the app (dist), each only where something changed since the last time.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { adviceFor, missingNeeds } from './needs.mjs'
import { working } from './progress.mjs'
import { isProgram, root, run, runMain, say, seconds, SetupError, tail, which } from './shell.mjs'

const nativeBuild = join(root, 'build', 'native')
const addon = join(nativeBuild, 'morphoscope.node')
const dist = join(root, 'dist')

// ---------------------------------------------------------------- native

/** What CMake remembers of a build folder, or undefined. */
function cached(folder, name) {
  const cache = join(folder, 'CMakeCache.txt')
  return existsSync(cache) ? readFileSync(cache, 'utf8').match(new RegExp(`^${name}:INTERNAL=(.*)$`, 'm'))?.[1] : undefined
}

/** A build folder belongs to one source path: a copied or moved clone starts afresh. */
function dropForeignCache(folder = nativeBuild) {
  const home = cached(folder, 'CMAKE_HOME_DIRECTORY')
  if (home !== undefined && resolve(home) !== join(root, 'native')) rmSync(folder, { recursive: true, force: true })
}

/** CMake and cmake-js must name the same: a build folder's own, else Ninja where it is, which is the quicker one where nothing changed. */
function generatorOption(folder) {
  const named = cached(folder, 'CMAKE_GENERATOR') ?? process.env.CMAKE_GENERATOR
  if (named === undefined && process.platform === 'win32') return []
  return ['-G', named ?? (which('ninja') ? 'Ninja' : 'Unix Makefiles')]
}

/** `usual`: how long it may take, where that is long. `even`: its parts take the same time (progress.mjs). */
async function building(command, args, what, { usual, even } = {}) {
  if (!which('cmake'))
    throw new SetupError(`CMake is needed to build the native engine:\n${adviceFor(missingNeeds({ tests: false }))}`)
  const work = working(what, usual, { even })
  const done = await run(command, args, { quiet: true, hear: work.hear })
  work.end()
  if (done.code !== 0) throw new SetupError(`${what} failed:\n${compilerErrors(done.text)}`)
}

/** Plain CMake: for what needs no Node. */
const configurePlain = (folder, options, what) =>
  building('cmake', ['-S', 'native', '-B', folder, ...generatorOption(folder), ...options], what)
const buildPlain = (folder, targets, what, jobs = cores) =>
  building('cmake', ['--build', folder, '--config', 'Release', '--parallel', String(jobs), '--target', ...targets], what)

/**
 * cmake-js: it tells CMake where Node's headers are and how an addon is linked here (CMAKE_JS_*). The headers are npm's: with `napi_versions`
 * in native/package.json it downloads nothing.
 */
async function cmakeJs(command, options, what, { jobs = cores, ...duration } = {}) {
  const tool = join(root, 'node_modules', 'cmake-js', 'bin', 'cmake-js')
  const place = ['--directory', 'native', '--out', nativeBuild, '--config', 'Release', ...generatorOption(nativeBuild)]
  await building(process.execPath, [tool, command, ...place, '--parallel', String(jobs), '--', ...options], what, duration)
}

/** A parallel build prints its first error far above its last line. */
function compilerErrors(text) {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => /\b(error|Error):|\*\*\*|CMake Error/.test(line))
  return first < 0 ? tail(text) : lines.slice(Math.max(0, first - 2), first + 30).join('\n')
}

/**
 * The GPU part: where nvcc and a GPU are found, for that GPU, or in a release for all. Always passed, because a build folder remembers.
 * MORPHO_CUDA (AUTO, ON, OFF) and MORPHO_CUDA_ARCHITECTURES in the environment say otherwise; cuda/CMakeLists.txt tells what they mean.
 */
function cudaOptions(release) {
  const architectures = process.env.MORPHO_CUDA_ARCHITECTURES || (release ? 'release' : 'auto')
  return [`-DMORPHO_CUDA=${process.env.MORPHO_CUDA || 'AUTO'}`, `-DMORPHO_CUDA_ARCHITECTURES=${architectures}`]
}

/** As many compilers at once: each takes about a gigabyte for the larger files. */
const cores = Math.max(1, availableParallelism())
/** Nine minutes on two cores, without what a compiler cache keeps. Short: the line of a terminal has 80 columns. */
const firstBuild = '2 to 12 min'
/** The five architectures of a release take nvcc 8 minutes of processor time, beside what C++ takes. */
const firstCudaBuild = '7 to 25 min'
/** What `npm test` builds two of at once (test.mjs). */
const halfTheCores = Math.ceil(cores / 2)

/** The C++ benchmark alone: `morphoscope bench` asks for it the first time. Needs neither npm packages nor the addon. */
export async function buildBench() {
  const started = Date.now()
  dropForeignCache()
  await configurePlain(nativeBuild, ['-DCMAKE_BUILD_TYPE=Release', ...cudaOptions(false)], 'configuring the engine')
  await buildPlain(nativeBuild, ['morpho_bench'], 'building the benchmark')
  say(`benchmark: built in ${seconds(started)}`)
}

/** The tests of test/native/CMakeLists.txt with sanitizers, in a folder of their own. Returns the program. */
export async function buildSanitized(name, flags) {
  const folder = join(root, 'build', `sanitize-${name}`)
  dropForeignCache(folder)
  const options = ['-DCMAKE_BUILD_TYPE=Sanitize', `-DMORPHO_SANITIZE=${flags}`, '-DMORPHO_ADDON=OFF', '-DMORPHO_CUDA=OFF']
  await configurePlain(folder, options, `configuring the tests with the ${name} sanitizer`)
  await buildPlain(folder, ['morpho_sanitize_tests'], `building the tests with the ${name} sanitizer`, halfTheCores)
  return join(folder, 'morpho_sanitize_tests')
}

/** The addon's own files with the address sanitizer, in the native build, which is there. Returns the addon. */
export async function buildSanitizedAddon() {
  await buildPlain(nativeBuild, ['addon_sanitized'], 'building the addon with the address sanitizer', halfTheCores)
  return join(nativeBuild, 'morphoscope_sanitized.node')
}

/** The GPU's tests with their kernels compiled for the CPU, beside the native engine, which is built. Returns the program. */
export async function buildEmulation() {
  await buildPlain(nativeBuild, ['gpu_emulated_tests'], "building the GPU's kernels for the CPU", halfTheCores)
  return join(nativeBuild, 'gpu_emulated_tests')
}

/** `beside`: other work goes on, and needs cores too. `bench`: with the C++ benchmark, as `tests` too. */
export async function buildNative({ tests = false, bench = false, release = false, beside = false } = {}) {
  const started = Date.now()
  if (['node-addon-api', 'cmake-js'].some((name) => !existsSync(join(root, 'node_modules', name)))) {
    throw new SetupError('The addon needs the npm packages: run "npm run setup" first.')
  }
  dropForeignCache()
  const before = modified(addon)
  // cmake-js would add a definition to every file's flags: the same files would be built anew for plain CMake's benchmark.
  const flags = `-DCMAKE_CXX_FLAGS=${process.env.CXXFLAGS ?? ''}`
  await cmakeJs('configure', [...cudaOptions(release), flags], 'configuring the engine')
  const cuda = release && process.env.MORPHO_CUDA === 'ON'
  // Compilers of C++ take about as long for each file; ptxas takes seconds for one and minutes for another.
  const rest = { jobs: beside ? halfTheCores : cores, usual: cuda ? firstCudaBuild : firstBuild, even: !cuda }
  const what = cuda ? 'building the engine and its GPU code' : 'building the engine'
  await cmakeJs('build', ['--target', tests ? 'morpho_checked' : bench ? 'morpho_begun' : 'addon'], what, rest)
  if (!existsSync(addon)) throw new SetupError(`The native engine was built, but ${addon} is not there.`)
  // A library may link with symbols that nobody defines, and fails only where it is loaded.
  const loaded = await run(process.execPath, ['-e', 'process.dlopen({ exports: {} }, process.argv[1])', addon], { quiet: true })
  if (loaded.code !== 0)
    throw new SetupError(
      `The native engine was built, but does not load:\n${loaded.text.match(/^Error:.*$/m)?.[0] ?? tail(loaded.text, 8)}`,
    )
  say(`native engine: ${modified(addon) === before ? 'up to date' : `built in ${seconds(started)}`}`)
}

// ---------------------------------------------------------------- TypeScript

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

/** The newest change below a folder; the folders' own times tell of files that went away. */
function newestBelow(path, wanted) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return wanted(path) ? stat.mtimeMs : 0
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestBelow(join(path, name), wanted)), stat.mtimeMs)
}

function newestSource() {
  const isSource = (path) => /\.(tsx?|css|html|svg|png|json)$/.test(path)
  const places = [
    'app',
    'main',
    'renderer',
    'assets',
    'package-lock.json',
    'app/setup/build.mjs',
    'native/index.ts',
    'native/load.ts',
    'native/types.ts',
  ]
  return Math.max(
    ...places
      .map((place) => join(root, place))
      .filter((path) => existsSync(path))
      .map((path) => newestBelow(path, isSource)),
  )
}

// CommonJS packages inside an ESM bundle call require for Node's own modules.
const esmBanner = {
  js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
}

const bundles = [
  { entry: 'app/desktop/main.ts', out: 'desktop.mjs', format: 'esm' },
  // A sandboxed preload is not a module.
  { entry: 'app/desktop/preload.ts', out: 'preload.cjs', format: 'cjs' },
  { entry: 'app/host/child/engineProcess.ts', out: 'engine.mjs', format: 'esm' },
  // Threads of the engine's, which each program that holds one starts from the file beside it.
  { entry: 'main/spatial/thread.ts', out: 'spatialThread.mjs', format: 'esm' },
  { entry: 'main/project/importing/features/thread.ts', out: 'featureThread.mjs', format: 'esm' },
  { entry: 'main/project/importing/points/parquet/thread.ts', out: 'parquetThread.mjs', format: 'esm' },
  // A command that few ask for, and what it brings, is loaded where it is asked for.
  { entry: 'app/cli/cli.ts', out: 'cli.mjs', format: 'esm', splits: true },
  // What app/cli/morphoscope.cjs must know before it loads cli.mjs.
  { entry: 'app/cli/guard.ts', out: 'guard.cjs', format: 'cjs' },
]

/** Returns the paths of the modules that are in the bundle. */
async function bundle({ entry, out, format, splits = false }) {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints: [{ in: join(root, entry), out: out.slice(0, -'.mjs'.length) }],
    outdir: dist,
    outExtension: { '.js': out.slice(-'.mjs'.length) },
    splitting: splits,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    // write-file-atomic seeds its temporary names with __filename: any string that is there will do.
    ...(format === 'esm' ? { banner: esmBanner, define: { __filename: 'import.meta.url' } } : {}),
    // sharp and libsql find their prebuilt libraries beside themselves; electron exists only at run time.
    external: ['electron', 'sharp', 'libsql', '*.node'],
    // What is read at every start is a third smaller; names stay, as stacks show them.
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    absWorkingDir: root,
    // Their licences are in dist/renderer/licences.json.
    legalComments: 'none',
    metafile: true,
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path)
}

/** Returns the names of the modules that are in the page: paths, and Vite's own. */
async function bundleRenderer() {
  const { build } = await import('vite')
  const modules = new Set()
  const keepModules = {
    name: 'keep-modules',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        for (const [id, { renderedLength = 1 }] of Object.entries(chunk.modules ?? {})) if (renderedLength > 0) modules.add(id)
      // Style sheets are no modules of a chunk.
      for (const id of this.getModuleIds()) if (/\.css(\?|$)/.test(id)) modules.add(id)
    },
  }
  await build({ configFile: join(root, 'renderer', 'vite.config.ts'), logLevel: 'warn', plugins: [keepModules] })
  if (!existsSync(join(dist, 'renderer', 'index.html')))
    throw new SetupError('The renderer was built, but dist/renderer/index.html is not there.')
  return [...modules]
}

const bundledModules = join(dist, '.modules.json')

/** The licences of what is bundled, and the bill of materials; after the addon, which is a part of both. */
async function writeLicences() {
  // Needs npm packages, and this file is read before these are there.
  const { writeNotices } = await import('./notices/notices.mjs')
  const missing = writeNotices(root, dist, JSON.parse(readFileSync(bundledModules, 'utf8')))
  if (missing.length > 0) say(`no licence text for: ${missing.join(', ')}. assets/notices/README.md says what to do.`)
}

export async function buildTypeScript({ force = false } = {}) {
  const started = Date.now()
  const stamp = join(dist, '.built')
  const source = newestSource()
  if (!force && existsSync(stamp) && existsSync(bundledModules) && Number(readFileSync(stamp, 'utf8')) === source) {
    if (modified(join(dist, 'renderer', 'licences.json')) < modified(addon)) await writeLicences()
    return say('app: up to date')
  }
  mkdirSync(dist, { recursive: true })
  rmSync(stamp, { force: true })
  // Their names change with what is in them.
  rmSync(join(dist, 'chunks'), { recursive: true, force: true })
  const modules = {}
  const work = working('building the app', '5 to 20 s')
  for (const each of bundles) modules[each.out] = await bundle(each)
  modules.renderer = await bundleRenderer()
  writeFileSync(bundledModules, JSON.stringify(modules))
  await writeLicences()
  work.end()
  writeFileSync(stamp, String(source))
  say(`app: built in ${seconds(started)}`)
}

export async function build({ tests = false, release = false } = {}) {
  await buildNative({ tests, release })
  await buildTypeScript()
}

if (isProgram(import.meta.url)) {
  const [part] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
  const tests = process.argv.includes('--tests')
  const release = process.argv.includes('--release')
  await runMain(async () => {
    if (part === undefined) await build({ tests, release })
    else if (part === 'native') await buildNative({ tests, release })
    else if (part === 'bench') await buildBench()
    else if (part === 'ts') await buildTypeScript({ force: process.argv.includes('--force') })
    else throw new SetupError(`expected native, bench, ts or nothing for the part to build but received ${part}`)
  })
}
