// Single operations by name, for shells that reach them through the engine: what `morphoscope op` lists, reads, runs and writes.
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
export { compare, compareByClass } from './evaluate/compare'
export type { Comparison, ObjectFate, Scores, TruthFate } from './evaluate/compare'
export { pictureOf } from './evaluate/picture'
export { patternSearch } from './evaluate/search'
export type { Axis, Point, SearchResult, SearchState } from './evaluate/search'
export { TrialFile } from './evaluate/trials'
export type { Trial } from './evaluate/trials'
