// A large slide from a small picture: mirrored copies side by side, as a tiled JPEG pyramid that OpenSlide reads.
//   node test/bench/make_slide.mjs PICTURE OUT.tif SIDE     SIDE: px, a multiple of twice the picture's sides
import sharp from 'sharp'

const [picture, out, text] = process.argv.slice(2)
const side = Number(text)
if (!picture || !out || !Number.isInteger(side)) throw new Error('expected PICTURE OUT.tif SIDE')
const { width, height } = await sharp(picture).metadata()
if (side % (2 * width) !== 0 || side % (2 * height) !== 0) {
  throw new Error(`expected a multiple of ${2 * width} and ${2 * height} for SIDE but received ${side}`)
}
sharp.cache(false)
const plain = { limitInputPixels: false }
// Four mirrored copies fit together with themselves on all sides.
const four = await sharp(picture)
  .removeAlpha()
  .extend({ right: width, bottom: height, extendWith: 'mirror' })
  .png({ compressionLevel: 1 })
  .toBuffer()
await sharp(four, plain)
  .extend({ right: side - 2 * width, bottom: side - 2 * height, extendWith: 'repeat' })
  .tiff({ tile: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg', quality: 85, pyramid: true, bigtiff: true })
  .toFile(out)
