// The types of npm.mjs, for its test.
interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  [key: string]: unknown
}
export function engineName(system?: string): string
export function manifests(own: object, systems?: readonly string[]): [Manifest, ...Manifest[]]
export function makeNpmPackages(output: string, systems?: readonly string[]): Promise<string[]>
