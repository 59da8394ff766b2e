// Finds Electron's binary, and says why it cannot be used where it cannot: shared by start, the tests and the bench.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { working } from './progress.mjs'
import { root, run, tail, which } from './shell.mjs'

const binaryNames = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
const binaryName = binaryNames[process.platform] ?? 'electron'
const versionWanted = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.electron

export const howToGetElectron = `To get it: run "node node_modules/electron/install.js" where https://github.com can be reached, or unpack Electron's
  release for this system and set ELECTRON_OVERRIDE_DIST_PATH to its folder.`

/** Its path and its own version, which is not package.json's where another binary was given. */
function installedBinary() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH || join(root, 'node_modules', 'electron', 'dist')
  const path = resolve(folder, binaryName)
  if (!existsSync(path)) return null
  const file = resolve(folder, 'version')
  return { path, version: existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : versionWanted() }
}

/** A sentence where Electron is not the version that package.json names, or null. */
export const otherElectron = ({ version }) =>
  version === undefined || version === versionWanted()
    ? null
    : `Electron ${version} is used where package.json names ${versionWanted()}`

/** { path, version } of Electron's binary, or { reason }. `download`: try Electron's own download once where it is not there. */
export async function findElectron({ download = false } = {}) {
  const present = installedBinary()
  if (present) return present
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return { reason: `ELECTRON_OVERRIDE_DIST_PATH is ${override}, and there is no ${binaryName} in it` }
  if (!download) return { reason: "Electron's binary is not installed" }
  const work = working(`downloading Electron ${versionWanted()}, 110 MB`, '1 to 5 min')
  const done = await run(process.execPath, ['node_modules/electron/install.js'], { quiet: true, limits: { totalMs: 600_000 } })
  work.end()
  const downloaded = installedBinary()
  if (done.code === 0 && downloaded) return downloaded
  const said = done.text.match(/^\s*(?:\w*Error|\w+ \[\w+\]|cause).*$/m)?.[0].trim() ?? tail(done.text, 1)
  return { reason: `Electron's download failed (${said})` }
}

/** Why a window cannot be shown here, or null. */
export function noDisplayReason() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return null
  return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)'
}

/** A program and arguments to put before a command so that it has a display; [] where there is one; null where none can be had. */
export function displayPrefix() {
  if (noDisplayReason() === null) return []
  return which('xvfb-run') && which('Xvfb') ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24'] : null
}

/**
 * What Chromium's sandbox asks of this system: { args } to start with, or { reason }.
 * As root there is no sandbox to be had; elsewhere it is never dropped silently, because slides are hostile input.
 */
export function sandboxArgs(electronPath) {
  if (process.platform !== 'linux') return { args: [] }
  if (process.getuid?.() === 0) return { args: ['--no-sandbox'] }
  const helper = join(dirname(electronPath), 'chrome-sandbox')
  const helperStat = existsSync(helper) ? statSync(helper) : null
  if (helperStat && helperStat.uid === 0 && helperStat.mode & 0o4000) return { args: [] }
  const switchedOff = [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns:1',
    '/proc/sys/kernel/unprivileged_userns_clone:0',
  ].some((entry) => {
    const [path, value] = entry.split(':')
    return existsSync(path) && readFileSync(path, 'utf8').trim() === value
  })
  if (!switchedOff) return { args: [] }
  return {
    reason: `this system allows Chromium's sandbox only through its helper; once: sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`,
  }
}
