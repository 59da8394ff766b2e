// `npm start [-- slide] [--yes]`: installs and builds what is missing, then opens the desktop app, or serves it where no window can be shown.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from './build.mjs'
import { findElectron, howToGetElectron, noDisplayReason, sandboxArgs } from './electron.mjs'
import { install, yesOption } from './install.mjs'
import { root, run, runMain, say, SetupError } from './shell.mjs'

function slideArgument(args) {
  const [path, ...more] = args
  if (more.length > 0) throw new SetupError(`expected one slide but received ${args.length} paths: ${args.join(' ')}`)
  // The program's own choice: the sample at the first start, later its start page.
  if (path === undefined) return []
  // npm runs scripts in the project's folder; INIT_CWD is where the user typed.
  const full = resolve(process.env.INIT_CWD ?? process.cwd(), path)
  if (!existsSync(full)) throw new SetupError(`There is no file ${full}. Give the path of a slide: npm start -- path/to/slide`)
  return [full]
}

async function whyNoWindow() {
  const display = noDisplayReason()
  if (display) return { reason: `${display}. The desktop app needs one, and Electron.` }
  const electron = await findElectron({ download: true })
  if (!electron.path) return { reason: `${electron.reason}.\n  ${howToGetElectron}` }
  const sandbox = sandboxArgs(electron.path)
  if (sandbox.reason) return { reason: `${sandbox.reason}.` }
  return { electron: electron.path, args: sandbox.args }
}

await runMain(async () => {
  const args = process.argv.slice(2)
  const slide = slideArgument(args.filter((arg) => arg !== yesOption))
  await install({ yes: args.includes(yesOption) })
  await build()
  const { electron, args: electronArgs = [], reason } = await whyNoWindow()
  if (electron) {
    say(`opening ${slide[0] ?? 'Morphoscope'}`)
    // Chromium's own complaints (no D-Bus, no GPU) are none of the user's: what cannot be survived is still printed.
    const quiet = process.env.ELECTRON_ENABLE_LOGGING ? [] : ['--log-level=3']
    // On Linux the engine runs under this Node (app/desktop/nodeProgram.ts says why).
    return (await run(electron, [...electronArgs, ...quiet, root, ...slide], { env: { MORPHOSCOPE_NODE: process.execPath } }))
      .code
  }
  say(`no window: ${reason}`)
  if (noDisplayReason()) say(howToGetElectron)
  say('serving the same app for a browser on this machine; end it with Ctrl+C')
  return (await run(process.execPath, [join(root, 'dist', 'cli.mjs'), 'serve', ...slide])).code
})
