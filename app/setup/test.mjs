// `npm test`: sets up, builds and runs every check that this machine can run; its last line counts them all.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buildNative, buildTypeScript } from './build.mjs'
import { clangTidy, whyNoClangTidy } from './clangTidy.mjs'
import { displayPrefix, findElectron, otherElectron } from './electron.mjs'
import { emulatedTests } from './emulate.mjs'
import { giveWay } from './giveWay.mjs'
import { install, yesOption } from './install.mjs'
import { inLanes } from './lanes.mjs'
import { working } from './progress.mjs'
import { none, oneFailure, onePass, oneSkip, readGTest, readPlaywright, readVitest, verdict, withoutPassed } from './reports.mjs'
import { runsSanitizedAlone, sanitizedTests, sanitizers, whyNoSanitizer } from './sanitize.mjs'
import { sanitizedAddon } from './sanitizeAddon.mjs'
import { smallFilesFolder } from './smallFiles.mjs'
import { complain, patience, root, run, runMain, say, seconds, tail } from './shell.mjs'

const results = join(root, 'test-results')
const report = (name) => join(results, name)
const tool = (...path) => join(root, 'node_modules', ...path)

// ---------------------------------------------------------------- the steps

async function setUp(name, work) {
  try {
    await work()
    return onePass()
  } catch (error) {
    complain(error.message)
    return oneFailure(name)
  }
}

/** Runs a tool that is one check as a whole. */
async function check(name, args) {
  const done = await run(process.execPath, args, { quiet: true, limits: patience })
  if (done.code === 0) return onePass()
  complain(tail(done.text, 80))
  return oneFailure(name)
}

/** Runs a tool that writes a report of many checks. */
async function suite(name, command, args, path, read, { env = {}, show = (text) => text } = {}) {
  rmSync(path, { force: true })
  const done = await run(command, args, { quiet: true, env, limits: patience })
  writeFileSync(report(`${name.replace(/\W+/g, '-')}.log`), done.text)
  if (!existsSync(path)) {
    complain(tail(show(done.text), 80))
    return oneFailure(`${name} ended with code ${done.code} and no report`)
  }
  const counts = read(path)
  // A tool that fails without a failed test was ended or broke down after its last one.
  if (done.code !== 0 && counts.failed === 0)
    Object.assign(counts, { failed: 1, failures: [`${name} ended with code ${done.code}`] })
  if (counts.failed > 0) complain(tail(show(done.text), 120))
  return counts
}

async function typeScriptTests() {
  const path = report('vitest.json')
  return suite(
    'TypeScript tests',
    process.execPath,
    [tool('vitest', 'vitest.mjs'), 'run', '--reporter=default', `--reporter=${join(root, 'app', 'setup', 'vitestReport.mjs')}`],
    path,
    readVitest,
    { env: { MORPHOSCOPE_VITEST_REPORT: path } },
  )
}

/** Built where GTest was found. */
function nativeTestProgram() {
  return ['morpho_tests', 'Release/morpho_tests.exe']
    .map((name) => join(root, 'build', 'native', name))
    .find((path) => existsSync(path))
}

/** How many processes the C++ tests are parted among: one alone would be the last to end. */
const nativeParts = 4
async function nativeTests(part) {
  await nativeProgramsBuilt()
  const binary = nativeTestProgram()
  if (!binary && part > 1) return none()
  if (!binary) return oneSkip('C++ tests', 'GTest is not installed (Debian: libgtest-dev libgmock-dev)')
  const path = report(`gtest-${part}.xml`)
  const filter = whyNoSanitizer(sanitizers.find(({ name }) => name === 'address').flags) === null ? `-${runsSanitizedAlone}` : '*'
  // Files of one name in both would meet.
  const TMPDIR = mkdtempSync(join(smallFilesFolder(), 'morphoscope-tests-'))
  const counts = await suite(
    `C++ tests ${part}`,
    binary,
    [`--gtest_filter=${filter}`, `--gtest_output=xml:${path}`],
    path,
    readGTest,
    {
      env: { GTEST_TOTAL_SHARDS: `${nativeParts}`, GTEST_SHARD_INDEX: `${part - 1}`, TMPDIR },
      show: withoutPassed,
    },
  )
  rmSync(TMPDIR, { recursive: true, force: true })
  return counts
}

async function clangTidied() {
  const reason = whyNoClangTidy()
  if (reason !== null) return oneSkip('clang-tidy', reason)
  const { findings, unread } = await clangTidy()
  for (const finding of findings) complain(finding.trimEnd())
  const counts = findings.length > 0 ? oneFailure(`clang-tidy: ${findings.length} findings`) : onePass()
  if (unread.length > 0)
    counts.skipped.push({ name: 'clang-tidy', reason: `this one cannot read ${unread.length} files: ${unread.join(', ')}` })
  return counts
}

