// `morphoscope licences [NAME]`: what the program is made of, and under which licences.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Licences, licencesFile, licenceText, partsWith } from '../contract'
import { CliError, ExitCode } from './exitCodes'
import { installation } from './installation'
import { table } from './terminal'
import type { Terminal } from './terminal'

export interface LicencesOptions {
  all?: boolean | undefined
  json?: boolean | undefined
  sbom?: boolean | undefined
}

function builtFile(path: string): string {
  if (!existsSync(path))
    throw new CliError(
      ExitCode.notThere,
      'The licences are not there. Install Morphoscope again, or run "npm run build" if you built it yourself.',
    )
  return readFileSync(path, 'utf8')
}

const rule = '='.repeat(72)

export function showLicences(terminal: Terminal, name: string | undefined, { all, json, sbom }: LicencesOptions): void {
  const { rendererDir } = installation()
  if (sbom) return terminal.print(builtFile(join(dirname(rendererDir), 'sbom.cdx.json')))
  const file = builtFile(join(rendererDir, licencesFile))
  if (json) return terminal.print(file)
  const licences = Licences.parse(JSON.parse(file))
  const { program } = licences
  const parts = name === undefined ? licences.components : partsWith(licences, name)
  if (parts.length === 0)
    throw new CliError(
      ExitCode.noInput,
      `No bundled part is called ${name}. Without a name, this command lists all ${licences.components.length}.`,
    )
  if (all || name !== undefined) {
    const own = name === undefined ? [program] : []
    const texts = [...own, ...parts].map((part) =>
      [
        rule,
        `${part.name} ${part.version}`.trim(),
        part.license ?? 'licence not stated',
        rule,
        '',
        licenceText(licences, part),
      ].join('\n'),
    )
    return terminal.print(texts.join('\n\n'))
  }
  terminal.print(`Morphoscope ${program.version} (${program.license}) contains these parts that others made:\n`)
  terminal.print(table(parts.map((part) => [part.name, part.version, part.license ?? '', part.within.join(', ')])))
  terminal.note('The text of a licence: morphoscope licences NAME; all texts: --all; a bill of materials (CycloneDX): --sbom.')
}
