// sharp, loaded at its first use: loading it takes as long as all the rest of a short command.
import { createRequire } from 'node:module'
import type Sharp from 'sharp'

let library: typeof Sharp | undefined

/** Throws what its loading throws. */
export function sharp(): typeof Sharp {
  return (library ??= load())
}

function load(): typeof Sharp {
  const loaded = createRequire(import.meta.url)('sharp') as typeof Sharp
  // Nothing is decoded twice, so a cache of decoders' results would only hold memory and files.
  loaded.cache(false)
  return loaded
}
