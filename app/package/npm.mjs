// `npm run package:npm [-- --with linux-arm64]`: the command line as npm packages: one for all systems, and one with the addon for each.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from '../setup/build.mjs'
import { isProgram, root, run, runMain, say, SetupError, tail, which } from '../setup/shell.mjs'
import { commandPages } from './tree.mjs'

/** What the command line reads while it runs. Its bundles hold all other packages. */
const parts = [
  'dist',
  'assets/recipes',
  'assets/samples',
  'assets/icons',
  'assets/workflows',
  'app/cli/morphoscope.cjs',
  'docs/command-line.md',
]
const texts = ['README.md', 'LICENSE', 'CHANGELOG.md']
const manual = 'share/man/man1/morphoscope.1'
const beside = ['sharp', 'libsql']
const isLeftOut = (path) => /\.map$|[\\/]\.(compiled|built|modules\.json)|desktop\.mjs$|preload\.cjs$/.test(path)

/** As sharp names its packages: the system and the processor. */
export const here = `${process.platform}-${process.arch}`
export const engineName = (system = here) => `@morphoscope/engine-${system}`

/** Where the addon of a system is built: this one's by `npm run build`, others' by test/package/arm64.sh and windows.sh. */
const addonOf = (system) => join(root, 'build', system === here ? 'native' : system, 'morphoscope.node')

/** From the repository's own manifest: [the command line's, the addon's of each system]. */
export function manifests(own, systems = [here]) {
  const { name, version, description, license, author, engines, type, bin, dependencies } = own
  const shared = { version, license, author }
  const forEngine = (system) => {
    const [platform, arch] = system.split('-')
    return {
      name: engineName(system),
      ...shared,
      description: `The engine of ${name} for ${platform} on ${arch}`,
      os: [platform],
      cpu: [arch],
      ...(platform === 'linux' ? { libc: ['glibc'] } : {}),
    }
  }
  const forProgram = {
    name,
    ...shared,
    description,
    type,
    bin,
    // npm puts it where man looks, of what is installed with -g.
    man: [manual],
    engines,
    dependencies: Object.fromEntries(beside.map((each) => [each, dependencies[each]])),
    optionalDependencies: Object.fromEntries(systems.map((system) => [engineName(system), version])),
  }
  return [forProgram, ...systems.map(forEngine)]
}

/** Packs a folder into `output`; returns the path of the tarball. */
async function packFolder(folder, output) {
  const done = await run(which('npm') ?? 'npm', ['pack', folder, '--silent', '--pack-destination', output], { quiet: true })
  const file = done.text.trim().split('\n').at(-1)
  if (done.code !== 0) throw new SetupError(`npm pack failed:\n${tail(done.text, 10)}`)
  return join(output, basename(file))
}

/** Of what is built; returns the tarballs: the command line's, the addon's of each system. */
export async function makeNpmPackages(output, systems = [here]) {
  const stage = join(root, 'build', 'package', 'npm')
  rmSync(stage, { recursive: true, force: true })
  const program = join(stage, 'morphoscope')
  const [forProgram, ...forEngines] = manifests(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), systems)
  for (const path of [...parts, ...texts]) {
    mkdirSync(dirname(join(program, path)), { recursive: true })
    cpSync(join(root, path), join(program, path), { recursive: true, filter: (each) => !isLeftOut(each) })
  }
  writeFileSync(join(program, 'package.json'), JSON.stringify(forProgram, null, 2))
  const { man, bash, zsh } = await commandPages(forProgram.version)
  const pages = {
    [manual]: man,
    'share/bash-completion/completions/morphoscope': bash,
    'share/zsh/vendor-completions/_morphoscope': zsh,
  }
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(program, path)), { recursive: true })
    writeFileSync(join(program, path), text)
  }
  mkdirSync(output, { recursive: true })
  const files = [await packFolder(program, output)]
  for (const [i, system] of systems.entries()) {
    const engine = join(stage, system)
    mkdirSync(engine)
    copyFileSync(join(root, 'LICENSE'), join(engine, 'LICENSE'))
    copyFileSync(addonOf(system), join(engine, 'morphoscope.node'))
    writeFileSync(join(engine, 'package.json'), JSON.stringify(forEngines[i], null, 2))
    files.push(await packFolder(engine, output))
  }
  return files
}

/** Throws where another system's addon is not there; this one's is built with the rest. */
export function requireAddon(system) {
  if (system === here || (system && existsSync(addonOf(system)))) return
  throw new SetupError(
    `There is no addon for ${system || 'a system without a name'} at ${addonOf(system)}. test/package/arm64.sh builds linux-arm64, windows.sh win32-x64.`,
  )
}

/** What follows each `--with`. */
function otherSystems(args) {
  const systems = args.flatMap((arg, i) => (arg === '--with' ? [args[i + 1] ?? ''] : []))
  systems.forEach(requireAddon)
  return systems.filter((system) => system !== here)
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    process.env.MORPHO_CUDA ??= 'OFF'
    const systems = [here, ...otherSystems(process.argv.slice(2))]
    await build({ release: true })
    for (const file of await makeNpmPackages(join(root, 'release'), systems))
      say(`${file}, ${(statSync(file).size / 1e6).toFixed(1)} MB`)
    say('install two at once, the first and that of the system: npm install -g FILE FILE')
  })
}
