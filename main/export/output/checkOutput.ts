// Whether an export would be refused, asked before there is anything to export.
import { resolve } from 'node:path'
import type { ExportRequest } from '../../../app/contract'
import { SlideIdentity } from '../../slide/identity'
import { checkLaser } from '../laser/marks'
import { outputDirectory } from './folder'
import { OutputSet } from './outputSet'
import { checkTargets } from './targets'

/** For whoever computes for hours before there is anything to write: throws at once what the export would refuse at the end. */
export async function checkOutput(
  slidePath: string,
  request: Pick<ExportRequest, 'directory' | 'files' | 'overwrite' | 'ownFolder' | 'laser'>,
): Promise<void> {
  checkLaser(request.files, request.laser)
  const set = await OutputSet.in(outputDirectory(request.directory))
  // What a killed program had left there is put right, and what was made for the question goes again.
  await set.discard()
  if (request.ownFolder) return
  const identity = await SlideIdentity.of(resolve(slidePath)).catch(() => null)
  const isSource = async (path: string): Promise<boolean> => identity?.includes(path) ?? false
  await checkTargets({ directory: set.directory, files: request.files, overwrite: request.overwrite ?? false, isSource })
}
