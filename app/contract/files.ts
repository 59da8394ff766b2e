// A folder as a shell lists it.
import * as z from './zod'

export const FileEntry = z.object({ name: z.string(), path: z.string(), directory: z.boolean(), sizeBytes: z.number() })
export type FileEntry = z.infer<typeof FileEntry>
