// The types of sbom.mjs, for its test.
import type { Collected } from './notices.mjs'
export function billOfMaterials(collected: Pick<Collected, 'program' | 'components'>): string
