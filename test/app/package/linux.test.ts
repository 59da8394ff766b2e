// What a Linux package says of itself: its dependencies, its manual and completions, its wrapper, the types of slides that it opens.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { program } from '../../../app/cli/cli'
import { exitCodeRows } from '../../../app/cli/exitCodes'
import { bashCompletion, manPage, roff, typedCommands } from '../../../app/package/commandPages.mjs'
import { control, dependencies } from '../../../app/package/deb.mjs'
import { checkTarball, nodeVersion } from '../../../app/package/nodeInside.mjs'
import { root } from '../../../app/setup/shell.mjs'

const terminal = { print: () => undefined, note: () => undefined, progress: () => undefined, endProgress: () => undefined }
const commands = program(terminal, new AbortController().signal, () => undefined)
const linux = (name: string): string => readFileSync(join(root, 'app', 'package', 'linux', name), 'utf8')
const place = mkdtempSync(join(tmpdir(), 'morphoscope-package-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const hasBash = spawnSync('bash', ['--version']).status === 0

describe('the .deb', () => {
  it('asks for what the window and the slides need, by the names of each release, and for nothing of the build', () => {
    const wanted = dependencies()
    // Without the first the window's program ends with no word; a bare system has neither.
    for (const name of [
      'libx11-xcb1',
      'libnss3',
      'libopenslide1t64 | libopenslide1 | libopenslide0',
      'libgtk-3-0t64 | libgtk-3-0',
      'libturbojpeg | libturbojpeg0',
      'libc6 (>= 2.35)',
    ])
      expect(wanted).toContain(name)
    expect(wanted.join()).not.toMatch(/cmake|g\+\+|xvfb|gtest|chromium/)
  })
  it('is one of four, which keep each other out', () => {
    const about = { version: '1.2.3', arch: 'x64', kilobytes: 7 }
    const [cpu, cuda] = [control(about), control({ ...about, cuda: true })]
    const [cli, both] = [control({ ...about, arch: 'arm64', cli: true }), control({ ...about, cli: true, cuda: true })]
    expect(cpu).toMatch(/^Package: morphoscope\nVersion: 1\.2\.3\nArchitecture: amd64$/m)
    expect(cpu).toMatch(/^Conflicts: (morphoscope-cuda, morphoscope-cli, morphoscope-cli-cuda)\nReplaces: \1$/m)
    expect(cuda).toMatch(/^Package: morphoscope-cuda$/m)
    expect(cuda).toMatch(/^Provides: morphoscope\nConflicts: morphoscope, morphoscope-cli, morphoscope-cli-cuda$/m)
    expect(cli).toMatch(/^Package: morphoscope-cli\nVersion: 1\.2\.3\nArchitecture: arm64$/m)
    expect(cli).toMatch(/^Conflicts: morphoscope, morphoscope-cuda, morphoscope-cli-cuda$/m)
    expect(both).toMatch(/^Package: morphoscope-cli-cuda\nVersion/m)
    expect(both).toMatch(/^Provides: morphoscope-cli\nConflicts: morphoscope, morphoscope-cuda, morphoscope-cli$/m)
    // No window, no libraries of Electron's.
    expect(cli).toMatch(/libopenslide1 \| libopenslide0/)
    expect(cli).not.toMatch(/libgtk|libnss|morphoscope-app/)
    // A description's further lines begin with a blank: an empty line would end the paragraph.
    expect(cpu.trimEnd().split('\n')).not.toContain('')
  })
  it('takes no Node of another checksum', () => {
    const good = 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='
    expect(() => checkTarball(Buffer.alloc(0), good, 'a.tgz')).not.toThrow()
    expect(() => checkTarball(Buffer.from('x'), good, 'a.tgz')).toThrow(/^a\.tgz has another checksum/)
  })
  it.skipIf(process.platform !== 'linux')('says where a tarball goes that npm cannot fetch, and takes no damaged one', () => {
    const cache = join(place, 'cache')
    const ask = `import('${join(root, 'app', 'package', 'nodeInside.mjs')}').then(async (m) => console.log(await m.whyNoNode('${join(place, 'node')}')))`
    const env = {
      ...process.env,
      XDG_CACHE_HOME: cache,
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_cache: cache,
      npm_config_fetch_retries: '0',
    }
    const said = () => spawnSync(process.execPath, ['-e', ask], { env, encoding: 'utf8' }).stdout
    const kept = join(cache, 'morphoscope', `node-linux-${process.arch}-${nodeVersion}.tgz`)
    expect(said()).toContain(`Without a network put its tarball at ${kept}.`)
    writeFileSync(kept, 'damaged')
    expect(said()).toContain(`${kept} has another checksum`)
  })
})

describe('the manual page', () => {
  const page = manPage(commands, { version: '1.2.3', date: '2026-01-02', codes: exitCodeRows() })
  it('has every command with every option, and every exit code', () => {
    const typed = typedCommands(commands)
    expect(typed.map(({ names }) => names.join(' '))).toEqual(expect.arrayContaining(['run', 'op', 'project summary']))
    for (const { names, command } of typed) {
      const start = page.indexOf(`.SS ${roff(names.join(' '))}`)
      expect(start, names.join(' ')).toBeGreaterThan(0)
      const part = page.slice(start + 1, page.indexOf('\n.S', start + 1))
      for (const { flags } of command.options) expect(part).toContain(`.B ${roff(flags)}\n`)
    }
    const status = page.slice(page.indexOf('.SH EXIT STATUS'), page.indexOf('.SH FILES'))
    expect([...status.matchAll(/^\.B (.+)$/gm)].map(([, code]) => code)).toEqual(expect.arrayContaining(['0', '65', '130, 143']))
  })
  it('lets no text begin a command of roff', () => {
    expect(roff(".npy or -x\n'a\\b")).toBe("\\&.npy or \\-x\n\\&'a\\eb")
    const known = /^\.(TH|SH|SS|TP|B|I|RI|PP|br|nf|fi)( |$)/
    expect(page.split('\n').filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([])
  })
})

describe.skipIf(!hasBash)('completion', () => {
  const script = join(place, 'completion')
  writeFileSync(script, bashCompletion(commands))
  const offered = (...words: string[]): string[] => {
    const ask = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _morphoscope; printf '%s\\n' "\${COMPREPLY[@]}"`
    const done = spawnSync('bash', ['--norc', '-c', ask, script, 'morphoscope', ...words], { encoding: 'utf8' })
    expect(done.stderr).toBe('')
    return done.stdout.split('\n').filter((line) => line !== '')
  }
  it('offers commands, then their options, their choices, and files where neither is asked for', () => {
    expect(offered('re')).toEqual(['report'])
    expect(offered('')).toEqual(expect.arrayContaining(['run', 'project', '--help']))
    expect(offered('run', '--reg')).toEqual(['--region'])
    expect(offered('run', '--stains', 'm')).toEqual(['macenko'])
    expect(offered('run', '')).toEqual([])
    expect(offered('project', 'su')).toEqual(['summary'])
    expect(offered('project', 'summary', '--by-cl')).toEqual(['--by-class'])
  })
})

describe('the wrapper', () => {
  it.skipIf(process.platform === 'win32')('starts the Node beside it, through links and with blanks in its way', () => {
    const tree = join(place, 'any where')
    const resources = join(tree, 'lib', 'morphoscope', 'resources')
    mkdirSync(resources, { recursive: true })
    mkdirSync(join(tree, 'bin'))
    copyFileSync(join(root, 'app', 'package', 'linux', 'morphoscope'), join(tree, 'bin', 'morphoscope'))
    chmodSync(join(tree, 'bin', 'morphoscope'), 0o755)
    writeFileSync(join(resources, 'node'), '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 })
    symlinkSync(join(tree, 'bin', 'morphoscope'), join(place, 'linked'))
    const done = spawnSync(join(place, 'linked'), ['info', 'a slide.svs'], { encoding: 'utf8' })
    const program = join(resources, 'app.asar.unpacked', 'app', 'cli', 'morphoscope.cjs')
    expect(done.stdout).toBe(`${program}|info|a slide.svs|`)
    expect(existsSync(join(root, 'app', 'cli', 'morphoscope.cjs'))).toBe(true)
  })
})

describe('the desktop', () => {
  it('knows every type that the entry opens', () => {
    const types = /^MimeType=(.*);$/m.exec(linux('morphoscope.desktop'))![1]!.split(';')
    const own = [...linux('mime.xml').matchAll(/<mime-type type="([^"]+)">/g)].map(([, type]) => type!)
    // The rest are the system's.
    expect(types.filter((type) => !own.includes(type))).toEqual(['image/tiff', 'application/dicom'])
    expect(own.filter((type) => !types.includes(type))).toEqual([])
    const shown = [...linux('metainfo.xml').matchAll(/<mediatype>([^<]+)</g)].map(([, type]) => type!)
    expect(types.filter((type) => !shown.includes(type))).toEqual(['image/tiff'])
  })
  it('knows the ending of every slide that the dialog offers, pictures aside', () => {
    const offered = /extensions: \[([^\]]*'svs'[^\]]*)\]/.exec(
      readFileSync(join(root, 'app', 'desktop', 'dialogs.ts'), 'utf8'),
    )![1]!
    const endings = [...offered.matchAll(/'(\w+)'/g)].map(([, ending]) => ending!)
    const globs = [...linux('mime.xml').matchAll(/pattern="\*\.([^"]+)"/g)].map(([, ending]) => ending!)
    const systems = ['tif', 'tiff', 'dcm', 'czi', 'png', 'jpg', 'jpeg']
    expect(endings.filter((ending) => !globs.includes(ending) && !systems.includes(ending))).toEqual([])
  })
})
