// A file of many regions as QuPath writes them: outlines of a dozen points, side by side all over a slide.

/** Level-0 px. Every second one has a class, and none a name: titles are numbers among those that are alike. */
export function manyRegions(count: number, slide: { readonly widthPx: number; readonly heightPx: number }): string {
  const across = Math.ceil(Math.sqrt((count * slide.widthPx) / slide.heightPx))
  const side = slide.widthPx / across
  const features = Array.from({ length: count }, (_, n) => {
    const [x, y] = [((n % across) + 0.5) * side, (Math.floor(n / across) + 0.5) * side]
    const ring = Array.from({ length: 12 }, (_, i) => {
      const turn = (2 * Math.PI * i) / 12
      const radius = side * (0.3 + 0.1 * Math.sin(n + i))
      return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)].map((value) => Math.round(value * 100) / 100)
    })
    const classification = n % 2 === 0 ? { classification: { name: 'Tumor', color: [200, 0, 0] } } : {}
    return JSON.stringify({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
      properties: { objectType: 'annotation', ...classification },
    })
  })
  return `{"type":"FeatureCollection","features":[${features.join(',\n')}]}`
}
