// Makes room in Node's thread pool: native windows take a thread each, and tiles for the viewer must not wait behind them.
import { availableParallelism } from 'node:os'

/** Threads that are left for reading tiles, encoding and files while every worker is busy. */
const spare = 4

// The pool reads this once, at its first use: best set by the shell before the process starts, and here where it did not.
process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(1024, availableParallelism() + spare))
