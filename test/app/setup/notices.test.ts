// All that is bundled is listed with its licence and a text of it: what the bundlers took, what native libraries hold, what is packed beside.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { Licences } from '../../../app/contract'
import { cratesOf, neededLibraries, partsOfAddon, partsOfLibvips } from '../../../app/setup/notices/native.mjs'
import { collectLicences } from '../../../app/setup/notices/notices.mjs'
import { foldersOf, packageFolder, packedFolders } from '../../../app/setup/notices/packages.mjs'
import { billOfMaterials } from '../../../app/setup/notices/sbom.mjs'
import { root } from '../../../app/setup/shell.mjs'

const json = <T>(...path: string[]): T => JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T
const purlOf = (folder: string): string => {
  const { name, version } = json<{ name: string; version: string }>(folder, 'package.json')
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
/** `npm test` builds the app before; `npx vitest` alone may not have it. */
const isBuilt = existsSync(join(root, 'dist', '.modules.json'))

describe('a module’s package', () => {
  it.each([
    ['node_modules/zod/v4/core.js', 'node_modules/zod'],
    ['/home/a/morphoscope/node_modules/@mantine/core/esm/Box.mjs?v=1', 'node_modules/@mantine/core'],
    ['node_modules/libsql/node_modules/detect-libc/lib/a.js', 'node_modules/libsql/node_modules/detect-libc'],
    ['C:\\a\\node_modules\\ws\\index.js', 'node_modules/ws'],
    ['app/cli/cli.ts', null],
  ])('of %s is %s', (path, folder) => expect(packageFolder(path)).toBe(folder))
  it('is the bundler’s where a bundler wrote it', () => {
    expect(foldersOf(['\0vite/preload-helper.js', '\0rolldown/runtime.js', 'renderer/main.tsx'])).toEqual([
      'node_modules/rolldown',
      'node_modules/vite',
    ])
  })
})

describe.skipIf(!isBuilt)('what was built', () => {
  const modules = isBuilt ? json<Record<string, string[]>>('dist', '.modules.json') : {}
  const listed = isBuilt ? json<{ components: { purl: string }[]; missing: string[] }>('dist', 'renderer', 'licences.json') : null
  it('has a licence and its text for every part', () => {
    expect(listed!.missing).toEqual([])
    const { components, texts } = Licences.parse(listed)
    expect(components.length).toBeGreaterThan(120)
    for (const part of components)
      for (const at of part.texts) expect([part.name, texts[at]!.length > 80]).toEqual([part.name, true])
  })
  it('lists every package that a bundle took, and those that are packed beside', () => {
    expect(Object.keys(modules).sort()).toEqual([
      'cli.mjs',
      'desktop.mjs',
      'engine.mjs',
      'featureThread.mjs',
      'guard.cjs',
      'parquetThread.mjs',
      'preload.cjs',
      'renderer',
      'spatialThread.mjs',
    ])
    const purls = listed!.components.map(({ purl }) => purl)
    const wanted = [...Object.values(modules).flatMap(foldersOf), ...packedFolders(root)]
    for (const name of ['react-dom', 'openseadragon', '@mantine/core', 'zod', 'sharp', 'libsql'])
      expect(wanted).toContain(`node_modules/${name}`)
    expect([...new Set(wanted)].map(purlOf).filter((purl) => !purls.includes(purl))).toEqual([])
  })
  it('has what esbuild puts into the desktop shell when it is asked again', async () => {
    const { metafile } = await build({
      entryPoints: [join(root, 'app', 'desktop', 'main.ts')],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      outdir: join(tmpdir(), 'morphoscope-not-written'),
      external: ['electron', 'sharp', 'libsql', '*.node'],
      absWorkingDir: root,
      logLevel: 'error',
    })
    const taken = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    )
    expect(foldersOf(taken)).not.toEqual([])
    expect(foldersOf(taken)).toEqual(foldersOf(modules['desktop.mjs']!))
  })
  it('has a bill of materials that keeps to its schema and has every part', async () => {
    const text = readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8')
    expect(await validator.validate(text)).toBeNull()
    const { components } = JSON.parse(text) as { components: { purl: string }[] }
    expect(components.map(({ purl }) => purl).sort()).toEqual(listed!.components.map(({ purl }) => purl).sort())
  })
})

