// Seeded variants of files as QuPath writes them: damaged, odd and hostile. The same number gives the same file.

/** From 0 to 1. */
export type Random = () => number
export function randomOf(seed: number): Random {
  let state = (seed * 2654435761 + 12345) >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const strange = [
  ...['NaN', 'Infinity', '-Infinity', '1e400', '-1e308', '9007199254740993', '1e-320', '-0', 'null', 'true', '""', '[]', '{}'],
  ...['"__proto__"', '{"__proto__":{"x":1}}', '[[[[]]]]', '"\\ud800"', '"\\u0000"', '7', '"名前"', '[null,null]'],
]

/** One file's text. `size`: how large its larger parts are. */
export function variant(seed: number, size = 1): string {
  const random = randomOf(seed)
  const whole = (most: number): number => Math.floor(random() * most)
  const pick = <T>(from: readonly T[]): T => from[whole(from.length)]!
  const odd = (plain: string): string => (random() < 0.04 ? pick(strange) : plain)
  const number = (): string => odd(String(random() < 0.5 ? whole(4000) : random() * 4000))
  const position = (): string => `[${number()},${number()}${random() < 0.02 ? ',0' : ''}]`
  const ring = (): string => {
    const points = Array.from({ length: whole(random() < 0.01 ? 200 * size : 12) }, position)
    return `[${[...points, ...(random() < 0.8 ? points.slice(0, 1) : [])].join(',')}]`
  }
  const part = (): string => `[${Array.from({ length: whole(4) }, ring).join(',')}]`
  const deep = (): string => {
    const depth = whole(20_000 * size)
    return '['.repeat(depth) + ']'.repeat(depth)
  }
  const name = (): string =>
    odd(JSON.stringify(pick(['Tumor', '級'.repeat(whole(300)), `級${whole(5000)}`, 'x'.repeat(whole(5000 * size)), '', 'a:b'])))
  const classification = (): string =>
    odd(
      pick([
        () => `{"name":${name()},"color":[${whole(300)},${whole(256)},${whole(256)}]}`,
        () => `{"names":[${name()},${name()}],"colorRGB":${-whole(1e7)}}`,
        name,
        () => '{"__proto__":{"name":"x"},"constructor":"y"}',
      ])(),
    )
  const geometry = (): string => {
    const type = pick(['Polygon', 'Polygon', 'MultiPolygon', 'MultiPolygon', 'Point', 'MultiPoint', 'LineString', 'Curve'])
    const coordinates =
      random() < 0.03
        ? deep()
        : type === 'Polygon'
          ? part()
          : type === 'MultiPolygon'
            ? `[${Array.from({ length: whole(4) }, part).join(',')}]`
            : type === 'Point'
              ? position()
              : ring()
    return odd(`{"type":"${type}","coordinates":${coordinates}${random() < 0.1 ? ',"isEllipse":true' : ''}}`)
  }
  const feature = (): string =>
    odd(
      `{"type":"Feature","id":${odd('"PathAnnotationObject"')},"geometry":${geometry()},"properties":${odd(
        `{"objectType":${odd('"annotation"')},"name":${name()},"classification":${classification()},"isLocked":${odd('false')},"measurements":{"a":${number()}}}`,
      )}}`,
    )
  const features = Array.from({ length: whole(random() < 0.005 ? 1000 * size : 12) }, feature).join(',')
  const text = pick([
    () => `{"type":"FeatureCollection","features":[${features}]}`,
    () => `{"type":"FeatureCollection","features":[${features}]}`,
    () => `[${features}]`,
    feature,
    () => `\ufeff{"type":"FeatureCollection","features":[${features}]}`,
  ])()
  const damage = random()
  if (damage < 0.05) return text.slice(0, whole(text.length))
  if (damage < 0.1) {
    const at = whole(text.length)
    return text.slice(0, at) + pick(['"', '{', ']', '\\', 'NaN', '\0', ',']) + text.slice(at + 1)
  }
  return text
}
