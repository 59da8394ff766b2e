// Which processes count as alive: one that was killed does not, even where its parent has not taken notice of it.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startOf } from '../../../main/base/process'

it('says when this process began', () => {
  expect(startOf(process.pid)).toBeTypeOf('number')
  expect(startOf(process.pid)).toBe(startOf(process.pid))
})

it('knows of no process with a number that is not taken', () => {
  expect(startOf(2 ** 30)).toBeNull()
})

it.skipIf(process.platform !== 'linux')('counts a zombie as ended', async () => {
  // Its child ends at once, and "sleep", which the shell becomes, never asks for it.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', (text) => resolve(String(text)))))
    const state = (): string => readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) (.).*$/s, '$1')
    for (let i = 0; i < 200 && state() !== 'Z'; ++i) await wait(10)
    expect(state()).toBe('Z')
    expect(startOf(pid)).toBeNull()
  } finally {
    parent.kill('SIGKILL')
  }
})
