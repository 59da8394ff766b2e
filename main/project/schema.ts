// The tables of a project's file, from the first version on: each migration takes a file from the version before to its own.
import type { Database } from 'libsql'

/** "Morp": no other program's file is taken for one of ours. */
export const applicationId = 0x4d6f7270

/** In order: the first makes the tables of an empty file. One that has been in a release is never changed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE slides (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE classes (place INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE regions (id TEXT PRIMARY KEY, slide TEXT NOT NULL, place REAL NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  -- forward and inverse: commands as JSON, deflated. undone: it can be done again.
  CREATE TABLE history (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, forward BLOB NOT NULL, inverse BLOB NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
  );
  `,
  // Runs whose objects lie in runs/ID.objects; what was done to those, as main/project/objects/edits.ts writes it; and which step is about which run.
  `
  CREATE TABLE runs (id TEXT PRIMARY KEY, slide TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE edits (run TEXT PRIMARY KEY, body BLOB NOT NULL);
  ALTER TABLE history ADD COLUMN run TEXT;
  `,
  // No table is another: runs say what was asked of them, and slides why they failed, which earlier programs would take for damage.
  '',
  // What was done to objects may say of some that they were made by hand, which earlier programs would take for damage.
  '',
  // Regions may be points, and history may add them one by one: the same.
  '',
  // Objects may have been added that are made of no others, and regions may be lines: the same.
  '',
  // Runs say within which shapes they ran, what they looked at and what they lack: the same.
  '',
  // Runs say which of a slide's channels was analysed: the same.
  '',
  // Runs may be imports, which history brings in and takes back: the same.
  '',
  // Regions may be places of a tissue microarray: the same.
  '',
]

/** Of an empty file. */
export const newestSchema = `
  BEGIN; ${migrations.join('\n')}
  PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}; COMMIT;
`

/** Brings a file whose tables are those of its version (disk/firstPage.ts) to the newest one in one transaction. */
export function migrate(db: Database): void {
  const version = numberOf(db, 'user_version')
  if (version === migrations.length) return
  db.transaction(() => {
    for (const step of migrations.slice(version)) db.exec(step)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
  })()
}

function numberOf(db: Database, pragma: string): number {
  const row = db.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown> | undefined
  return Number(row?.[pragma] ?? 0)
}
