// The types of electron.mjs, for the end-to-end tests and the bench.
export function findElectron(options?: {
  download?: boolean
}): Promise<{ path: string; version: string; reason?: undefined } | { path?: undefined; version?: undefined; reason: string }>
export function otherElectron(electron: { version?: string | undefined }): string | null
export function noDisplayReason(): string | null
export function displayPrefix(): string[] | null
export function sandboxArgs(electronPath: string): { args: string[]; reason?: undefined } | { args?: undefined; reason: string }
export const howToGetElectron: string
