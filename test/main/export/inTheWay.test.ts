// The files that are in an export's way are told by name, apart from the words: whoever asks about them need not read a message.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toAppError } from '../../../main/base/errors'
import { checkTargets } from '../../../main/export/output/targets'

it('what no earlier export wrote is named', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'run.json-'))
  for (const name of ['objects.csv', 'overlay.png', 'notes']) await writeFile(join(directory, name), 'mine')
  const targets = { directory, files: ['objects.csv', 'overlay.png', 'run.json'] as const, isSource: async () => false }
  const refused: unknown = await checkTargets({ ...targets, overwrite: false }).catch((error: unknown) => error)
  // As it crosses to the page.
  expect(toAppError(refused)).toMatchObject({ code: 'OUTPUT_EXISTS', files: ['objects.csv', 'overlay.png'] })
  expect(await checkTargets({ ...targets, overwrite: true })).toEqual([])
  await rm(directory, { recursive: true })
})
