// As much of vitest as the oracle's test asks for: it is bundled in its place for a Node of another system, where vitest's own tools are not.
import { deepEqual, fail, match } from 'node:assert'
import { format } from 'node:util'

type Work = () => unknown
const tests: { name: string; work: Work }[] = []
const [before, after]: [Work[], Work[]] = [[], []]

export const describe = (_name: string, body: () => void): void => body()
export const it = (name: string, work: Work): void => void tests.push({ name, work })
export const beforeAll = (work: Work): void => void before.push(work)
export const afterAll = (work: Work): void => void after.push(work)

const must = (holds: boolean, found: unknown, what: string, wanted: unknown): void => {
  if (!holds) fail(format('%o is not %s %o', found, what, wanted))
}

function expectThat(found: unknown) {
  const number = found as number
  return {
    toBe: (wanted: unknown) => must(Object.is(found, wanted), found, 'the same as', wanted),
    toEqual: (wanted: unknown) => deepEqual(found, wanted),
    toBeGreaterThan: (wanted: number) => must(number > wanted, found, 'more than', wanted),
    toBeLessThanOrEqual: (wanted: number) => must(number <= wanted, found, 'at most', wanted),
    toHaveLength: (wanted: number) => must((found as unknown[]).length === wanted, found, 'as long as', wanted),
    get rejects() {
      const reason = async (): Promise<Error> => {
        try {
          await (found as Promise<unknown>)
        } catch (error) {
          return error as Error
        }
        return fail('it was not rejected')
      }
      return {
        toThrow: async (wanted: string | RegExp) => {
          const { message } = await reason()
          if (typeof wanted === 'string') must(message.includes(wanted), message, 'text with', wanted)
          else match(message, wanted)
        },
        toMatchObject: async (wanted: object) => {
          const error = await reason()
          for (const [key, value] of Object.entries(wanted)) deepEqual(Reflect.get(error, key), value)
        },
      }
    },
  }
}
export const expect = Object.assign(expectThat, { fail: (message: string): never => fail(message) })

async function runAll(): Promise<void> {
  let failed = 0
  const say = (name: string, error: unknown): void => console.log(`FAILED ${name}: ${(error as Error).stack}`)
  for (const work of before) await work()
  for (const { name, work } of tests) {
    try {
      await work()
    } catch (error) {
      failed++
      say(name, error)
    }
  }
  for (const work of after) await work()
  console.log(
    `${tests.length - failed} of ${tests.length} passed on ${process.platform}-${process.arch}, Node ${process.version}`,
  )
  process.exitCode = failed > 0 ? 1 : 0
}

// When the test's file has named its tests.
setImmediate(() => void runAll())
