// Single operations by name, for shells that reach them through the engine: what `morphoscope op` lists and runs.
export { callOp, ops } from '../native/index'
export type { OpImage, OpInfo, OpParam, OpResult, OpSlot, Params as OpParams, PixelType } from '../native/index'
