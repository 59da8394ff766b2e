// Runs within regions: neighbours, files, summary, and a cancelled run that is kept, gone on with and replaced by its whole.
import { test } from '@playwright/test'
import { withShell } from '../shells'
import type { Shell } from '../shells'
import { cancelledIsKept, filesShowTheTriangle, neighboursStay, summaryKnowsRegions } from '../withinSteps'

let shell: Shell
withShell((started) => void (shell = started), { settings: { threads: 2 } })

test('neighbouring regions keep each other’s objects; files show the region that was run', async () => {
  await neighboursStay(shell)
  await filesShowTheTriangle(shell)
})

test('summary and slides list know runs within regions', () => summaryKnowsRegions(shell))

test('a cancelled run that is kept outlives its engine, is gone on with, and is not beside its whole', () =>
  cancelledIsKept(shell))
