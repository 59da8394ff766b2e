// The types of npm.mjs, for its test.
interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  [key: string]: unknown
}
export function engineName(platform?: string, arch?: string): string
export function manifests(own: object, platform?: string, arch?: string): [Manifest, Manifest]
export function makeNpmPackages(output: string): Promise<[string, string]>
