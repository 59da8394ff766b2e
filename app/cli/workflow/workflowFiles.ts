// The files of a workflow's folder that differ from one cohort to the next, as text.
import type { ExportFile } from '../../contract'
import { CliError, ExitCode } from '../exitCodes'

/** A line of slides.tsv. */
export interface SlideRow {
  readonly name: string
  readonly path: string
  readonly shards: number
  readonly threads: number
  readonly memoryMb: number
  readonly minutes: number
  /** Of `prepare`, each without a blank. */
  readonly options: readonly string[]
  readonly isOpened: boolean
}

/** step.sh, submit.sh and the Snakefile read it: names of columns and their order stand there too. */
export function slidesText(rows: readonly SlideRow[]): string {
  const lines = rows.map(({ name, path, shards, threads, memoryMb, minutes, options }) => {
    // Neither awk nor Slurm's scripts have a way to say them.
    if (/[\t\r\n]/.test(path))
      throw new CliError(
        ExitCode.usage,
        `A workflow's list cannot name ${JSON.stringify(path)}: rename the slide's file or folder.`,
      )
    return [name, path, shards, threads, memoryMb, minutes, options.join(' ')].join('\t')
  })
  return ['name\tpath\tshards\tthreads\tmemory_mb\tminutes\toptions', ...lines, ''].join('\n')
}

/** For a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export interface WorkflowSettings {
  readonly files: readonly ExportFile[]
  readonly device: string | undefined
  readonly deidentify: boolean
  /** The command line, by its words. */
  readonly launcher: readonly string[]
}

export function settingsText({ files, device, deidentify, launcher }: WorkflowSettings): string {
  return `# What step.sh needs to know. Change it as the cluster asks for: modules, containers, another place of the program.
morphoscope() { ${launcher.map(quoted).join(' ')} "$@"; }
# Written for each slide by merge.
FILES=${quoted(files.join(','))}
# E.g. '--device gpu0', with --gres=gpu:1 for the scheduler.
DEVICE=${quoted(device === undefined ? '' : `--device ${device}`)}
DEIDENTIFY=${quoted(deidentify ? '--deidentify' : '')}
# How often a step is tried that may succeed later (a full disk, want of memory), and after how many seconds again.
TRIES=3
RETRY_AFTER_S=60
`
}

const mostLetters = 80

/** Folders, wildcards and jobs are called so: letters, digits and ". _ -" alone, each once, also where a system knows no case. */
export function plainNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain =
      name
        .normalize('NFKD')
        .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
        .replace(/^[.-]+/, '')
        .slice(0, mostLetters) || 'slide'
    let own = plain
    for (let n = 2; taken.has(own.toLowerCase()); n++) own = `${plain}-${n}`
    taken.add(own.toLowerCase())
    return own
  })
}
