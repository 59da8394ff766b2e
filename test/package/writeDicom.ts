// A corner of the sample as a DICOM whole slide, for systems whose OpenSlide reads no DICOM: `writeDicom SAMPLE FILE`.
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { dicomOf } from '../main/slide/dicomWriter'

const side = 1024
const [sample, file] = process.argv.slice(2) as [string, string]
void sharp(sample, { page: 0 })
  .extract({ left: 600, top: 900, width: side, height: side })
  .removeAlpha()
  .raw()
  .toBuffer()
  .then((samples) => writeFileSync(file, dicomOf(samples, side, null)))