/** Looked for before the journeys, once: a blocked download may take its time. */
let electron
async function electronFound() {
  electron = await findElectron({ download: true })
  const other = otherElectron(electron)
  if (other) say(other)
  return none()
}

/** What is started after them gives way to them. */
function journeys() {
  // A screenshot of an earlier run's failure would be taken for one of this run.
  rmSync(report('screenshots'), { recursive: true, force: true })
  const path = report('playwright.json')
  const display = displayPrefix()
  const env = { MORPHOSCOPE_PLAYWRIGHT_REPORT: path }
  if (!electron.path) env.MORPHOSCOPE_NO_ELECTRON = electron.reason
  else if (display === null) env.MORPHOSCOPE_NO_ELECTRON = 'there is no display and no xvfb-run (Debian: xvfb xauth)'
  const [command, ...args] = [...(display ?? []), process.execPath, tool('@playwright', 'test', 'cli.js'), 'test']
  const ended = suite('end-to-end journeys', command, args, path, readPlaywright, { env })
  giveWay()
  return ended
}

/** Begun by whichever step comes first, and waited for by all that need the programs. */
let nativePrograms
const nativeProgramsBuilt = () =>
  (nativePrograms ??= setUp('build of the C++ tests', () => buildNative({ tests: true, beside: true })))

const sanitized = async (kind) => {
  await nativeProgramsBuilt()
  return sanitizedTests(kind, results, { hasGTest: nativeTestProgram() !== undefined })
}

/** Stages run one after the other. A step of its own stage uses every core; the steps of the long one use about one each. */
const stages = [
  [['set-up', () => setUp('set-up', () => install({ tests: true, yes: process.argv.includes(yesOption) }))]],
  // With the benchmark, which the TypeScript tests of the tables of figures run: they need not wait for the C++ tests.
  [['native build', () => setUp('native build', () => buildNative({ bench: true }))]],
  [['app build', () => setUp('app build', () => buildTypeScript())]],
  [['Electron', electronFound]],
  // A journey waits for screens half of its time, and all of them are the longest step by far: what needs no app goes on beside it, the
  // compiling of the C++ tests as well. What waits for these comes after what does not.
  [
    ['end-to-end journeys', journeys],
    // The longest of the rest, on up to two cores: were they the last to end, nothing would be left to do beside them.
    ['TypeScript tests', typeScriptTests],
    ['build of the C++ tests', nativeProgramsBuilt],
    ['clang-tidy', clangTidied],
    ['documentation', () => check('the site of the documentation', [join(root, 'docs', 'site', 'docs.mjs')])],
    ['lint and types', () => check('oxlint', [tool('oxlint', 'bin', 'oxlint'), '--format', 'unix'])],
    ...sanitizers.map((kind) => [`${kind.name} sanitizer`, () => sanitized(kind)]),
    ['addon sanitizer', () => nativeProgramsBuilt().then(() => sanitizedAddon(results))],
    ['GPU kernels in emulation', () => nativeProgramsBuilt().then(() => emulatedTests(results))],
    ...Array.from({ length: nativeParts }, (_, i) => [`C++ tests, part ${i + 1} of ${nativeParts}`, () => nativeTests(i + 1)]),
    ['format', () => check('oxfmt', [tool('oxfmt', 'bin', 'oxfmt'), '--check'])],
    ['C++ format', () => check('clang-format', [join(root, 'app', 'setup', 'clangFormat.mjs')])],
  ],
]

async function runStep([name, work], total) {
  const begun = Date.now()
  const shown = name === 'set-up' || name.endsWith(' build') ? null : working(name)
  const counts = await work()
  shown?.end()
  say(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped.length} skipped in ${seconds(begun)}`)
  total.passed += counts.passed
  total.failed += counts.failed
  total.failures.push(...counts.failures)
  total.skipped.push(...counts.skipped)
  total.unsteady.push(...counts.unsteady)
}

await runMain(async () => {
  const started = Date.now()
  mkdirSync(results, { recursive: true })
  const total = none()
  // One more than two cores, as the journeys wait half of their time. Two more were tried: no faster, and each step slower.
  const lanes = Math.min(3, 1 + availableParallelism())
  for (const [at, stage] of stages.entries()) {
    await inLanes(
      stage.map((step) => () => runStep(step, total)),
      lanes,
    )
    // Without npm packages nothing below can run.
    if (at === 0 && total.failed > 0) break
  }
  say(`all in ${seconds(started)}; reports, logs and screenshots are in test-results`)
  const { lines, code } = verdict(total)
  for (const line of lines) console.log(line)
  return code
})
