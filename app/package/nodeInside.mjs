// The Node that goes into a Linux package: its version and checksum, where it is kept, and how it gets to where electron-builder takes it.
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { working } from '../setup/progress.mjs'
import { root, run, say, SetupError, tail, which } from '../setup/shell.mjs'

/** Node's own binaries as npm packages. The checksums are the registry's. */
export const nodeVersion = '24.21.0'
const integrity = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}

/** Where electron-builder.yml and the notices take it from: node, LICENSE and package.json. */
export const nodePackage = 'build/package/node'

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'morphoscope')

export function checkTarball(bytes, wanted, path) {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (found !== wanted) throw new SetupError(`${path} has another checksum (${found}) than ${wanted}. Remove it, and try again.`)
}

/** The path of npm's tarball: kept from an earlier time, or fetched by npm. */
async function tarball(arch) {
  const name = `node-linux-${arch}`
  const kept = join(cache(), `${name}-${nodeVersion}.tgz`)
  if (!existsSync(kept)) {
    mkdirSync(cache(), { recursive: true })
    const work = working(`fetching ${name} ${nodeVersion} from npm, 53 MB`, '5 to 60 s')
    const args = ['pack', `${name}@${nodeVersion}`, '--silent', '--prefer-offline', '--pack-destination', cache()]
    const done = await run(which('npm') ?? 'npm', args, { quiet: true })
    work.end()
    if (done.code !== 0 || !existsSync(kept))
      throw new SetupError(
        `npm could not fetch ${name} ${nodeVersion}, which the package needs:\n${tail(done.text, 5)}\nWithout a network put its tarball at ${kept}.`,
      )
  }
  checkTarball(readFileSync(kept), integrity[arch], kept)
  return kept
}

/** Puts Node's program, without its symbols, and its licence where they are packed from. Nothing to do where they are there. */
export async function putNode(place = join(root, nodePackage), arch = process.arch) {
  if (!integrity[arch])
    throw new SetupError(`No Node is known for packages of Linux on ${arch}: app/package/nodeInside.mjs lists them.`)
  const manifest = join(place, 'package.json')
  if (existsSync(manifest)) {
    const { name, version } = JSON.parse(readFileSync(manifest, 'utf8'))
    if (name === `node-linux-${arch}` && version === nodeVersion) return
  }
  const from = await tarball(arch)
  const fresh = `${place}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  const wanted = ['package/bin/node', 'package/LICENSE', 'package/package.json']
  const done = await run('tar', ['-xzf', from, '-C', fresh, ...wanted], { quiet: true })
  if (done.code !== 0) throw new SetupError(`${from} could not be unpacked:\n${tail(done.text, 5)}`)
  const node = join(fresh, 'node')
  copyFileSync(join(fresh, 'package', 'bin', 'node'), node)
  chmodSync(node, 0o755)
  for (const name of ['LICENSE', 'package.json']) renameSync(join(fresh, 'package', name), join(fresh, name))
  rmSync(join(fresh, 'package'), { recursive: true })
  // 127 MB become 109.
  if (which('strip')) await run('strip', ['--strip-all', node], { quiet: true })
  else say('Node goes into the package with its symbols, 18 MB more: strip is not here (binutils)')
  rmSync(place, { recursive: true, force: true })
  renameSync(fresh, place)
}

/** Why there is no Node to pack here, after it was tried, or null. */
export async function whyNoNode(place = undefined) {
  try {
    await putNode(place)
    return null
  } catch (error) {
    if (error instanceof SetupError) return error.message
    throw error
  }
}
