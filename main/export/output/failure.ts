// What a failed write says: the file, the reason in plain words, and what to do next.
import { EngineError } from '../../base/errors'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there (EACCES): choose another folder',
  EPERM: 'you may not write there (EPERM): choose another folder',
  EROFS: 'the disk is read-only (EROFS): choose another folder',
  ENOSPC: 'the disk is full (ENOSPC): free some space or choose another disk',
  EDQUOT: 'your disk quota is used up (EDQUOT): free some space or choose another disk',
  EFBIG:
    'the file is too large for this disk, or larger than this process may write (EFBIG): choose another disk, or raise the limit (ulimit -f)',
  ENOTDIR: 'a part of the path is a file, not a folder (ENOTDIR): choose another folder',
  EEXIST: 'a file stands where a folder is needed (EEXIST): choose another folder',
  EISDIR: 'a folder stands where the file should go (EISDIR): move it away or choose another folder',
  ENAMETOOLONG: 'the name is too long (ENAMETOOLONG): choose a shorter path',
  EBUSY: 'another program uses it (EBUSY): close that program and try again',
  EIO: 'the disk reported an error (EIO)',
  ENOENT: 'the folder is gone or cannot hold files (ENOENT): choose another folder',
  ELOOP: 'its links go round in circles (ELOOP): choose another folder',
  ENOTEMPTY: 'a folder stands where the file should go (ENOTEMPTY): move it away or choose another folder',
  ETIMEDOUT: 'the disk does not answer (ETIMEDOUT): check that it is there, or choose another folder',
  ESTALE: 'the disk was taken away (ESTALE): choose another folder',
  ENOTCONN: 'the disk was taken away (ENOTCONN): choose another folder',
  EMFILE: 'too many files are open (EMFILE): close some programs and try again',
}

/** The code of a failed system call, or ''. */
export function systemCode(error: unknown): string {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  return typeof code === 'string' && typeof syscall === 'string' ? code : ''
}

/** OUTPUT_FAILED for a failed system call; every other error (a cancelled run, a lost slide) stays what it is. */
export function asOutputFailure(path: string, error: unknown): unknown {
  const code = systemCode(error)
  if (!code) return error
  const reason = reasons[code] ?? `${error instanceof Error ? error.message : String(error)}`
  return new EngineError(
    'OUTPUT_FAILED',
    `Could not write ${path}: ${reason}`,
    error instanceof Error ? error.message : undefined,
    { cause: error },
  )
}
