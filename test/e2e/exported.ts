// Parses an export's five files and checks them against each other, as a program that takes them over would.
import { expect } from '@playwright/test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

interface Feature {
  type: string
  id: string
  geometry: { type: 'Polygon' | 'MultiPolygon'; coordinates: number[][][] | number[][][][] }
  properties: { objectType: string; name: string; measurements: Record<string, number> }
}

const json = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

function checkGeoJson(folder: string, objects: number): void {
  const collection = json(folder, 'objects.geojson') as { type: string; features: Feature[] }
  expect(collection.type).toBe('FeatureCollection')
  expect(collection.features).toHaveLength(objects)
  expect(new Set(collection.features.map(({ id }) => id)).size, 'ids are unique').toBe(objects)
  for (const { type, geometry, properties } of collection.features) {
    expect(type).toBe('Feature')
    expect(properties.objectType).toBe('detection')
    const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][]
    for (const ring of polygons.flat()) {
      expect(ring.length).toBeGreaterThanOrEqual(4)
      expect(ring[0], 'a ring is closed').toEqual(ring.at(-1))
    }
  }
}

function checkCsv(folder: string, objects: number): void {
  const [header, ...rows] = readFileSync(join(folder, 'objects.csv'), 'utf8').trimEnd().split(/\r?\n/)
  const columns = header!.replace(/^\uFEFF/, '').split(',')
  expect(columns).toContain('area_um2')
  expect(columns).toContain('hematoxylin_mean_od')
  expect(rows).toHaveLength(objects)
  const area = columns.indexOf('area_um2')
  rows.forEach((row, index) => {
    const cells = row.split(',')
    expect(cells).toHaveLength(columns.length)
    expect(cells[0]).toBe(String(index + 1))
    expect(Number(cells[area])).toBeGreaterThan(0)
  })
}

async function checkLabels(folder: string, objects: number): Promise<void> {
  const path = join(folder, 'labels.ome.tif')
  const { width, height, depth } = await sharp(path).metadata()
  expect(depth).toBe('uint')
  const raw = await sharp(path).extractChannel(0).raw({ depth: 'uint' }).toBuffer()
  const labels = new Uint32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4)
  expect(labels).toHaveLength(width * height)
  const found = new Set(labels)
  found.delete(0)
  // An object whose every pixel another one covers does not exist: the labels are as dense as the rows.
  expect(found.size).toBe(objects)
  expect(Math.max(...found)).toBe(objects)
}

export async function checkExport(folder: string): Promise<void> {
  expect(readdirSync(folder).sort()).toEqual(['labels.ome.tif', 'objects.csv', 'objects.geojson', 'overlay.png', 'run.json'])
  const run = json(folder, 'run.json') as {
    slide: { name: string; sha256: string; mppX: number }
    recipe: { params: Record<string, Record<string, unknown>> }
    counts: { objects: number; unreadableTiles: number }
    timings: { stage: string; device: string; ms: number }[]
  }
  expect(run.slide.name).toBe('CMU-1-Small-Region.svs')
  expect(run.slide.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(run.slide.mppX).toBeCloseTo(0.499, 3)
  expect(run.counts.unreadableTiles).toBe(0)
  expect(run.timings.length).toBeGreaterThan(0)
  expect(Object.keys(run.recipe.params).length).toBeGreaterThan(2)
  const { objects } = run.counts
  expect(objects).toBeGreaterThan(3)
  checkGeoJson(folder, objects)
  checkCsv(folder, objects)
  await checkLabels(folder, objects)
  const overlay = await sharp(join(folder, 'overlay.png')).metadata()
  expect(overlay.format).toBe('png')
  expect(overlay.width).toBeGreaterThan(100)
}

/** report.pdf stands alone, has pages, pictures and text, and calls the slide by no name of its file. */
export function checkPdf(folder: string, slideName: string): void {
  expect(readdirSync(folder)).toEqual(['report.pdf'])
  const text = readFileSync(join(folder, 'report.pdf'), 'latin1')
  expect(text.slice(0, 5)).toBe('%PDF-')
  expect(text.trimEnd().slice(-5)).toBe('%%EOF')
  expect(text.match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(1)
  expect(text).toMatch(/\/Subtype\s*\/Image/)
  expect(text).toMatch(/\/Type\s*\/Font\b/)
  expect(text).toMatch(/\/Title \(slide-[0-9a-f]{16}: H&E nuclei\)/)
  expect(text).not.toContain(slideName)
}
