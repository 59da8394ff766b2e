// The reduced set of C++ tests under sanitizers (test/native/CMakeLists.txt): builds a kind, runs it, counts what it found.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSanitized } from './build.mjs'
import { none, oneFailure, oneSkip, readGTest, sanitizerFindings, withoutPassed } from './reports.mjs'
import { patience, root, run, tail } from './shell.mjs'
import { smallFilesFolder } from './smallFiles.mjs'

// What takes long and shows a sanitizer nothing that the other tests do not: thousands of small images, large ones that only choose a variant, and,
// for races, one thread.
export const sanitizers = [
  {
    name: 'address',
    flags: 'address,undefined',
    filter:
      '-Properties.FillingClearingAndAttributes:MaxTreeVariants.AgreeOnSmallImages:*.Generated:*Memory*:BorderFlood.NoiseComesToItByItself',
  },
  {
    name: 'thread',
    flags: 'thread',
    filter:
      'Parallel.*:OpCall.*:WatershedPieces.*:Properties.ThreadsDoNotShow:ReconstructVariants.RealShapesOfEveryType:ReconstructVariants.FullQueuesAreHarmless:' +
      'MaxTreeVariants.AgreeAcrossTiles:BorderFlood.Bands*:Danielsson.Synchronous*:*ThreadsDoNotMatter*:*ManyThreads*:*ManyTilesAndThreads*:Region.HolesAndBorders:Region.Label:Region.Distance:Region.AMissing*:Region.WhatOneHand*:WindowsTogether.*',
  },
]

/** Hostile bytes: where the address sanitizer runs them, which sees all that the plain program would, they run there alone. */
export const runsSanitizedAlone = 'Fuzz*:TiffIndex.SurvivesAnyByteFlipped'

/** Why programs with this sanitizer cannot be built and run here, or null: tried on the smallest program there is. */
export function whyNoSanitizer(flags, compiler = compilerOfBuild()) {
  if (process.platform === 'win32') return 'only for GCC and Clang'
  const folder = mkdtempSync(join(tmpdir(), 'morphoscope-sanitize-'))
  try {
    const [source, program] = [join(folder, 'try.cpp'), join(folder, 'try')]
    writeFileSync(source, 'int main() { return 0; }\n')
    for (const [what, command, args] of [
      ['does not build', compiler, [`-fsanitize=${flags}`, source, '-o', program]],
      ['does not run', program, []],
    ]) {
      const done = spawnSync(command, args, { encoding: 'utf8' })
      const said = done.error?.message ?? `${done.stdout}${done.stderr}`.trim().split('\n')[0]
      if (done.status !== 0)
        return `a program with -fsanitize=${flags} ${what} here: ${said || `${compiler} ended with ${done.signal ?? done.status}`}`
    }
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function compilerOfBuild() {
  const cache = join(root, 'build', 'native', 'CMakeCache.txt')
  const found = existsSync(cache) ? /^CMAKE_CXX_COMPILER:\w+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1] : undefined
  return found ?? process.env.CXX ?? 'c++'
}

/** The counts of one run: its tests, and one failure for each finding, as a finding need not fail a test. */
export function countSanitized(name, { code, text }, path) {
  const counts = existsSync(path) ? readGTest(path) : none()
  const renamed = (test) => test.replace(/^C\+\+ /, `C++ (${name} sanitizer) `)
  counts.failures = counts.failures.map(renamed)
  counts.skipped = counts.skipped.map((each) => ({ ...each, name: renamed(each.name) }))
  const findings = sanitizerFindings(text)
  for (const { summary } of findings) counts.failures.push(`C++ (${name} sanitizer): ${summary}`)
  counts.failed += findings.length
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1
    counts.failures.push(`C++ (${name} sanitizer): ended with code ${code}`)
  }
  if (code === 0 && counts.passed === 0) {
    counts.failed += 1
    counts.failures.push(`C++ (${name} sanitizer): no test ran`)
  }
  return { counts, findings }
}

async function runOne({ name, filter }, binary, results) {
  const path = join(results, `sanitize-${name}.xml`)
  rmSync(path, { force: true })
  const TMPDIR = mkdtempSync(join(smallFilesFolder(), 'morphoscope-tests-'))
  const done = await run(binary, [`--gtest_filter=${filter}`, `--gtest_output=xml:${path}`], {
    quiet: true,
    limits: patience,
    // The first finding ends the program: what follows it is often its consequence.
    env: { ASAN_OPTIONS: 'detect_leaks=1', UBSAN_OPTIONS: 'print_stacktrace=1', TSAN_OPTIONS: 'halt_on_error=1', TMPDIR },
  })
  rmSync(TMPDIR, { recursive: true, force: true })
  writeFileSync(join(results, `sanitize-${name}.log`), done.text)
  const { counts, findings } = countSanitized(name, done, path)
  for (const { text } of findings) console.error(text)
  if (counts.failed > findings.length) console.error(tail(withoutPassed(done.text), 60))
  return counts
}

/** `results`: the folder for reports and logs. */
export async function sanitizedTests(kind, results, { hasGTest }) {
  const label = `C++ tests under the ${kind.name} sanitizer`
  const reason = hasGTest ? whyNoSanitizer(kind.flags) : 'GTest is not installed (Debian: libgtest-dev libgmock-dev)'
  if (reason !== null) return oneSkip(label, reason)
  try {
    return await runOne(kind, await buildSanitized(kind.name, kind.flags), results)
  } catch (error) {
    console.error(error.message)
    return oneFailure(`${label}: not built`)
  }
}
