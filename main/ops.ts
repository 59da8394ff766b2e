// Single operations by name, for shells that reach them through the engine: what `morphoscope op` lists, reads, runs and writes.
export { callOp, ops } from '../native/index'
export type { OpImage, OpInfo, OpParam, OpResult, OpSlot, Params as OpParams, PixelType } from '../native/index'
export { asOneOf, commonType, imageFormat, readImageFile, toOpImage, writeImageFiles } from './imageFiles/index'
export type { FileImage } from './imageFiles/index'
