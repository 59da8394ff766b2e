// The addon's conversions under the address sanitizer, called by Node: what no C++ program reaches. Only the addon's own files are compiled for it;
// the library that they call is the one that is built already, and has its own tests under sanitizers.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { buildSanitizedAddon } from './build.mjs'
import { none, oneFailure, oneSkip, readVitest, sanitizerFindings } from './reports.mjs'
import { compilerOfBuild, whyNoSanitizer } from './sanitize.mjs'
import { complain, patience, root, run, tail } from './shell.mjs'

const label = 'the addon under the address sanitizer'
const files = ['test/native/addon.test.ts', 'test/native/runs.test.ts']
/** Of processes that end, and of handles: they take long and convert nothing. */
const passedOver = ['process.exit', 'many times', 'that nobody holds']

/** The runtime that a program which was not built for it must load first; null where the compiler has none of its own. */
function runtimeToLoadFirst(compiler) {
  const { stdout } = spawnSync(compiler, ['-print-file-name=libasan.so'], { encoding: 'utf8' })
  return isAbsolute(stdout?.trim() ?? '') ? stdout.trim() : null
}

function whyNot(compiler, runtime) {
  if (process.platform !== 'linux') return 'only on Linux, where a runtime can be loaded before Node'
  return runtime === null ? `${compiler} has no libasan.so that Node could load first` : whyNoSanitizer('address,undefined')
}

/** `results`: the folder for reports and logs. */
export async function sanitizedAddon(results) {
  const compiler = compilerOfBuild()
  const runtime = process.platform === 'linux' ? runtimeToLoadFirst(compiler) : null
  const reason = whyNot(compiler, runtime)
  if (reason !== null) return oneSkip(label, reason)
  try {
    return await calledByNode(await buildSanitizedAddon(), runtime, results)
  } catch (error) {
    console.error(error.message)
    return oneFailure(`${label}: not built`)
  }
}

async function calledByNode(addon, runtime, results) {
  const path = join(results, 'sanitize-addon.json')
  rmSync(path, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const names = `^(?!.*(${passedOver.join('|').replaceAll('.', '\\.')}))`
  const reporters = ['--reporter=default', `--reporter=${join(root, 'app', 'setup', 'vitestReport.mjs')}`]
  const done = await run(process.execPath, [vitest, 'run', ...files, '-t', names, '--maxWorkers=1', ...reporters], {
    quiet: true,
    limits: patience,
    env: {
      LD_PRELOAD: runtime,
      // Node lets the system take back what it holds at its end.
      ASAN_OPTIONS: 'detect_leaks=0',
      UBSAN_OPTIONS: 'print_stacktrace=1',
      MORPHOSCOPE_ADDON: addon,
      MORPHOSCOPE_VITEST_REPORT: path,
    },
  })
  writeFileSync(join(results, 'sanitize-addon.log'), done.text)
  return countAddon(done, path)
}

/** One failure for each finding: a process that ends with one may leave no report. */
export function countAddon({ code, text }, path) {
  const counts = none()
  try {
    const { passed, failed, failures } = readVitest(path)
    Object.assign(counts, { passed, failed, failures: failures.map((name) => `${name} (${label})`) })
  } catch {
    // There is none.
  }
  const findings = sanitizerFindings(text)
  for (const { summary, text: all } of findings) {
    complain(all)
    counts.failures.push(`${label}: ${summary}`)
  }
  counts.failed += findings.length
  if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) {
    complain(tail(text, 60))
    counts.failed = 1
    counts.failures.push(`${label}: ended with code ${code}, ${counts.passed} tests passed`)
  }
  return counts
}
