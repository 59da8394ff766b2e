// The size of Node's thread pool in a process that runs the engine: native windows take a thread each, and tiles must not wait behind them.
import { availableParallelism } from 'node:os'

/** Threads that are left for reading tiles, encoding and files while every core computes a window. */
const spare = 4
/** What libuv takes at most. */
const most = 1024

/** `cores`: windows that may be computed at once. */
export const threadPoolSize = (cores: number): number => Math.min(most, cores + spare)

/**
 * For the environment with which the engine's process starts, where the user has set nothing there. Too late inside a process that
 * was started with an ES module: Node has used the pool to load it. morphoscope.cjs is the one entry that sets it for itself.
 */
export const threadPool = { UV_THREADPOOL_SIZE: String(threadPoolSize(availableParallelism())) }
