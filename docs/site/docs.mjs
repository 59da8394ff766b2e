// `npm run docs [-- --serve]`: builds the documentation site into build/docs; with --serve it is shown on this machine.
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describePackage, foldersOf } from '../../app/setup/notices/packages.mjs'
import { working } from '../../app/setup/progress.mjs'
import { isProgram, root, runMain, say, seconds, SetupError } from '../../app/setup/shell.mjs'

const work = join(root, 'build', 'site')
const output = join(root, 'build', 'docs')

/** The site's own TypeScript as one module: it reads the program's tables. */
async function tools() {
  const { build } = await import('esbuild')
  const outfile = join(work, 'assemble.mjs')
  await build({
    entryPoints: [join(root, 'docs', 'site', 'assemble.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    absWorkingDir: root,
  })
  return import(pathToFileURL(outfile).href)
}

const megabytes = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6

/** The licences of the packages whose code the site has: they ask to go with it. */
function licencesOf(modules) {
  const packages = foldersOf(modules.map((path) => relative(root, path).replaceAll('\\', '/'))).map((folder) =>
    describePackage(root, folder, {}),
  )
  const missing = packages.filter(({ license, texts }) => license === null || texts.length === 0)
  if (missing.length > 0) throw new SetupError(`No licence text for: ${missing.map(({ name }) => name).join(', ')}.`)
  return packages
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, version, license, texts }) =>
      [`${name} ${version}: ${license}`, ...texts.map((path) => readFileSync(join(root, path), 'utf8').trim())].join('\n\n'),
    )
    .join(`\n\n${'-'.repeat(78)}\n\n`)
}

/** Returns the folder of the site. */
export async function buildSite() {
  const started = Date.now()
  if (!existsSync(join(root, 'node_modules', 'vitepress')))
    throw new SetupError('The site needs the npm packages: run "npm run setup" first.')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { assemble } = await tools()
  const stage = join(work, 'pages')
  const broken = assemble(root, stage, version)
  if (broken.length > 0) throw new SetupError(`Links of the pages lead nowhere:\n${broken.join('\n')}`)
  const shown = working('building the site', '10 to 30 s')
  const { build } = await import('vitepress')
  await build(stage, { logLevel: 'warn' })
  shown.end()
  const built = join(stage, '.vitepress', 'dist')
  const modules = JSON.parse(readFileSync(join(stage, '.vitepress', 'modules.json'), 'utf8'))
  writeFileSync(join(built, 'licences.txt'), `${licencesOf(modules)}\n`)
  rmSync(output, { recursive: true, force: true })
  cpSync(built, output, { recursive: true })
  const size = megabytes(output)
  say(`documentation: build/docs, ${size.toFixed(1)} MB, in ${seconds(started)}`)
  say('open build/docs/index.html in a browser; the search needs "npm run docs -- --serve"')
  if (size > 30) throw new SetupError(`The site has ${size.toFixed(1)} MB, and may have 30.`)
  return output
}

if (isProgram(import.meta.url)) {
  await runMain(async () => {
    await buildSite()
    if (!process.argv.includes('--serve')) return 0
    const { serve } = await import('vitepress')
    await serve({ root: join(work, 'pages'), port: 4173 })
  })
}
