// What shells reach through the engine without a call: single operations by name, images in files, and what is compared and scored.
export { callOp, callRegion, createCancelToken, gpus, ops, regionOps } from '../native/index'
export type {
  OpImage,
  OpInfo,
  OpParam,
  OpResult,
  OpSlot,
  Params as OpParams,
  PixelType,
  RegionResult,
  RegionVisit,
} from '../native/index'
export { asRegionImage, openByParts, packedPx, writeByParts } from './imageFiles/byParts'
export type { PartedImage } from './imageFiles/byParts'
export type { Scratch } from './imageFiles/unpack'
export { asOneOf, commonType, imageFormat, readImageFile, toOpImage, writeImageFiles } from './imageFiles/index'
export type { FileImage } from './imageFiles/index'
export { openRows } from './imageFiles/rows'
export type { ImageRows } from './imageFiles/rows'
export { isShownBelow, realPathBelow } from './base/reach'
export { namelessRun } from './run/runNames'
export { writeTextFile } from './export/singleFile'
export { comparedObjectsCsv, compareExported, requireComparableRecords } from './compare/exportedRuns'
export type { ExportedComparison, StageTime } from './compare/exportedRuns'
export { labelsOf, readRunRecord } from './compare/runRecord'
export type { RunRecord } from './compare/runRecord'
export { compare, compareByClass } from './evaluate/compare'
export type { Comparison, ObjectFate, Scores, TruthFate } from './evaluate/compare'
export { pictureOf } from './evaluate/picture'
export { maxSteps as maxSearchSteps, patternSearch, stepsBetween } from './evaluate/search'
export type { Axis, Point, SearchResult, SearchState } from './evaluate/search'
export { TrialFile } from './evaluate/trials'
export type { Trial } from './evaluate/trials'
