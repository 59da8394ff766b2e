// A project's folder as a stranger may have made it: each name in it is looked at without following, before anything is opened.
import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../base/errors'
import { kindOf, readStrangeSync } from '../../base/regularFile'

export const fileName = 'project.sqlite'
export const lockName = 'project.lock'
/** Is there while a project is open, and after a crash. */
export const holderName = 'opened-by.json'
export const runsName = 'runs'

/** Earlier versions made one while they held the lock, and left it there when they were killed: a journal's head, of no page. */
const lockJournal = `${lockName}-journal`

/** Of the document's file, and of what waits to be written into it: no more is written, and no more is read. */
export const mostFileBytes = 2 ** 31
export const mostHolderBytes = 4096

/** The files that Morphoscope makes there, and how long each can be. */
const ownFiles: ReadonlyMap<string, number> = new Map([
  [fileName, mostFileBytes],
  [`${fileName}-wal`, mostFileBytes],
  [`${fileName}-shm`, 2 ** 26],
  // Nothing is ever written into it.
  [lockName, 0],
  [lockJournal, 512],
  [holderName, mostHolderBytes],
])
/** Never Morphoscope's: a database in WAL mode has no journal. SQLite would play one back, and delete the file that it names, wherever that lies. */
const foreignFiles = [`${fileName}-journal`, `${lockName}-wal`, `${lockName}-shm`]

/**
 * Throws NOT_FOUND where there is no project, INVALID_PARAMETER where something in the folder is not what Morphoscope puts there. Nothing is
 * opened, followed or changed.
 */
export function lookAt(folder: string): void {
  const file = lookedAt(join(folder, fileName))
  if (!file || file.isDirectory()) throw new EngineError('NOT_FOUND', `${folder} is no project: it has no file ${fileName}.`)
  for (const [name, most] of ownFiles) {
    const info = lookedAt(join(folder, name))
    if (!info) continue
    if (!info.isFile()) throw strange(folder, name, `is ${kindOf(info)}`, 'Remove it')
    if (info.nlink > 1)
      throw strange(folder, name, 'is the same file as one with another name', 'Copy the folder, and open the copy', false)
    if (info.size > most) throw strange(folder, name, `has ${info.size} bytes, and can have ${most}`, 'Remove it')
  }
  for (const name of foreignFiles)
    if (lookedAt(join(folder, name))) throw strange(folder, name, 'was not written by Morphoscope', 'Remove it')
  if (isThere(join(folder, lockJournal)) && !isEmptyJournal(join(folder, lockJournal)))
    throw strange(folder, lockJournal, 'was not written by Morphoscope', 'Remove it')
  requireRunsFolder(folder)
}

/** It has no page to play back, and names no file. */
function isEmptyJournal(path: string): boolean {
  const bytes = readStrangeSync(path, 512)
  const pages = bytes.subarray(8, 12)
  return [...pages, ...bytes.subarray(28)].every((byte) => byte === 0)
}

/** Throws INVALID_PARAMETER where the folder of the runs' objects is a link, or no folder. */
export function requireRunsFolder(folder: string): void {
  const info = lookedAt(join(folder, runsName))
  if (info && !info.isDirectory()) throw strange(folder, runsName, `is ${kindOf(info)}`, 'Remove it')
}

/** Throws EACCES, EROFS and the like where the project's file cannot be changed here. */
export function requireWritable(folder: string): void {
  accessSync(folder, constants.W_OK)
  for (const name of ownFiles.keys()) if (lookedAt(join(folder, name))) accessSync(join(folder, name), constants.W_OK)
}

/** null: nothing is there. */
function lookedAt(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

export const isThere = (path: string): boolean => lookedAt(path) !== null

/** The folder of a project may be named through a link by the person who opens it. */
export function isProjectFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory() && lookedAt(join(folder, fileName))?.isFile() === true
  } catch {
    return false
  }
}

function strange(folder: string, name: string, how: string, cure: string, again = true): EngineError {
  return new EngineError(
    'INVALID_PARAMETER',
    `The project ${folder} was not opened: ${name} in it ${how}. ${cure}${again ? ', and open the project again' : ''}.`,
  )
}
