// `morphoscope serve [SLIDE]`: the app in a browser, until a signal ends it.
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { defaultSettingsDir } from '../../main/engine'
import { EngineClient } from '../host/parent/engineClient'
import { forkEngine } from '../host/parent/forkEngine'
import { Roots } from '../serve/roots'
import { remoteWarning, serve } from '../serve/server'
import { CliError, ExitCode } from './exitCodes'
import { installation } from './installation'
import type { Terminal } from './terminal'

export interface ServeCommandOptions {
  host: string
  port: number
  root?: string[] | undefined
  allowRemote?: boolean | undefined
}

/** Resolves when `signal` aborts and everything is closed. */
export async function serveCommand(
  terminal: Terminal,
  slide: string | undefined,
  options: ServeCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { assetsDir, engineProgram, rendererDir, sampleSlide, version } = installation()
  const warning = remoteWarning(options.host)
  if (warning !== null && !options.allowRemote) {
    throw new CliError(
      ExitCode.usage,
      `expected a loopback address for --host but received ${options.host}. ${warning} If you want that, add --allow-remote.`,
    )
  }
  if (!existsSync(engineProgram) || !existsSync(join(rendererDir, 'index.html'))) {
    throw new CliError(
      ExitCode.notThere,
      'The page is not there. Install Morphoscope again, or run "npm run build" if you built it yourself.',
    )
  }
  const path = resolve(slide ?? sampleSlide)
  if (slide !== undefined && !(await stat(path).catch(() => null)))
    throw new CliError(ExitCode.noInput, `There is no file ${path}.`)
  const folders = options.root ?? [dirname(path), join(assetsDir, 'samples'), process.cwd()]
  const roots = await Roots.of(options.root ? folders : folders.filter((folder) => existsSync(folder)))
  if (slide !== undefined) await roots.check(path)
  const reachable = async (file: string): Promise<string | null> =>
    existsSync(file) &&
    (await roots.check(file).then(
      () => true,
      () => false,
    ))
      ? file
      : null
  const initialSlide = slide === undefined ? null : await reachable(path)
  const sample = await reachable(sampleSlide)

  const engine = new EngineClient({
    spawn: () => forkEngine(engineProgram),
    settings: {
      settingsDir: defaultSettingsDir(),
      assetsDir,
      version,
      shell: 'serve',
      dialogs: false,
      initialSlide,
      sampleSlide: sample,
      roots: roots.folders,
    },
    log: ({ level, message, detail }) => {
      if (level !== 'info') terminal.note(`${level}: ${message}${detail ? `\n${detail}` : ''}`)
    },
  })
  try {
    const server = await serve({ engine, roots, rendererDirectory: rendererDir, host: options.host, port: options.port }).catch(
      (error: unknown) => {
        throw listenError(options, error)
      },
    )
    if (warning !== null) terminal.note(`warning: ${warning}`)
    terminal.print(`Morphoscope is at ${server.url}`)
    const stopOffering = offerAnother(terminal, () => server.newUrl())
    if (!signal.aborted) await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
    stopOffering()
    await server.close()
  } finally {
    await engine.close()
  }
}

/** An address works once. For another browser, or one that has forgotten its key, there is another. */
function offerAnother(terminal: Terminal, newUrl: () => string): () => void {
  const print = (): void => terminal.print(`Morphoscope is at ${newUrl()}`)
  const signals = process.platform !== 'win32'
  const how = [...(process.stdin.isTTY ? ['press Enter'] : []), ...(signals ? [`kill -USR2 ${process.pid}`] : [])]
  if (how.length > 0) terminal.note(`This address works once; for another: ${how.join(', or ')}.`)
  if (process.stdin.isTTY) process.stdin.on('data', print)
  if (signals) process.on('SIGUSR2', print)
  return () => {
    process.stdin.off('data', print)
    if (process.stdin.isTTY) process.stdin.pause()
    process.off('SIGUSR2', print)
  }
}

function listenError({ host, port }: ServeCommandOptions, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  switch (code) {
    case 'EADDRINUSE':
      return new CliError(ExitCode.tryAgain, `Port ${port} is taken: choose another --port, or 0 for any free one.`)
    case 'EACCES':
      return new CliError(ExitCode.usage, `You may not listen on port ${port}: choose one above 1023 for --port.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CliError(
        ExitCode.usage,
        `expected an address of this machine for --host but received ${host} (${message ?? code})`,
      )
    default:
      return error
  }
}
