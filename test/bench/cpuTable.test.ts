// The command behind the tables of test/bench/results/cpu.md, on small images: its shape, that it goes on where it was stopped, and what it refuses.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { benchProgram } from '../../app/cli/bench'

const folder = mkdtempSync(join(tmpdir(), 'morphoscope-table-'))
afterAll(() => rmSync(folder, { recursive: true }))
const out = join(folder, 'table.json')
const script = join(import.meta.dirname, 'cpu_table.py')
const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync('python3', [script, '--out', out, ...args], { encoding: 'utf8' })
const usable = existsSync(benchProgram().path) && spawnSync('python3', ['--version']).status === 0
/** Each line once, and no time for more. */
const once = (sizes: string, only: string): string[] => {
  const options = { bench: benchProgram().path, sizes, only, worst: '32', repeat: '1', 'budget-ms': '1' }
  // What the tables say is asked of every benchmark, also where a source was edited after it was built.
  return ['--stale', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])]
}

describe.skipIf(!usable)('cpu_table.py', () => {
  it('measures every size, stops where it is told, goes on, and leaves no figure out', () => {
    const args = once('32,64', 'max_tree,label,threshold')
    const stopped = run(...args, '--minutes', '0.00001')
    expect(stopped.stderr).toMatch(/stopped after .* runs to do/)
    const { status, stdout, stderr } = run(...args)
    expect(stderr).not.toContain('Traceback')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Measured \d{4}-\d\d-\d\d on: .*; commit .*;$/m)
    expect(stdout).toContain('| op | variant | c | exact | 32² | 64² | 64², 2 threads | × | of copy bandwidth | B/px |')
    // Two connectivities of four variants, of 16 bits and of label, and threshold.
    const rows = stdout.split('\n').filter((line) => /^\| (max_tree|label|threshold) .* yes \|/.test(line))
    expect(rows).toHaveLength(13)
    for (const row of rows) expect(row.split('|').slice(5).join('|')).not.toContain('–')
    expect(stdout).toMatch(/^\| max_tree \| automatic \| 8 \|( [\d.]+){5} \|$|^\| max_tree \| automatic \| 8 \| \**[\d.]+/m)
    expect(stdout).toContain('| op | variant | c | noise | checkerboard | flat | serpentine | spiral |')
    // Variants are held against one another: only the first is the reference.
    const { rows: kept } = JSON.parse(readFileSync(out, 'utf8')) as { rows: Record<string, { result: string }> }
    expect(kept['max_tree|union_find|8|tissue|32|1']?.result).toBe('exact')
    expect(kept['max_tree|union_find|8|spiral|32|1']?.result).toBe('exact')
    const again = run(...args)
    expect(again.stderr).toContain(' 0 to do')
    expect(again.stdout).toBe(stdout)
    // Into a file of results go the rows that were measured; those of others stay, and so does what a person wrote.
    const file = join(folder, 'cpu.md')
    const shown = ['--print', '--sizes', '32,64', '--worst', '32', '--write', file]
    expect(run(...shown).status).toBe(0)
    const first = readFileSync(file, 'utf8')
    expect(first).toMatch(/^## Measured\n\n- \d{4}-\d\d-\d\d, commit .*; load .*: max_tree, label, threshold\.$/m)
    const kept8 = '| label | – | 8 | yes | 1 | 2 | 3 | 4 | 5 % | 0.00 |'
    const others = '| erode | disk r=2 | – | yes | 1 | 2 | 3 | 4 | 5 % | 0.00 |'
    writeFileSync(
      file,
      first.replace(/^\| label \| – \| 8 \| yes .*$/m, `${kept8}\n${others}`).replace('## Measured', 'By hand.\n\n## Measured'),
    )
    expect(run(...shown).status).toBe(0)
    const second = readFileSync(file, 'utf8')
    expect([second.includes(kept8), second.includes(others), second.includes('By hand.')]).toEqual([false, true, true])
    expect(second.replace(`${others}\n`, '').replace('By hand.\n\n', '').split('\n').sort()).toEqual(first.split('\n').sort())
    const other = run('--print', '--sizes', '32', '--worst', '32', '--write', file)
    expect([other.status, other.stderr.includes('has other columns under')]).toEqual([2, true])
    // A wrong result fails the command.
    kept['label||8|tissue|32|1']!.result = 'WRONG: 3 pixels, by 1 at most'
    writeFileSync(out, JSON.stringify({ ...(JSON.parse(readFileSync(out, 'utf8')) as object), rows: kept }))
    const wrong = run('--print', '--sizes', '32,64', '--worst', '32')
    expect([wrong.status, wrong.stdout.includes('| label | – | 8 | **WRONG** |')]).toEqual([1, true])
  }, 180_000)
  it('stops a variant on a worst case after the time of a line, and says so', () => {
    const args = [...once('32', 'max_tree'), '--line-seconds', '0.001']
    const { status, stdout, stderr } = run(...args, '--out', join(folder, 'stopped.json'))
    expect(stderr).not.toContain('Traceback')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^\| max_tree \| flooding \| 8 \|( \**> \d+\** over 0\.001 s \|){5}$/m)
    expect(stdout).toMatch(/^\| max_tree \| flooding \| 8 \| yes \| [\d.]+/m) // the main table has its figure
  }, 60_000)
  it('measures no benchmark that is older than its sources unless it is told to', () => {
    const old = join(folder, 'old_bench')
    copyFileSync(benchProgram().path, old)
    chmodSync(old, 0o755)
    utimesSync(old, 0, 0)
    const asked = [
      '--bench',
      old,
      '--out',
      join(folder, 'old.json'),
      '--sizes',
      '32',
      '--only',
      'threshold',
      '--worst',
      '0',
      '--repeat',
      '1',
    ]
    const refused = run(...asked)
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/old_bench is older than its sources: .*, or --stale/),
    ])
    expect(existsSync(join(folder, 'old.json'))).toBe(false)
    const told = run(...asked, '--stale')
    expect([told.status, told.stdout]).toEqual([0, expect.stringMatching(/^\| threshold \| .* yes \|/m)])
  })
  it('refuses what it does not know', () => {
    const { status, stderr } = run('--only', 'nonsense')
    expect(status).toBe(2)
    expect(stderr).toMatch(/expected one of reconstruct, .* for --only but received nonsense/)
    expect(run('--bench', join(folder, 'nowhere')).stderr).toMatch(/no .*nowhere.*builds it/)
  })
})
