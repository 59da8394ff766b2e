// Two hundred kills of a process that edits a document, at random moments: what was acknowledged is there each time.
import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { builtEditor, killEditors } from '../main/project/kills'

it('200 kills lose nothing that was acknowledged', { timeout: 1_200_000 }, async () => {
  const editor = await builtEditor()
  try {
    const acknowledged = await killEditors(editor, Number(process.env['KILLS'] ?? 200), Math.random, 100)
    expect(acknowledged).toBeGreaterThan(1000)
    console.log(`${acknowledged} changes acknowledged`)
  } finally {
    await rm(editor, { force: true })
  }
})
