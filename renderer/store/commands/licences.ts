// The licences of all that is bundled, asked for when somebody wants to read them.
import { Licences, licencesFile, type LicensedPart } from '../../../app/contract'
import { ownFile } from '../../api'
import { words } from '../../words'

let asked: Promise<Licences> | null = null

/** Asked for once; what failed is asked for again. */
export function licences(): Promise<Licences> {
  asked ??= ownFile(licencesFile).then((value) => Licences.parse(value))
  asked.catch(() => (asked = null))
  return asked
}

const licenceName = (license: string | null): string => license?.replaceAll('LicenseRef-', '') ?? words.licences.notStated

/** "MIT · the window, the engine". */
export const partLine = ({ license, within }: LicensedPart): string => `${licenceName(license)} · ${within.join(', ')}`
