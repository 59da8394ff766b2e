// `npm run package:npm`: the command line as npm packages: one for all systems, and one with the prebuilt addon for this one.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from '../setup/build.mjs'
import { isProgram, root, run, runMain, say, SetupError, tail, which } from '../setup/shell.mjs'

/** What the command line reads while it runs. Its bundles hold all other packages. */
const parts = ['dist', 'assets/recipes', 'assets/samples', 'assets/icons', 'app/cli/morphoscope.cjs', 'docs/command-line.md']
const texts = ['README.md', 'LICENSE', 'CHANGELOG.md']
const beside = ['sharp', 'libsql']
const isLeftOut = (path) => /\.map$|[\\/]\.(compiled|built|modules\.json)|desktop\.mjs$|preload\.cjs$/.test(path)

/** The name of the package with the addon: as sharp's are named. */
export const engineName = (platform = process.platform, arch = process.arch) => `@morphoscope/engine-${platform}-${arch}`

/** From the repository's own manifest: [the command line's, the addon's]. */
export function manifests(own, platform = process.platform, arch = process.arch) {
  const { name, version, description, license, author, engines, type, bin, dependencies } = own
  const shared = { version, license, author }
  return [
    {
      name,
      ...shared,
      description,
      type,
      bin,
      engines,
      dependencies: Object.fromEntries(beside.map((each) => [each, dependencies[each]])),
      optionalDependencies: { [engineName(platform, arch)]: version },
    },
    {
      name: engineName(platform, arch),
      ...shared,
      description: `The engine of ${name} for ${platform} on ${arch}`,
      os: [platform],
      cpu: [arch],
      ...(platform === 'linux' ? { libc: ['glibc'] } : {}),
    },
  ]
}

/** Packs a folder into `output`; returns the path of the tarball. */
async function packFolder(folder, output) {
  const done = await run(which('npm') ?? 'npm', ['pack', folder, '--silent', '--pack-destination', output], { quiet: true })
  const file = done.text.trim().split('\n').at(-1)
  if (done.code !== 0) throw new SetupError(`npm pack failed:\n${tail(done.text, 10)}`)
  return join(output, basename(file))
}

/** Of what is built; returns the tarballs: the command line's, the addon's. */
export async function makeNpmPackages(output) {
  const stage = join(root, 'build', 'package', 'npm')
  rmSync(stage, { recursive: true, force: true })
  const [program, engine] = ['morphoscope', 'engine'].map((name) => join(stage, name))
  const [forProgram, forEngine] = manifests(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  mkdirSync(engine, { recursive: true })
  for (const path of [...parts, ...texts]) {
    mkdirSync(dirname(join(program, path)), { recursive: true })
    cpSync(join(root, path), join(program, path), { recursive: true, filter: (each) => !isLeftOut(each) })
  }
  writeFileSync(join(program, 'package.json'), JSON.stringify(forProgram, null, 2))
  copyFileSync(join(root, 'LICENSE'), join(engine, 'LICENSE'))
  copyFileSync(join(root, 'build', 'native', 'morphoscope.node'), join(engine, 'morphoscope.node'))
  writeFileSync(join(engine, 'package.json'), JSON.stringify(forEngine, null, 2))
  mkdirSync(output, { recursive: true })
  return [await packFolder(program, output), await packFolder(engine, output)]
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    process.env.MORPHO_CUDA ??= 'OFF'
    await build({ release: true })
    for (const file of await makeNpmPackages(join(root, 'release'))) say(`${file}, ${(statSync(file).size / 1e6).toFixed(1)} MB`)
    say('install both at once: npm install -g FILE FILE')
  })
}
