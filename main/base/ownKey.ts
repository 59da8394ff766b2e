// A secret of this user, and what is signed with it: a file that a stranger has planted cannot carry such a signature.
import { createHmac, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { userFolder } from './userFolder'

const keyBytes = 32
/** By user: who works as root with another's folder has a key of his own. */
export const keyFileName = process.getuid === undefined ? 'own.key' : `own-${process.getuid()}.key`

/** null: there is none, or what has its name is no key. A link is not followed, and a pipe not waited for. */
async function keyIn(path: string): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(() => null)
  if (file === null) return null
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size !== keyBytes) return null
    // One that others could read is no secret, and one of another user's is not this one's.
    if (process.getuid !== undefined && info.uid !== process.getuid()) return null
    if (process.platform !== 'win32' && (info.mode & 0o077) !== 0) return null
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Appears whole: two programs that begin at once end with the same key. */
async function made(folder: string, path: string): Promise<Buffer | null> {
  const part = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(part, 'wx', 0o600)
  try {
    await file.writeFile(randomBytes(keyBytes))
    await file.sync()
  } finally {
    await file.close()
  }
  await chmod(part, 0o600).catch(() => undefined)
  try {
    await link(part, path).catch(async (error: NodeJS.ErrnoException) => {
      // In the way: a key that another program has just made, or what is none.
      if (error.code === 'EEXIST' && (await keyIn(path)) !== null) return
      await rename(part, path)
    })
  } finally {
    await unlink(part).catch(() => undefined)
  }
  return await keyIn(path)
}

const keys = new Map<string, Promise<Buffer>>()

/** Where none can be kept it lasts as long as the program: what it signs is a stranger's for the next one. */
function ownKey(): Promise<Buffer> {
  const folder = userFolder()
  let key = keys.get(folder)
  if (key === undefined) {
    const path = join(folder, keyFileName)
    key = keyIn(path)
      .then(async (found) => found ?? (await made(folder, path)))
      .catch(() => null)
      .then((found) => found ?? randomBytes(keyBytes))
    keys.set(folder, key)
  }
  return key
}

/** 32 hex digits for a text; `purpose` keeps signatures of one kind from being used as another. */
export async function signatureOf(purpose: string, text: string): Promise<string> {
  const key = await ownKey()
  return createHmac('sha256', key).update(`${purpose}\0`).update(text).digest('hex').slice(0, 32)
}
