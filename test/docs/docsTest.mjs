// `npm run docs:test`: the commands of the tutorials and how-to pages, then their walks through the window. `-- --update` writes both anew.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const args = process.argv.slice(2)
const at = args.indexOf('--only')
const only = at < 0 ? undefined : args[at + 1]
const wrong = args.filter((arg, i) => arg !== '--update' && arg !== '--only' && (at < 0 || i !== at + 1))
if (wrong.length > 0 || (at >= 0 && !only)) {
  console.error('npm run docs:test -- [--update] [--only PART-OF-A-NAME]')
  process.exit(2)
}
const env = {
  ...process.env,
  DOCS_ALL: '1',
  ...(args.includes('--update') && { DOCS_UPDATE: '1' }),
  ...(only && { DOCS_ONLY: only }),
}
const tool = (...path) => join(root, 'node_modules', ...path)
/** Both, whatever the first comes to. */
const codes = [
  [tool('vitest', 'vitest.mjs'), 'run', 'test/docs/commands.test.ts'],
  [
    ...[tool('@playwright', 'test', 'cli.js'), 'test', '--config', join('test', 'docs', 'playwright.config.ts')],
    ...(only ? ['--grep', only, '--pass-with-no-tests'] : []),
  ],
].map((each) => spawnSync(process.execPath, each, { cwd: root, env, stdio: 'inherit' }).status ?? 1)
process.exitCode = Math.max(...codes)
