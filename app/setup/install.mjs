// Puts in place what the app needs before it can be built: Node's version, system packages, npm packages. Fast when nothing is missing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adviceFor, forgetSystemState, missingNeeds } from './needs.mjs'
import { isProgram, output, root, run, runMain, say, seconds, SetupError, tail, which } from './shell.mjs'

function checkNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20)
    throw new SetupError(
      `Node 20 or newer is needed, and this is ${process.version}. See https://nodejs.org/ or your package manager.`,
    )
}

/** How to become root without a question: [] as root, ['sudo', '-n'] where no password is asked, else null. */
function rootPrefix() {
  if (process.getuid?.() === 0) return []
  return which('sudo') && output('sudo', ['-n', 'true']) !== null ? ['sudo', '-n'] : null
}

/** The first of a need's package names that this release has. */
function availablePackage(alternatives) {
  const policy = output('apt-cache', ['policy', ...alternatives]) ?? ''
  const known = new Map(
    [...policy.matchAll(/^(\S+):\n\s+Installed: .*\n\s+Candidate: (.*)$/gm)].map((match) => [match[1], match[2]]),
  )
  return alternatives.find((name) => known.has(name) && known.get(name) !== '(none)') ?? null
}

async function aptInstall(prefix, names) {
  const started = Date.now()
  say(`installing ${names.join(' ')}`)
  const command = [
    ...prefix,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
    ...names,
  ]
  const done = await run(command[0], command.slice(1), { quiet: true })
  if (done.code === 0) say(`installed in ${seconds(started)}`)
  else say(`apt-get could not install ${names.join(' ')}:\n${tail(done.text, 8)}`)
  return done.code === 0
}

async function installSystemPackages(missing) {
  const prefix = rootPrefix()
  if (process.platform !== 'linux' || !which('apt-get') || prefix === null) return
  const update = [...prefix, 'apt-get', 'update']
  const updated = await run(update[0], update.slice(1), { quiet: true })
  if (updated.code !== 0) say(`apt-get update failed; going on with the package lists that are here:\n${tail(updated.text, 4)}`)
  const wanted = missing.map((need) => availablePackage(need.debian)).filter((name) => name !== null)
  const names = [...new Set(wanted)]
  if (names.length === 0) return
  // One package that a release cannot install must not keep the others out.
  if (!(await aptInstall(prefix, names)) && names.length > 1) {
    for (const name of names) await aptInstall(prefix, [name])
  }
}

async function checkSystem(options) {
  let missing = missingNeeds(options)
  if (missing.length > 0) {
    await installSystemPackages(missing)
    forgetSystemState()
    missing = missingNeeds(options)
  }
  if (missing.length === 0) return say('system packages: nothing missing')
  const advice = `not installed here, please install:\n${adviceFor(missing)}`
  if (missing.some((need) => need.level === 'build')) throw new SetupError(advice)
  say(`${advice}\n  Going on without.`)
}

/** What node_modules holds against what the lock file asks for: npm keeps its own record of the former. */
function npmPackagesDiffer() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return 'node_modules is not there'
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
  say(`npm ci (${why})`)
  const cli = process.env.npm_execpath
  const [command, first] = cli && /\.[cm]?js$/.test(cli) ? [process.execPath, [cli]] : [which('npm') ?? 'npm', []]
  const done = await run(command, [...first, 'ci', '--no-fund', '--no-audit'], { quiet: true })
  if (done.code !== 0) throw new SetupError(`npm ci failed:\n${tail(done.text)}`)
  say(`npm ci done in ${seconds(started)}`)
}

export async function install({ tests = false } = {}) {
  checkNode()
  await checkSystem({ tests })
  await installNpmPackages()
}

if (isProgram(import.meta.url)) await runMain(() => install({ tests: process.argv.includes('--tests') }))