describe('native libraries', () => {
  it('name the crates in them', () => {
    const planted = Buffer.from(
      '\0/root/.cargo/registry/src/index.crates.io-6f17/regex-automata-0.4.7/src/dfa.rs\0called\0/c/registry/src/x/h2-0.3.26/a',
    )
    expect(cratesOf(planted)).toEqual([
      { name: 'h2', version: '0.3.26' },
      { name: 'regex-automata', version: '0.4.7' },
    ])
  })
  it('with a part that nobody knows give it without a text', () => {
    const place = mkdtempSync(join(tmpdir(), 'morphoscope-notices-'))
    try {
      symlinkSync(join(root, 'assets'), join(place, 'assets'))
      mkdirSync(join(place, 'vips'))
      writeFileSync(join(place, 'vips', 'versions.json'), JSON.stringify({ vips: '8.18.7', jxl: '0.12.0' }))
      const parts = partsOfLibvips(place, 'vips')
      expect(parts.map(({ name, version, license }) => [name, version, license])).toEqual([
        ['libvips', '8.18.7', 'LGPL-3.0-or-later'],
        ['jxl', '0.12.0', null],
        ['libnsgif', '8.18.7', 'MIT'],
      ])
      expect(parts[1]!.texts).toEqual([])
    } finally {
      rmSync(place, { recursive: true })
    }
  })
  it('linked into the addon show in its bytes', () => {
    const place = mkdtempSync(join(tmpdir(), 'morphoscope-notices-'))
    try {
      const binary = join(place, 'addon.node')
      writeFileSync(binary, '\0GCC: (Debian 12.2.0-14) 12.2.0\0')
      expect(partsOfAddon(root, binary).map(({ name, version }) => `${name} ${version}`)).toEqual(['libstdc++ and libgcc 12.2.0'])
      writeFileSync(binary, '\0GCC: (GNU) 8.5.0\0libcudart_static_00\0N3cub17CUB_300001_\0')
      expect(partsOfAddon(root, binary).map(({ name, version }) => `${name} ${version}`.trim())).toEqual([
        'libstdc++ and libgcc 8.5.0',
        'NVIDIA CUDA Runtime',
        'NVIDIA CUB 3.0.1',
      ])
    } finally {
      rmSync(place, { recursive: true })
    }
  })
  it('ask for no library but the system’s: what else they hold is inside them', () => {
    const folders = [...packedFolders(root), 'build/native']
    const libraries = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        // An earlier `npm test` leaves the addon with the sanitizer there, which nobody ships.
        .filter((name) => /\.node$|\.so(\.[\d.]+)?$/.test(name) && !/CMakeFiles|_sanitized/.test(name))
        .map((name) => join(folder, name)),
    )
    expect(libraries.length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 3 : 0)
    const system =
      /^(ld-linux.*|ld-musl.*|libc\.(so|musl).*|libm|libdl|librt|libpthread|libgcc_s|libresolv|libstdc\+\+)(\.so.*)?$/
    const foreign = libraries.flatMap((path) =>
      (neededLibraries(readFileSync(join(root, path))) ?? [])
        // sharp's own two lie beside each other.
        .filter((name) => !system.test(name) && !name.startsWith('libvips-cpp.so'))
        .map((name) => `${path}: ${name}`),
    )
    expect(foreign).toEqual([])
  })
})

describe('a planted package', () => {
  const place = mkdtempSync(join(tmpdir(), 'morphoscope-notices-'))
  afterAll(() => rmSync(place, { recursive: true }))
  for (const name of ['assets', 'LICENSE', 'package.json']) symlinkSync(join(root, name), join(place, name))
  writeFileSync(
    join(place, 'electron-builder.yml'),
    "files:\n  - dist/**\n  - '!node_modules/**'\n  - node_modules/beside/**\n  - node_modules/@scope/**\n  - '!node_modules/@scope/left/**'\n",
  )
  for (const name of ['electron', 'node-addon-api', 'node-api-headers']) {
    mkdirSync(join(place, 'node_modules'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name))
  }
  const plant = (name: string, manifest: object, licence?: string) => {
    const folder = join(place, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }))
    if (licence !== undefined) writeFileSync(join(folder, 'LICENCE.md'), licence)
  }
  plant('whole', { license: 'MIT' }, 'Copyright (c) Somebody')
  plant('textless', { license: 'MIT' })
  plant('nameless', {}, 'Do what you like.')
  plant('beside', { license: 'ISC' })
  plant('@scope/taken', { license: 'ISC' })
  plant('@scope/left', { license: 'ISC' })
  it('without a licence or its text is named, wherever it is', () => {
    const found = collectLicences(place, {
      'engine.mjs': ['node_modules/whole/a.js', 'node_modules/textless/a.js'],
      renderer: ['node_modules/whole/b.js', 'node_modules/nameless/b.js'],
    })
    expect(found.missing).toEqual(['@scope/taken', 'beside', 'nameless', 'textless'])
    const whole = found.components.find(({ name }) => name === 'whole')!
    expect(whole).toMatchObject({ version: '1.0.0', license: 'MIT', within: ['the engine', 'the window'] })
    expect(whole.texts.map((at) => found.texts[at])).toEqual(['Copyright (c) Somebody'])
  })
  it('is named with the version of the Electron that is packed', () => {
    const electronIn = (more?: { electron?: string }) =>
      collectLicences(place, {}, more).components.find(({ name }) => name === 'electron')
    expect(electronIn()!.purl).toBe(purlOf('node_modules/electron'))
    expect(electronIn({ electron: '43.2.0' })).toMatchObject({ version: '43.2.0', purl: 'pkg:npm/electron@43.2.0' })
  })
  it('is in the bill of materials, which keeps to its schema and is the same each time', async () => {
    const found = collectLicences(place, { renderer: ['node_modules/whole/b.js', 'node_modules/nameless/b.js'] })
    const text = billOfMaterials(found)
    expect(await validator.validate(text)).toBeNull()
    expect(billOfMaterials(found)).toBe(text)
    const { components } = JSON.parse(text) as { components: { name: string; purl: string; licenses?: unknown }[] }
    expect(components.map(({ purl }) => purl)).toEqual(expect.arrayContaining(found.components.map(({ purl }) => purl)))
    expect(components.find(({ name }) => name === 'whole')!.licenses).toEqual([{ license: { id: 'MIT' } }])
  })
})
