// Writes a large GeoJSON file as QuPath writes detections, for measuring how imports fare: outlines around the places of a grid, all of them different.
//   node test/main/project/importing/manyFeatures.mjs OUT.geojson COUNT SIDE [POINTS] [cells]     SIDE: px of the slide
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const [out, countText, sideText, pointsText = '32', kind] = process.argv.slice(2)
const [count, side, points] = [Number(countText), Number(sideText), Number(pointsText)]
if (!out || ![count, side, points].every((each) => Number.isInteger(each) && each > 2))
  throw new Error('expected OUT.geojson COUNT SIDE [POINTS] [cells]')
const columns = Math.ceil(Math.sqrt(count))
const pitch = side / columns

/** Between 0 and 1, the same for the same number. */
const noise = (n) => {
  const wave = Math.sin(n * 12.9898) * 43758.5453
  return wave - Math.floor(wave)
}
const id = (n) => {
  const hex = (n * 2654435761).toString(16).padStart(16, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(1, 4)}-8${hex.slice(5, 8)}-${n.toString(16).padStart(12, '0')}`
}
function ring(n, radius) {
  const [cx, cy] = [((n % columns) + 0.5) * pitch, (Math.floor(n / columns) + 0.5) * pitch]
  const positions = []
  for (let i = 0; i < points; i++) {
    const angle = (2 * Math.PI * i) / points
    const r = radius * (0.85 + 0.15 * noise(n * points + i))
    positions.push(`[${(cx + r * Math.cos(angle)).toFixed(2)}, ${(cy + r * Math.sin(angle)).toFixed(2)}]`)
  }
  return `{"type":"Polygon","coordinates":[[${[...positions, positions[0]].join(', ')}]]}`
}
const feature = (n) => {
  const nucleus = kind === 'cells' ? `"nucleusGeometry":${ring(n, pitch * 0.25)},` : ''
  const radius = pitch * (0.25 + 0.2 * noise(n))
  const named = n % 3 === 0 ? ',"classification":{"name":"Tumor","color":[200,0,0]}' : ''
  return `{"type":"Feature","id":"${id(n)}","geometry":${ring(n, radius)},${nucleus}"properties":{"objectType":"${kind === 'cells' ? 'cell' : 'detection'}","isLocked":false${named},"measurements":{"Area µm^2":${(40 + 10 * noise(n)).toFixed(4)}}}}`
}

const file = createWriteStream(out, { highWaterMark: 2 ** 22 })
file.write('{"type":"FeatureCollection","features":[\n')
for (let n = 0, text = ''; n < count; n++) {
  text += `${n > 0 ? ',\n' : ''}${feature(n)}`
  if (text.length < 2 ** 20 && n < count - 1) continue
  if (!file.write(text)) await once(file, 'drain')
  text = ''
}
file.end('\n]}\n')
await once(file, 'finish')
