// The types of nodeInside.mjs, for its test.
export const nodeVersion: string
export const nodePackage: string
export function checkTarball(bytes: Uint8Array, wanted: string, path: string): void
export function putNode(place?: string, arch?: string): Promise<void>
export function whyNoNode(place?: string): Promise<string | null>
