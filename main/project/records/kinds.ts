// The kinds of record of a project: regions, slides, kept runs, classes. What each can be is said by its validator in app/contract/records.
import {
  DocumentSlide,
  KeptRun,
  mostClasses,
  mostRegions,
  mostRuns,
  mostSlides,
  RegionClass,
  RegionOfInterest,
  RegionPlace,
} from '../../../app/contract'
import { weightOf } from '../../base/jsonWeight'
import type { Placed } from '../document'
import { checked, mostRecordBytes as mostBytes, recordOf, textOf } from './check'
import type { Kind } from './kind'

/** Of all records of one kind. */
const mostWeight = 320 * 2 ** 20
const weight = ({ body }: { body: string }): number => weightOf(body)

const regionColumns = { id: 'text', slide: 'text', place: 'number', body: 'text' } as const
export const regions: Kind<Placed, typeof regionColumns> = {
  table: 'regions',
  columns: regionColumns,
  key: 'id',
  most: mostRegions,
  ...{ mostBytes, mostWeight, weight },
  tooHeavy: 'its regions have too many points together',
  words: ({ region: { name } }) => (name === '' ? 'the region' : `“${name}”`),
  row: ({ region, place }) => {
    const { id, slide } = region
    return { id, slide, place: placeOf(place), body: textOf(RegionOfInterest, region) }
  },
  record: ({ id, slide, place, body }) => {
    const region = recordOf(RegionOfInterest, body)
    if (region.id !== id) throw new Error(`is another region, ${region.id}`)
    if (region.slide !== slide) throw new Error('is of two slides')
    return { region, place: placeOf(place) }
  },
}

function placeOf(place: number): number {
  try {
    return checked(RegionPlace, place)
  } catch (error) {
    throw new Error(`place${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}

const slideColumns = { key: 'text', body: 'text' } as const
export const slides: Kind<DocumentSlide, typeof slideColumns> = {
  table: 'slides',
  columns: slideColumns,
  key: 'key',
  most: mostSlides,
  ...{ mostBytes, mostWeight, weight },
  tooHeavy: 'its slides have too much text together',
  words: ({ name }) => name,
  row: (slide) => ({ key: slide.key, body: textOf(DocumentSlide, slide) }),
  record: ({ key, body }) => {
    const slide = recordOf(DocumentSlide, body)
    if (slide.key !== key) throw new Error(`is another slide, ${slide.key}`)
    return slide
  },
}

const runColumns = { id: 'text', slide: 'text', body: 'text' } as const
export const runs: Kind<KeptRun, typeof runColumns> = {
  table: 'runs',
  columns: runColumns,
  key: 'id',
  most: mostRuns,
  ...{ mostBytes, mostWeight, weight },
  tooHeavy: 'its results have too many regions together',
  words: ({ name }) => name,
  row: (run) => ({ id: run.id, slide: run.slide, body: textOf(KeptRun, run) }),
  record: ({ id, body }) => {
    const run = recordOf(KeptRun, body)
    if (run.id !== id) throw new Error(`is another run, ${run.id}`)
    return run
  },
}

/** A class, and its place in their order. */
export interface ClassAt {
  readonly place: number
  readonly each: RegionClass
}
const classColumns = { place: 'number', body: 'text' } as const
export const classes: Kind<ClassAt, typeof classColumns> = {
  table: 'classes',
  columns: classColumns,
  key: 'place',
  most: mostClasses,
  ...{ mostBytes, mostWeight, weight },
  tooHeavy: 'its classes have too much text together',
  words: ({ each }) => `the class ${each.name}`,
  row: ({ place, each }) => ({ place, body: textOf(RegionClass, each) }),
  record: ({ place, body }) => ({ place, each: recordOf(RegionClass, body) }),
}
