// Project folders as a stranger might make them: a good one, and what is done to it by a seed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { constants, deflateRawSync } from 'node:zlib'
import type { Database } from 'libsql'

export type Random = () => number
export function seeded(seed: number): Random {
  let state = (seed * 2654435761) % 2147483647 || 1
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}
const oneOf = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)]!

const open = (file: string): Database => new (createRequire(import.meta.url)('libsql') as new (file: string) => Database)(file)
/** What is malformed by then need not take the rest. */
function exec(file: string, ...statements: string[]): void {
  const db = open(file)
  // It is planted, not kept.
  for (const sql of ['PRAGMA synchronous = OFF', ...statements]) {
    try {
      db.exec(sql)
    } catch {
      // Another mutation has come before it.
    }
  }
  db.close()
}

/** What belongs to the user and lies elsewhere. */
export function makeSentinels(folder: string): void {
  mkdirSync(join(folder, 'deep'), { recursive: true })
  for (const name of ['letter.txt', '.0123456789ab.draft', 'k0123456789abcdef.objects', 'x.draft', 'deep/settings.json'])
    writeFileSync(join(folder, name), `what the user wrote: ${name}`)
  exec(join(folder, 'other.db'), 'CREATE TABLE notes (a); INSERT INTO notes VALUES (1); PRAGMA application_id = 7')
}
/** Of everything there: names, bytes, modes, times. A project may let go of a second name that lies in its own folder: it is no change here. */
export function entriesOf(folder: string): string[] {
  const entries: string[] = []
  const walk = (path: string): void => {
    const info = lstatSync(path)
    const { mode, mtimeMs, ino } = info
    const entry = `${path} ${mode} ${ino}`
    if (info.isDirectory()) {
      entries.push(entry)
      for (const name of readdirSync(path).sort()) walk(join(path, name))
    } else entries.push(`${entry} ${mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
  }
  walk(folder)
  return entries
}
export const hashOf = (folder: string): string => createHash('sha256').update(entriesOf(folder).join('\n')).digest('hex')

/** A rollback journal that SQLite would play back: of no page, and with the name of a file that it deletes. */
export function journalNaming(victim: string): Buffer {
  const head = Buffer.alloc(512)
  Buffer.from('d9d505f920a163d7', 'hex').copy(head)
  head.writeUInt32BE(1, 8)
  head.writeUInt32BE(1, 16)
  head.writeUInt32BE(512, 20)
  head.writeUInt32BE(4096, 24)
  const page = Buffer.alloc(4 + 4096 + 4)
  page.writeUInt32BE(2, 0)
  const name = Buffer.from(victim)
  const end = Buffer.alloc(16)
  end.writeUInt32BE(name.length, 0)
  end.writeUInt32BE(
    name.reduce((sum, byte) => (sum + byte) >>> 0, 0),
    4,
  )
  Buffer.from('d9d505f920a163d7', 'hex').copy(end, 8)
  const at = Buffer.alloc(4)
  at.writeUInt32BE(Math.floor(0x40000000 / 4096) + 1)
  return Buffer.concat([head, page, at, name, end])
}

const bad = "CAST(X'fe41ff' AS TEXT)"
const numbers = ['9e999', '-9e999', '9007199254740991', '9223372036854775807', '-1', '1e308', '0.5', 'NULL', "'x'", "X'00'", bad]
const columns = {
  meta: ['key', 'value'],
  slides: ['key', 'body'],
  classes: ['place', 'body'],
  regions: ['id', 'slide', 'place', 'body'],
  history: ['seq', 'at', 'name', 'forward', 'inverse', 'undone', 'run'],
  runs: ['id', 'slide', 'body'],
  edits: ['run', 'body'],
} as const
/** What becomes 400 MiB when it is inflated: a deflated MiB that ends on a byte, 400 times, and an end. */
function bomb(): string {
  const piece = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH })
  return `X'${piece.toString('hex').repeat(400)}0300'`
}
const file = 'project.sqlite'
const names = [
  ...[file, `${file}-wal`, `${file}-shm`, `${file}-journal`, 'project.lock', 'project.lock-journal', 'project.lock-wal'],
  ...['opened-by.json', 'runs', 'runs/k0123456789abcdef.objects', 'runs/.0123456789ab.draft', 'runs/x.draft'],
]

type Mutation = (project: string, sentinels: string, random: Random) => void
/** In this order: what opens the file by its name comes before links. */
const mutations: Record<string, Mutation> = {
  cell(project, _, random) {
    const table = oneOf(random, Object.keys(columns) as (keyof typeof columns)[])
    const column = oneOf(random, columns[table] as readonly string[])
    const value = oneOf(random, [
      ...numbers,
      'zeroblob(70000000)',
      'BOMB',
      "'['||hex(zeroblob(1000000))",
      "replace(hex(zeroblob(1000000)),'0','[')",
    ])
    // What is large by itself is so in one row: in all of them it would be the planter's disk that is tried.
    const [key] = columns[table]
    const where = value.startsWith('zeroblob') ? ` WHERE ${key} = (SELECT min(${key}) FROM ${table})` : ''
    exec(
      join(project, file),
      'PRAGMA ignore_check_constraints = ON',
      `UPDATE OR IGNORE ${table} SET ${column} = ${value === 'BOMB' ? bomb() : value}${where}`,
    )
  },
  json(project, _, random) {
    const [table, path] = oneOf(random, [
      ...['$.classId', '$.shape', '$.shape.x', '$.shape.width', '$.slide', '$.name', '$.id'].map((at) => ['regions', at]),
      ...['$.mppX', '$.widthPx', '$.name', '$.path', '$.key', '$.failure'].map((at) => ['slides', at]),
      ...['$.objects', '$.slide', '$.id', '$.startedAt', '$.tissueMm2', '$.asked'].map((at) => ['runs', at]),
      ...['$.id', '$.name', '$.color'].map((at) => ['classes', at]),
    ] as [string, string][])
    const value = oneOf(random, [
      '1e999',
      '2147483648',
      '67108864',
      '-5',
      '1e308',
      "'../../x'",
      "'a'||char(0)||'b'",
      'NULL',
      '9007199254740993',
      "json('[[[[]]]]')",
    ])
    exec(join(project, file), `UPDATE ${table} SET body = json_set(body, '${path}', ${value})`)
  },
  rows(project, _, random) {
    const sql = oneOf(random, [
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 30000) INSERT INTO meta SELECT 'x'||i, 'y' FROM n",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000) INSERT INTO classes SELECT i + 100, '{}' FROM n",
      "INSERT INTO history (at, name, forward, inverse) SELECT 9223372036854775807, 'x', X'00', X'00'",
      'UPDATE history SET undone = seq % 2',
      "INSERT INTO history (seq, at, name, forward, inverse) VALUES (9223372036854775807, 1, 'x', X'0300', X'0300')",
      'UPDATE edits SET body = BOMB',
      "INSERT INTO regions SELECT id||'0', slide, place, body FROM regions",
    ])
    exec(join(project, file), sql.includes('BOMB') ? sql.replace('BOMB', bomb()) : sql)
  },
  schema(project, _, random) {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT'
    const sql = oneOf(random, [
      `DROP TABLE meta; CREATE VIEW meta AS ${endless} 'revision' AS key, i AS value FROM n`,
      `DROP TABLE regions; CREATE VIEW regions AS ${endless} i AS id, i AS slide, i AS place, zeroblob(1000000) AS body FROM n`,
      `ALTER TABLE slides RENAME TO s; CREATE VIEW slides AS SELECT * FROM s`,
      'CREATE TRIGGER t AFTER INSERT ON history BEGIN DELETE FROM regions; END',
      'CREATE INDEX i ON regions (slide)',
      "CREATE TABLE extra (a, b AS (a || 'x'))",
      'CREATE VIRTUAL TABLE f USING fts5(a)',
      'ALTER TABLE meta ADD COLUMN c TEXT',
      'DROP TABLE runs; CREATE TABLE runs (id TEXT PRIMARY KEY, slide TEXT NOT NULL, body TEXT AS (zeroblob(1000000000)))',
      `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = sql || ${bad} WHERE name = 'meta'`,
      `PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = ${bad} WHERE name = 'slides'`,
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 1 WHERE name = 'slides'",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'meta')",
      "PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT 'table', 'm'||value, 'm'||value, 3, 'CREATE TABLE x(a)' FROM json_each('[1,2,3]')",
      'PRAGMA application_id = 7',
      `PRAGMA user_version = ${Math.floor(random() * 9)}`,
      'PRAGMA journal_mode = DELETE',
      'PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM',
      'PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = FULL; VACUUM',
    ])
    exec(join(project, file), ...(sql.includes('TRIGGER') ? [sql] : sql.split('; ')))
  },
  log(project, _, random) {
    // A log that was never taken in: its own, another's, or noise.
    const path = join(project, file)
    if (!lstatSync(path).isFile() || existsSync(`${path}-wal`)) return
    const before = readFileSync(path)
    const db = open(path)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
    const sql = oneOf(random, [
      `UPDATE slides SET body = ${bad}`,
      'CREATE TRIGGER t AFTER INSERT ON history BEGIN DELETE FROM regions; END',
      'PRAGMA application_id = 7',
      "UPDATE meta SET value = '77'",
      'INSERT INTO meta VALUES (1, zeroblob(3000000))',
    ])
    try {
      db.exec(sql)
    } catch {
      // Another mutation has come before it.
    }
    const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0)
    db.close()
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    writeFileSync(path, before)
    if (random() < 0.3)
      for (let n = 0; n < 10 && log.length > 0; n++) log[Math.floor(random() * log.length)] = Math.floor(random() * 256)
    writeFileSync(`${path}-wal`, random() < 0.1 ? Buffer.alloc(100_000, 7) : log)
    if (random() < 0.3) writeFileSync(`${path}-shm`, Buffer.alloc(32_768, Math.floor(random() * 256)))
  },
  bytes(project, _, random) {
    const kept = readdirSync(join(project, 'runs')).find((name) => name.startsWith('k'))
    const path = join(project, random() < 0.25 && kept ? `runs/${kept}` : file)
    if (!lstatSync(path).isFile()) return
    const all = readFileSync(path)
    if (all.length === 0) return
    const span = oneOf(random, [100, 4096, all.length])
    for (let n = 1 + Math.floor(random() * 20); n > 0; n--)
      all[Math.floor(random() * Math.min(span, all.length))] = Math.floor(random() * 256)
    if (path.endsWith('.objects')) rmSync(path)
    writeFileSync(path, all)
    if (random() < 0.1) truncateSync(path, Math.floor(random() * all.length))
    if (random() < 0.1) truncateSync(path, oneOf(random, [2 ** 30, 2 ** 31, 2 ** 36]))
    if (random() < 0.1) appendFileSync(path, Buffer.alloc(100_000, 1))
  },
  holder(project, _, random) {
    const path = join(project, 'opened-by.json')
    if (isLink(path) || existsSync(path)) return
    writeFileSync(
      path,
      oneOf(random, ['{', '', JSON.stringify({ program: 'x\u001b[2J', pid: 1e300, machine: '', since: '' }), ' '.repeat(1e7)]),
    )
  },
  journal(project, sentinels, random) {
    const name = oneOf(random, [file, 'project.lock'])
    const beside = join(project, `${name}-journal`)
    if (!existsSync(beside) && !isLink(beside))
      writeFileSync(beside, journalNaming(join(sentinels, oneOf(random, ['letter.txt', 'other.db']))))
    if (random() < 0.5 && name === 'project.lock') copyOver(join(sentinels, 'other.db'), join(project, name))
    if (random() < 0.3) useRollbackJournal(join(project, file))
  },
  link(project, sentinels, random) {
    const kept = readdirSync(join(project, 'runs'))[0]
    const name = join(project, oneOf(random, kept ? [...names, `runs/${kept}`] : names))
    const target = join(sentinels, oneOf(random, ['letter.txt', 'other.db', 'x.draft', '.', 'deep', 'nowhere']))
    if (name.includes('/runs/') && lstatSync(join(project, 'runs')).isSymbolicLink()) return
    rmSync(name, { recursive: true, force: true })
    const how = random()
    if (how < 0.2) execFileSync('mkfifo', [name])
    else if (how < 0.3) mkdirSync(name)
    else if (how < 0.45 && existsSync(target) && lstatSync(target).isFile()) linkSync(target, name)
    else symlinkSync(target, name)
  },
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}
/** As PRAGMA journal_mode = DELETE would say it, without SQLite: that would play the planted journal back. */
function useRollbackJournal(path: string): void {
  const handle = openSync(path, 'r+')
  writeSync(handle, Buffer.from([1, 1]), 0, 2, 18)
  closeSync(handle)
}
function copyOver(from: string, to: string): void {
  if (isLink(to)) return
  rmSync(to, { recursive: true, force: true })
  copyFileSync(from, to)
}

/** A view or a trigger of the planter's own would make its next statement endless. */
const usesSql = new Set(['cell', 'json', 'rows', 'schema', 'log'])

/** A copy of `good` with one to three things done to it. Their names. */
export function hostileCopy(good: string, project: string, sentinels: string, seed: number): string[] {
  cpSync(good, project, { recursive: true })
  mkdirSync(join(project, 'runs'), { recursive: true })
  const random = seeded(seed)
  const done: string[] = []
  const order = Object.keys(mutations)
  const drawn = Array.from({ length: 1 + Math.floor(random() * 3) }, () => oneOf(random, order))
  const chosen = drawn.filter((name, i) => name === 'link' || drawn.indexOf(name) === i)
  for (const name of chosen.sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
    if (!isOwnFile(join(project, file)) || isLink(join(project, 'runs'))) break
    if (usesSql.has(name) && done.includes('schema')) continue
    try {
      mutations[name]!(project, sentinels, random)
      done.push(name)
    } catch (error) {
      done.push(`${name} (${String(error).slice(0, 80)})`)
    }
  }
  return done
}

/** The planter follows no link that it planted. */
const isOwnFile = (path: string): boolean => {
  const info = lstatSync(path, { throwIfNoEntry: false })
  return info?.isFile() === true && info.nlink === 1
}
