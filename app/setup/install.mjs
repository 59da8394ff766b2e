// Puts in place what the app needs before it can be built: Node's version, system packages, npm packages. Fast when nothing is missing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import './checkNode.cjs'
import { working } from './progress.mjs'
import { isProgram, root, run, runMain, say, seconds, SetupError, tail, which } from './shell.mjs'
import { installSystemPackages } from './systemPackages.mjs'

/** What node_modules holds against what the lock file asks for: npm keeps its own record of the former. */
function npmPackagesDiffer() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return 'not installed yet'
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const found = JSON.parse(readFileSync(record, 'utf8')).packages
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || (entry.optional && !found[path])) continue
    if (found[path]?.version !== entry.version) return `${path.replace(/^.*node_modules\//, '')} is not at ${entry.version}`
    if (!existsSync(join(root, path))) return `${path} is gone`
  }
  return null
}

async function installNpmPackages() {
  const why = npmPackagesDiffer()
  if (why === null) return say('npm packages: as in package-lock.json')
  const started = Date.now()
  say(`npm packages: ${why}`)
  const work = working('npm packages', '1 to 3 min')
  const cli = process.env.npm_execpath
  const [command, first] = cli && /\.[cm]?js$/.test(cli) ? [process.execPath, [cli]] : [which('npm') ?? 'npm', []]
  const done = await run(command, [...first, 'ci', '--no-fund', '--no-audit'], { quiet: true })
  work.end()
  if (done.code !== 0) throw new SetupError(`npm ci failed:\n${tail(done.text)}`)
  say(`npm packages: installed in ${seconds(started)}`)
}

/** `yes`: sudo may be used without a question. */
export async function install({ tests = false, yes = false } = {}) {
  await installSystemPackages({ tests, yes })
  await installNpmPackages()
}

/** Said by who runs a script without a terminal, and lets it use sudo. */
export const yesOption = '--yes'

if (isProgram(import.meta.url))
  await runMain(() => install({ tests: process.argv.includes('--tests'), yes: process.argv.includes(yesOption) }))
