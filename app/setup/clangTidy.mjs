// clang-tidy over the native engine's C++ (.clang-tidy at the root): a score of files as one, as reading the same headers for each of them again
// would take most of the time.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { inLanes } from './lanes.mjs'
import { isProgram, output, patience, root, run, runMain, say, seconds, which } from './shell.mjs'

const database = join(root, 'build', 'native', 'compile_commands.json')
const scratch = join(root, 'build', 'tidy')

/** Why clang-tidy cannot be asked here, or null. */
export function whyNoClangTidy({ tool = which('clang-tidy'), commands = database } = {}) {
  if (tool === null) return 'it is not installed (Debian: clang-tidy)'
  const major = Number(/version (\d+)/.exec(output(tool, ['--version']) ?? '')?.[1] ?? 0)
  if (major < 14) return `this is version ${major}, and C++20 needs 14`
  return existsSync(commands) ? null : 'the native engine was not built here'
}

/** CMake joins several files in one that includes them: these, or the file itself. */
function joinedIn(file) {
  if (!/\/Unity\/unity_\d+_cxx\.cxx$/.test(file)) return [file]
  return Array.from(readFileSync(file, 'utf8').matchAll(/^#include "(.+)"$/gm), ([, included]) => included)
}

/** One compiler's memory, and its share of the time where there are two. */
const mostFiles = 25

/** Parts of nearly the same size, of at most `most` each. */
function parted(list, most) {
  const parts = Math.ceil(list.length / most)
  const from = (part) => Math.floor((part * list.length) / parts)
  return Array.from({ length: parts }, (_, part) => list.slice(from(part), from(part + 1)))
}

/** The files below `folder` that were compiled, in groups that share its subfolder and their flags: [{ name, files, flags }]. */
export function groupsOf(commands, folder = join(root, 'native')) {
  const groups = new Map()
  const grouped = new Set()
  const compiled = commands.flatMap(({ file, command }) => joinedIn(file).map((each) => ({ file: each, command })))
  for (const { file, command } of compiled) {
    // A file that is compiled twice, with a sanitizer too, is the same file.
    if (!file.startsWith(folder + sep) || !file.endsWith('.cpp') || grouped.has(file)) continue
    grouped.add(file)
    // Only what changes the meaning of a file: not a compiler's launcher, its outputs or its optimisations.
    const flags = [...command.matchAll(/(?<=\s)(?:-isystem\s+\S+|-(?:I|D|std=)(?:\\.|\S)+)/g)].map(([flag]) =>
      flag.replace(/\\(.)/g, '$1'),
    )
    const [subfolder] = relative(folder, dirname(file)).split(sep)
    const key = [subfolder, ...flags].join('\0')
    const group = groups.get(key) ?? { name: subfolder || 'native', files: [], flags }
    group.files.push(file)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap(({ name, files, flags }) =>
    parted(files, mostFiles).map((part, i) => ({ name: i === 0 ? name : `${name}-${i + 1}`, files: part, flags })),
  )
}

async function tidy(tool, source, flags) {
  const args = [
    '--quiet',
    `--config-file=${join(root, '.clang-tidy')}`,
    source,
    '--',
    ...flags.flatMap((flag) => flag.split(/\s+/)),
  ]
  const { code, text } = await run(tool, args, { quiet: true, limits: patience })
  // One that broke down has found nothing, and has not read the files either.
  return code === 0 || findingsOf(text).length > 0 ? text : `ended with ${code} [clang-diagnostic-error]`
}

/** What clang-tidy says, each finding with the lines that show it. */
export function findingsOf(text) {
  return text.split(/^(?=\S+:\d+:\d+: (?:error|warning): )/m).filter((each) => /^\S+:\d+:\d+: (?:error|warning): /.test(each))
}

/** { findings, unread }: the latter are files that this clang cannot read, though they were compiled. */
export async function clangTidy({ tool = which('clang-tidy'), groups, lanes = Math.ceil(availableParallelism() / 2) } = {}) {
  groups ??= groupsOf(JSON.parse(readFileSync(database, 'utf8')))
  mkdirSync(scratch, { recursive: true })
  const findings = new Set()
  const unread = []
  const judge = async ({ name, files, flags }) => {
    const source = join(scratch, `${name}.cpp`)
    writeFileSync(source, files.map((file) => `#include "${file}"\n`).join(''))
    const text = await tidy(tool, source, flags)
    if (!text.includes('[clang-diagnostic-error]')) for (const finding of findingsOf(text)) findings.add(finding)
    else if (files.length === 1) unread.push(files[0])
    else {
      // Two files of a folder may use a name for themselves: they are read apart.
      const half = Math.ceil(files.length / 2)
      await judge({ name, files: files.slice(0, half), flags })
      await judge({ name, files: files.slice(half), flags })
    }
  }
  await inLanes(
    groups.toSorted((a, b) => b.files.length - a.files.length).map((group) => () => judge(group)),
    lanes,
  )
  return { findings: [...findings], unread }
}

if (isProgram(import.meta.url))
  await runMain(async () => {
    const started = Date.now()
    const reason = whyNoClangTidy()
    if (reason !== null) return (say(`clang-tidy: not asked: ${reason}`), 0)
    const { findings, unread } = await clangTidy({ lanes: availableParallelism() })
    for (const finding of findings) console.log(finding)
    for (const file of unread) console.log(`${file}: this clang cannot read it`)
    say(`clang-tidy: ${findings.length} findings in ${seconds(started)}`)
    return findings.length === 0 ? 0 : 1
  })
