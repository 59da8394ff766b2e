// Reads what each test tool reports into one shape: counts, names of failures, reasons of skips.
import { readFileSync } from 'node:fs'

/** counts: { passed, failed, failures: [name], skipped: [{ name, reason }], unsteady: [name] }; unsteady: of those passed, at a second try only. */
export const none = () => ({ passed: 0, failed: 0, failures: [], skipped: [], unsteady: [] })
export const oneFailure = (name) => ({ ...none(), failed: 1, failures: [name] })
export const onePass = () => ({ ...none(), passed: 1 })
export const oneSkip = (name, reason) => ({ ...none(), skipped: [{ name, reason }] })

/** Passes at a second try are races: one or two on a busy machine are told, more say that the program or its tests have become unsteady. */
export const mostUnsteady = 2

/** The last lines of `npm test`, and how it ends. */
export function verdict({ passed, failed, failures, skipped, unsteady }) {
  const isUnsteady = unsteady.length > mostUnsteady
  const lines = [
    ...skipped.map(({ name, reason }) => `skipped: ${name}: ${reason}`),
    ...unsteady.map((name) => `passed at the second try only: ${name}`),
    ...failures.map((name) => `failed: ${name}`),
    `${unsteady.length} passed at the second try only${isUnsteady ? `, which is more than ${mostUnsteady}: failed` : ''}`,
    `${passed} passed, ${failed} failed, ${skipped.length} skipped`,
  ]
  return { lines, code: failed > 0 || isUnsteady ? 1 : 0 }
}

export function readVitest(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

const xmlEntities = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", '#x0A': ' ' }
const decodeXml = (text) => text.replace(/&([^;]+);/g, (all, name) => xmlEntities[name] ?? all)

/** GTest's XML rather than its JSON: only the former has the reasons of skipped tests. */
export function readGTest(path) {
  const counts = none()
  for (const [, attributes, body] of readFileSync(path, 'utf8').matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const value = (key) => decodeXml(attributes.match(new RegExp(`\\b${key}="([^"]*)"`))?.[1] ?? '')
    const name = `C++ ${value('classname')}.${value('name')}`
    if (body?.includes('<failure')) {
      counts.failed += 1
      counts.failures.push(name)
    } else if (value('result') === 'completed') counts.passed += 1
    else {
      const message = body?.match(/<skipped message="([^"]*)"/)?.[1]
      counts.skipped.push({ name, reason: message ? decodeXml(message).replace(/^\S+:\d+ */, '') : 'disabled in the source' })
    }
  }
  return counts
}

/**
 * What processes of gpu_tests that shared the comparisons among them printed: each operation is a test, and so is that every kernel ran in
 * one of them.
 */
export function countEmulated(processes) {
  const counts = none()
  const fail = (name) => {
    counts.failed += 1
    counts.failures.push(`GPU emulation: ${name}`)
  }
  const operations = new Map()
  const idle = []
  for (const [at, { code, text }] of processes.entries()) {
    const lines = text.split('\n')
    const table = lines.findIndex((line) => /^operation +runs +failed$/.test(line))
    if (table < 0) fail(`process ${at + 1} of ${processes.length} ended with code ${code} before its last comparison`)
    for (const line of table < 0 ? [] : lines.slice(table + 1)) {
      const [, name, , failed] = /^(\S.*?) +(\d+) +(\d+)$/.exec(line) ?? []
      if (name !== undefined) operations.set(name, (operations.get(name) ?? 0) + Number(failed))
    }
    idle.push(new Set(lines.filter((line) => line.startsWith('NOT LAUNCHED ')).map((line) => line.slice(13))))
    if (!lines.some((line) => /^\d+ of \d+ kernels launched$/.test(line)) && table >= 0)
      fail(`process ${at + 1} names no kernels`)
    if (code !== 0 && table >= 0 && !/^FAILED/m.test(text)) fail(`process ${at + 1} ended with code ${code}`)
  }
  for (const [name, failed] of operations) {
    if (failed > 0) fail(name)
    else counts.passed += 1
  }
  const never = [...(idle[0] ?? [])].filter((kernel) => idle.every((each) => each.has(kernel)))
  for (const kernel of never) fail(`no comparison launches ${kernel}`)
  if (never.length === 0 && operations.size > 0) counts.passed += 1
  if (operations.size === 0 && counts.failed === 0) fail('nothing was compared')
  return counts
}

/** What GTest printed but for its lines of tests that passed or began: each test is told, so that one that hangs can be told from many. */
export function withoutPassed(text) {
  return text
    .split('\n')
    .filter((line) => !/^\[(?: +OK +|-+)\]/.test(line))
    .filter((line, at, lines) => !(/^\[ RUN/.test(line) && /^\[(?: RUN|=)/.test(lines[at + 1] ?? '')))
    .join('\n')
}

/**
 * What sanitizers wrote: [{ summary, text }], the text from a finding's first line to its SUMMARY line (UBSan: the line and its stack).
 * GCC's and Clang's words are the same.
 */
export function sanitizerFindings(text) {
  const findings = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const headline =
      /(?:ERROR: (?:Address|Leak)Sanitizer|WARNING: ThreadSanitizer|FATAL: \w+Sanitizer)\b.*|runtime error: .*/.exec(lines[i])
    if (headline === null) continue
    const undefinedBehaviour = headline[0].startsWith('runtime error')
    const end = lines.findIndex(
      (line, at) => at >= i && (undefinedBehaviour ? at > i && !/^\s+#\d/.test(line) : line.startsWith('SUMMARY: ')),
    )
    const last = end < 0 ? Math.min(lines.length, i + 60) : undefinedBehaviour ? end : end + 1
    const summary = undefinedBehaviour ? lines[i] : (lines[last - 1]?.match(/^SUMMARY: (.*)/)?.[1] ?? headline[0])
    findings.push({ summary, text: lines.slice(i, last).join('\n') })
    i = Math.max(i, last - 1)
  }
  return findings
}

export function readPlaywright(path) {
  const data = JSON.parse(readFileSync(path, 'utf8'))
  const counts = none()
  const visit = (suite, titles) => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        const name = `e2e ${[test.projectName, ...titles, spec.title].filter(Boolean).join(' › ')}`
        if (test.status === 'flaky') counts.unsteady.push(name)
        if (test.status === 'expected' || test.status === 'flaky') counts.passed += 1
        else if (test.status === 'skipped') {
          const note = test.annotations.find((each) => each.type === 'skip' || each.type === 'fixme')
          counts.skipped.push({ name, reason: note?.description ?? 'an earlier step of the journey failed' })
        } else {
          counts.failed += 1
          counts.failures.push(name)
        }
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, [...titles, inner.title])
  }
  for (const file of data.suites) visit(file, [])
  for (const error of data.errors ?? []) {
    counts.failed += 1
    counts.failures.push(`e2e: ${String(error.message).split('\n')[0]}`)
  }
  return counts
}
