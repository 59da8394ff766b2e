// How a step of `npm test` is given up: for hanging, never for being slow.
import { expect, test } from 'vitest'
import { withoutPassed } from '../../../app/setup/reports.mjs'
import { patience, run, whyStop } from '../../../app/setup/shell.mjs'

const posix = process.platform !== 'win32'

test('a step that goes on printing is not stopped for its time', () => {
  const minute = 60_000
  // What a loaded machine makes of a step of five minutes: a line now and then, for an hour and a half.
  for (let now = 0; now <= 90 * minute; now += minute)
    expect(whyStop({ now, begun: 0, heard: now - 9 * minute }, patience)).toBeNull()
  expect(whyStop({ now: 30 * minute, begun: 0, heard: 20 * minute }, patience)).toBe('stopped: it had printed nothing for 600 s')
  expect(whyStop({ now: 120 * minute, begun: 0, heard: 120 * minute }, patience)).toBe('stopped: it had not ended after 7200 s')
  expect(whyStop({ now: 1e12, begun: 0, heard: 0 }, {})).toBeNull()
})

test('a program that ends is not touched, whatever it prints', async () => {
  const code = `let left = 5; const tell = () => { console.log(left); if (--left) setTimeout(tell, 20) }; tell()`
  expect(await run(process.execPath, ['-e', code], { quiet: true, limits: patience })).toEqual({
    code: 0,
    text: '5\n4\n3\n2\n1\n',
  })
  expect((await run(process.execPath, ['-e', 'process.exit(3)'], { quiet: true, limits: patience })).code).toBe(3)
  expect((await run('/nowhere/program', [], { quiet: true, limits: patience })).code).toBe(127)
})

test('one that hangs in silence is stopped, and one that never comes to an end', async () => {
  const silent = await run(process.execPath, ['-e', `console.log('begun'); setInterval(() => {}, 1000)`], {
    quiet: true,
    limits: { silentMs: 2000 },
  })
  expect(silent.code).toBe(124)
  expect(silent.text).toMatch(/stopped: it had printed nothing for 2 s$/)
  const endless = await run(process.execPath, ['-e', `setInterval(() => console.log('again'), 5)`], {
    quiet: true,
    limits: { totalMs: 1000 },
  })
  expect(endless.code).toBe(124)
  expect(endless.text).toMatch(/stopped: it had not ended after 1 s$/)
})

test.runIf(posix)(
  'what it started ends with it: such a program would hold the pipes, and the step would wait for ever',
  async () => {
    const done = await run('sh', ['-c', 'sleep 1000 & echo $!; sleep 1000'], { quiet: true, limits: { silentMs: 2000 } })
    expect(done.code).toBe(124)
    const started = Number(done.text.split('\n')[0])
    expect(started).toBeGreaterThan(1)
    // Ended, though perhaps not yet waited for by the one that inherited it.
    const state = await run('ps', ['-o', 'stat=', '-p', String(started)], { quiet: true })
    expect(state.text.trim()).toMatch(/^Z?$|^Z/)
  },
)

test('GTest tells each test as it ends, and only what is wrong is shown', () => {
  const text = [
    '[==========] Running 3 tests from 1 test suite.',
    '[----------] 3 tests from Label',
    '[ RUN      ] Label.One',
    '[       OK ] Label.One (0 ms)',
    '[ RUN      ] Label.Two',
    'test_label.cpp:9: Failure',
    '[  FAILED  ] Label.Two (1 ms)',
    '[ RUN      ] Label.Three',
    '[       OK ] Label.Three (0 ms)',
    '[==========] 3 tests from 1 test suite ran. (2 ms total)',
  ].join('\n')
  expect(withoutPassed(text).split('\n')).toEqual([
    '[==========] Running 3 tests from 1 test suite.',
    '[ RUN      ] Label.Two',
    'test_label.cpp:9: Failure',
    '[  FAILED  ] Label.Two (1 ms)',
    '[==========] 3 tests from 1 test suite ran. (2 ms total)',
  ])
  // The one that hangs is the last that began.
  expect(withoutPassed('[ RUN      ] Label.One\n[       OK ] Label.One (0 ms)\n[ RUN      ] Label.Two\nstopped')).toBe(
    '[ RUN      ] Label.Two\nstopped',
  )
})

test.runIf(posix)('what is started after a step that is waited for gives way to it', async () => {
  // A program of its own, as its priority cannot be taken back.
  const program = `
    const { giveWay } = await import('./app/setup/giveWay.mjs')
    const { run } = await import('./app/setup/shell.mjs')
    const look = ['-c', 'sleep 1; ps -o ni= -p $$; cat /proc/$$/autogroup 2>/dev/null || true']
    const first = run('sh', look, { quiet: true, limits: {} })
    giveWay()
    for (const done of [await first, await run('sh', look, { quiet: true }), await run('sh', look, { quiet: true, limits: {} })])
      console.log(JSON.stringify(done.text.split('\\n').map((line) => line.trim().replace(/^.autogroup-\\d+ /, ''))))`
  const done = await run(process.execPath, ['--input-type=module', '-e', program], { quiet: true })
  const [first, ...later] = done.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[])
  const own = Number(first?.[0])
  const groups = first?.[1] !== ''
  expect(first).toEqual(groups ? [`${own}`, 'nice 0', ''] : [`${own}`, ''])
  const less = Math.max(own, 10)
  for (const each of later) expect(each).toEqual(groups ? [`${less}`, 'nice 10', ''] : [`${less}`, ''])
  expect(later).toHaveLength(2)
})
