// A process that plants hostile project folders, and looks afterwards at what lies outside of them: a line of JSON for each.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { entriesOf, hashOf, hostileCopy, makeSentinels } from './hostileProjects'

const [work = '', good = ''] = process.argv.slice(2)
const sentinels = join(work, 'sentinels')
/** Where the opener may keep what it needs meanwhile. */
const temporary = join(work, 'tmp')
const folder = join(work, 'variant')

function emptied(path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path)
}

let untouched = ''
let outside: string[] = []
const everything = (): string[] => [...entriesOf(sentinels), ...entriesOf(good), ...readdirSync(work)]

function planted(seed: number): object {
  emptied(folder)
  emptied(temporary)
  if (!existsSync(sentinels) || hashOf(sentinels) !== untouched) {
    emptied(sentinels)
    makeSentinels(sentinels)
    untouched = hashOf(sentinels)
  }
  const project = join(folder, 'x.morphoscope')
  const did = hostileCopy(good, project, sentinels, seed)
  outside = everything()
  return { did, project }
}

/** `left`: what the opener did not take away. */
function looked(): object {
  const now = everything()
  const touched = [...outside.filter((each) => !now.includes(each)), ...now.filter((each) => !outside.includes(each))]
  return { touched, left: readdirSync(temporary) }
}

process.stdout.write('{}\n')
for await (const line of createInterface(process.stdin)) {
  const { seed } = JSON.parse(line) as { seed?: number }
  process.stdout.write(`${JSON.stringify(seed === undefined ? looked() : planted(seed))}\n`)
}
