// Where tests write thousands of small files: in memory where there is room, else where everything temporary goes.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { smallFilesFolder } from '../../../app/setup/smallFiles.mjs'

test('a folder with room is taken; one that is full, small or absent is not', () => {
  const { bsize, bavail } = statfsSync(import.meta.dirname)
  expect(smallFilesFolder(import.meta.dirname)).toBe(bsize * bavail >= 2 ** 30 ? import.meta.dirname : tmpdir())
  // On Linux one without a byte of room.
  expect(smallFilesFolder('/proc')).toBe(tmpdir())
  expect(smallFilesFolder('/nobody/made/this')).toBe(tmpdir())
})
