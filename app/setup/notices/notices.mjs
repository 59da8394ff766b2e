// Writes what the app is made of: the licences of all that is bundled (dist/renderer/licences.json) and the bill of materials (dist/sbom.cdx.json).
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLibsql, isLibvips, partsOfAddon, partsOfLibsql, partsOfLibvips } from './native.mjs'
import { describePackage, foldersOf, packedFolders } from './packages.mjs'
import { billOfMaterials } from './sbom.mjs'

/** What each bundle is called where people read of it. */
const bundleNames = {
  'desktop.mjs': 'the desktop shell',
  'preload.cjs': 'the desktop shell',
  'engine.mjs': 'the engine',
  'spatialThread.mjs': 'the engine',
  'featureThread.mjs': 'the engine',
  'parquetThread.mjs': 'the engine',
  'cli.mjs': 'the command line',
  'guard.cjs': 'the command line',
  renderer: 'the window',
}
/** Headers that are compiled into the addon; on Windows also the source that cmake-js adds. */
const headerPackages = ['node-addon-api', 'node-api-headers', ...(process.platform === 'win32' ? ['cmake-js'] : [])]

/**
 * Every component, with the places where it is; `modules`: the modules of each bundle, `beside`: other packages' folders, with their places,
 * `electron`: its version, where another binary is packed than package.json names.
 */
function componentsOf(root, modules, { beside = {}, electron } = {}) {
  const extra = JSON.parse(readFileSync(join(root, 'assets', 'notices', 'packages.json'), 'utf8')).texts
  const found = new Map()
  const add = (component, within) => {
    const key = `${component.purl} ${component.license}`
    const known = found.get(key) ?? { ...component, within: [] }
    if (!known.within.includes(within)) known.within.push(within)
    found.set(key, known)
  }
  const addPackage = (folder, within, version) => add(describePackage(root, folder, extra, version), within)
  for (const [bundle, paths] of Object.entries(modules))
    for (const folder of foldersOf(paths)) addPackage(folder, bundleNames[bundle] ?? bundle)
  for (const folder of packedFolders(root)) {
    addPackage(folder, 'the engine')
    const parts = isLibvips(folder) ? partsOfLibvips(root, folder) : isLibsql(folder) ? partsOfLibsql(root, folder) : []
    for (const part of parts) add(part, isLibvips(folder) ? 'libvips' : 'libsql')
  }
  for (const [folder, within] of Object.entries(beside)) addPackage(folder, within)
  for (const name of headerPackages) addPackage(`node_modules/${name}`, 'the native engine')
  for (const part of partsOfAddon(root, join(root, 'build', 'native', 'morphoscope.node'))) add(part, 'the native engine')
  addPackage('node_modules/electron', 'the desktop app', electron)
  for (const data of JSON.parse(readFileSync(join(root, 'assets', 'notices', 'data.json'), 'utf8')).parts)
    add(data, 'the samples')
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'))
}

/** A text as it is shown: without the blank space that its file ends with. */
const readText = (root, path) => readFileSync(join(root, path), 'utf8').replace(/\r\n?/g, '\n').trimEnd()

/**
 * What is shown: { program, components, texts }, where a component names its texts by their place in `texts`, and `missing`: the names of
 * components without a licence or a text. `more`: as of componentsOf.
 */
export function collectLicences(root, modules, more) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const texts = []
  const placeOf = (text) => {
    if (!texts.includes(text)) texts.push(text)
    return texts.indexOf(text)
  }
  const own = { name, version, license, texts: [placeOf(readText(root, 'LICENSE'))] }
  const components = componentsOf(root, modules, more).map((each) => ({
    ...each,
    texts: each.texts.filter((path) => existsSync(join(root, path))).map((path) => placeOf(readText(root, path))),
  }))
  const missing = components.filter((each) => each.license === null || each.texts.length === 0).map((each) => each.name)
  return { program: own, components, texts, missing }
}

/** Writes both files below `dist`; returns the names of what has no licence text. `more`: as of componentsOf. */
export function writeNotices(root, dist, modules, more) {
  const licences = collectLicences(root, modules, more)
  writeFileSync(join(dist, 'renderer', 'licences.json'), JSON.stringify(licences))
  writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials(licences))
  return licences.missing
}
