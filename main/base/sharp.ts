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

/** For libvips a tile or strip of a TIFF that cannot be unpacked is but a warning, and its pixels are 0. A PNG's warnings harm no pixel. */
export const failsOn = (path: string): 'warning' | 'error' => (/\.tiff?$/i.test(path) ? 'warning' : 'error')
