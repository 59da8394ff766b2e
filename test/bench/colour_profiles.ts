// What a scanner's profile changes in what is found: H&E tiles as two made scanners would have written them, by their samples and converted.
//   npx esbuild test/bench/colour_profiles.ts --bundle --platform=node --format=esm --packages=external --outfile=colour_profiles.mjs
//   node colour_profiles.mjs ../shared/data/tiles FOLDER
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { iccOf, scanners } from '../scannerProfiles'

const [tiles = '', out = ''] = process.argv.slice(2)
const names = readdirSync(tiles).filter((name) => /^(monuseg|cryonuseg|deepliif)_.*_inst\.png$/.test(name))
for (const folder of ['as they are', ...scanners.flatMap(({ name }) => [`${name}, own`, `${name}, converted`])])
  mkdirSync(join(out, folder), { recursive: true })
for (const truth of names) {
  const tile = truth.replace('_inst', '')
  const put = async (folder: string, picture: Sharp): Promise<void> => {
    await picture.png().toFile(join(out, folder, tile))
    for (const beside of [truth, truth.replace('_inst', '_class')])
      if (existsSync(join(tiles, beside))) copyFileSync(join(tiles, beside), join(out, folder, beside))
  }
  await put('as they are', sharp(join(tiles, tile), { ignoreIcc: true }).removeAlpha())
  for (const scanner of scanners) {
    const icc = join(out, `${scanner.name}.icc`)
    writeFileSync(icc, iccOf(scanner))
    // The numbers that it would have written for these colours, with its profile beside them.
    const written = await sharp(join(tiles, tile), { ignoreIcc: true }).removeAlpha().withIccProfile(icc).png().toBuffer()
    await put(`${scanner.name}, own`, sharp(written, { ignoreIcc: true }))
    await put(`${scanner.name}, converted`, sharp(written))
  }
}
