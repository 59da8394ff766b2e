// What the desktop shows and opens of an export: its own files while they are as written, and of those reports alone.
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { WrittenFiles } from '../../../app/desktop/writtenFiles'

function exported() {
  const folder = mkdtempSync(join(tmpdir(), 'written-'))
  const out = join(folder, 'out')
  mkdirSync(out)
  const system = { showItemInFolder: vi.fn<(path: string) => void>(), openPath: vi.fn(async () => '') }
  const files = new WrittenFiles(system)
  const write = (path: string, text = 'as written') => {
    writeFileSync(path, text)
    return { path, sha256: createHash('sha256').update(text).digest('hex'), name: '', bytes: text.length }
  }
  const told = [
    write(join(out, 'report.html')),
    write(join(out, 'report.pdf')),
    write(join(out, 'objects.csv')),
    // The engine reads hostile slides: a path outside the folder that was asked for does not count.
    write(join(folder, 'report.html')),
  ]
  const value = { cancelled: false, directory: out, files: told, warnings: [], slideName: '' }
  files.learn('export:start', { runId: 'r1-000000', directory: out, files: ['report.html'] }, { ok: true, value })
  return { folder, out, files, system }
}

test('a file is shown in its folder, and a report is opened', async () => {
  const { out, files, system } = exported()
  await files.show(join(out, 'objects.csv'))
  expect(system.showItemInFolder.mock.calls).toEqual([[join(out, 'objects.csv')]])
  await files.open(join(out, 'report.html'))
  await files.open(join(out, 'report.pdf'))
  expect(system.openPath.mock.calls).toEqual([[join(out, 'report.html')], [join(out, 'report.pdf')]])
})

test('nothing else is: another file, a table, a changed report, a link in its place, one that is gone', async () => {
  const { folder, out, files, system } = exported()
  for (const path of ['/etc/passwd', join(folder, 'report.html'), join(out, '..', 'report.html')]) {
    await expect(files.show(path)).rejects.toThrow('that an export of this session wrote')
    await expect(files.open(path)).rejects.toThrow('that an export of this session wrote')
  }
  await expect(files.open(join(out, 'objects.csv'))).rejects.toThrow('Expected a report')
  appendFileSync(join(out, 'report.html'), '<script>1</script>')
  await expect(files.open(join(out, 'report.html'))).rejects.toThrow('was changed after')
  rmSync(join(out, 'report.pdf'))
  await expect(files.open(join(out, 'report.pdf'))).rejects.toThrow('not there any more')
  symlinkSync(join(out, 'objects.csv'), join(out, 'report.pdf'))
  await expect(files.show(join(out, 'report.pdf'))).rejects.toThrow('not there any more')
  expect(system.openPath).not.toHaveBeenCalled()
  expect(system.showItemInFolder).not.toHaveBeenCalled()
})

test('what the system says is told', async () => {
  const { out, files, system } = exported()
  system.openPath.mockResolvedValueOnce('no application is registered')
  await expect(files.open(join(out, 'report.html'))).rejects.toThrow('no application is registered')
})
