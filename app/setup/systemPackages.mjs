// Installs the system's packages that are missing: as root at once, with sudo only after a person said yes, else it says the command.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { adviceFor, availablePackages, forgetSystemState, missingNeeds, reasonsFor } from './needs.mjs'
import { working } from './progress.mjs'
import { output, root, run, say, seconds, SetupError, tail, which } from './shell.mjs'

/** What was offered and not wanted: it is not offered at every start. */
const declinedFile = join(root, 'build', 'packages-not-wanted.json')

/**
 * 'install', 'ask' first, or 'advise': say the command. `declined`: names of what a person did not want.
 * @param {{ missing: readonly { what: string, level: string }[], apt: boolean, root: boolean, sudo: boolean, terminal: boolean, yes: boolean, declined: readonly string[] }} state
 */
export function whatToDo({ missing, apt, root: isRoot, sudo, terminal, yes, declined }) {
  if (!apt) return 'advise'
  if (isRoot) return 'install'
  if (!sudo) return 'advise'
  if (yes) return 'install'
  const required = missing.some(({ level }) => level === 'build')
  if (!required && missing.every(({ what }) => declined.includes(what))) return 'advise'
  return terminal ? 'ask' : 'advise'
}

async function apt(prefix, args, name, usual) {
  const work = working(name, usual)
  const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
  const done = await run(command[0], command.slice(1), { quiet: true })
  work.end()
  return done
}

async function aptInstall(prefix, names) {
  const started = Date.now()
  const what = names.length === 1 ? names[0] : `${names.length} packages`
  const done = await apt(prefix, ['install', '-y', '--no-install-recommends', ...names], `installing ${what}`, '1 to 3 min')
  if (done.code === 0) say(`installed ${what} in ${seconds(started)}`)
  else say(`apt-get could not install ${names.join(' ')}:\n${tail(done.text, 8)}`)
  return done.code === 0
}

async function installPackages(prefix, missing) {
  const updated = await apt(prefix, ['update'], 'reading the lists of packages', '10 to 60 s')
  if (updated.code !== 0) say(`apt-get update failed; going on with the package lists that are here:\n${tail(updated.text, 4)}`)
  const wanted = availablePackages(missing.map((need) => need.debian)).filter((name) => name !== null)
  const names = [...new Set(wanted)]
  if (names.length === 0) return
  // One package that a release cannot install must not keep the others out.
  if (!(await aptInstall(prefix, names)) && names.length > 1) {
    for (const name of names) await aptInstall(prefix, [name])
  }
}

async function isWanted(missing) {
  const required = missing.some(({ level }) => level === 'build')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await lines.question(
      `[morphoscope] Install them now with sudo?${required ? '' : ' The app also runs without them.'} [y/N] `,
    )
    return /^\s*y(es)?\s*$/i.test(answer)
  } finally {
    lines.close()
  }
}

const declinedBefore = () => (existsSync(declinedFile) ? JSON.parse(readFileSync(declinedFile, 'utf8')) : [])

function keepDeclined(missing) {
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(declinedFile, JSON.stringify(missing.map(({ what }) => what)))
}

/** Returns what is still missing, and whether a person has read what and why. */
async function resolveMissing(missing, { tests, yes }) {
  const isRoot = process.getuid?.() === 0
  const action = whatToDo({
    missing,
    apt: process.platform === 'linux' && which('apt-get') !== null,
    root: isRoot,
    sudo: which('sudo') !== null,
    terminal: Boolean(process.stdin.isTTY && process.stdout.isTTY),
    yes,
    declined: declinedBefore(),
  })
  if (action === 'advise') return { left: missing, said: false }
  const command = isRoot ? '' : `\n  To install them: ${adviceFor(missing)}`
  say(`these packages of the system are missing:\n${reasonsFor(missing)}${command}`)
  if (action === 'ask' && !(await isWanted(missing))) {
    keepDeclined(missing)
    return { left: missing, said: true }
  }
  // Its password is asked for here, where no line of progress is written over it; many a user needs none.
  if (!isRoot && output('sudo', ['-n', 'true']) === null && (await run('sudo', ['-v'])).code !== 0) {
    say('sudo did not let this user in')
    return { left: missing, said: true }
  }
  await installPackages(isRoot ? [] : ['sudo', '-n'], missing)
  forgetSystemState()
  return { left: missingNeeds({ tests }), said: false }
}

/** What is missing, why, and the command for it; for the required ones another, as whoever is asked for them may not want to install all. */
export function whatIsMissing(missing) {
  const required = missing.filter(({ level }) => level === 'build')
  const alone = required.length > 0 && required.length < missing.length
  return `${reasonsFor(missing)}\n  To install ${alone ? 'all of ' : ''}them: ${adviceFor(missing)}${alone ? `\n  To install the required ones alone: ${adviceFor(required)}` : ''}`
}

/** `yes`: sudo may be used without a question. */
export async function installSystemPackages({ tests, yes }) {
  const needed = missingNeeds({ tests })
  const { left: missing, said } = needed.length > 0 ? await resolveMissing(needed, { tests, yes }) : { left: [], said: false }
  if (missing.length === 0) return say('system packages: nothing missing')
  const required = missing.some((need) => need.level === 'build')
  if (said) {
    if (!required) return say('it goes on without these packages')
    throw new SetupError('Morphoscope cannot be built without them. Install them, then start this command again.')
  }
  const advice = whatIsMissing(missing)
  if (!required) return say(`these packages of the system are missing, and it goes on without them:\n${advice}`)
  throw new SetupError(
    `Morphoscope cannot be built here yet: these packages of the system are missing:\n${advice}\n  Then start this command again.`,
  )
}
