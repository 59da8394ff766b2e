// A folder as a shell lists it.
import { toldPath } from './paths'
import * as z from '../zod'

export const FileEntry = z.object({ name: z.string(), path: toldPath, directory: z.boolean(), sizeBytes: z.number() })
export type FileEntry = z.infer<typeof FileEntry>
