// Files that the bundler understands and the compiler does not.
declare module '*.css'

interface ImportMeta {
  /** Addresses of files of the bundle, by their paths. */
  glob(pattern: string, options: { eager: true; query: '?url'; import: 'default' }): Record<string, string>
  /** What files of JSON hold, by their paths. */
  glob(pattern: string, options: { eager: true; import: 'default' }): Record<string, unknown>
}
