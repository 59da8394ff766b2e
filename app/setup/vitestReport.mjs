// A vitest reporter that writes counts, failures and each skip's reason (vitest's own JSON leaves the reasons out).
import { writeFileSync } from 'node:fs'
import { none } from './reports.mjs'

/** Groups that need something of the machine say so in their name. */
function reasonOf(test) {
  return test.parent.type === 'suite' ? `not on this machine: ${test.parent.name}` : 'the test gives no reason'
}

const firstLine = (error) => String(error?.message ?? 'no error is known').split('\n')[0]

export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = none()
    const fail = (name) => {
      counts.failed += 1
      counts.failures.push(name)
    }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result()
        const name = `${module.relativeModuleId}: ${test.fullName}`
        // Why it failed at first is kept nowhere else.
        if (test.diagnostic()?.flaky) counts.unsteady.push(`${name} (at first: ${firstLine(result.errors?.[0])})`)
        if (result.state === 'passed') counts.passed += 1
        else if (result.state === 'failed') fail(name)
        else counts.skipped.push({ name, reason: result.note ?? reasonOf(test) })
      }
      // A file that cannot be loaded has no tests to fail.
      if (module.errors().length > 0) fail(`${module.relativeModuleId}: ${firstLine(module.errors()[0])}`)
    }
    for (const error of unhandledErrors) fail(`unhandled: ${firstLine(error)}`)
    writeFileSync(process.env.MORPHOSCOPE_VITEST_REPORT, JSON.stringify(counts))
  }
}
