// The types of write-file-atomic that the engine uses; the package ships none.
declare module 'write-file-atomic' {
  interface Options {
    mode?: number | false
    fsync?: boolean
  }
  export default function writeFileAtomic(filename: string, data: string | Uint8Array, options?: Options): Promise<void>
}
