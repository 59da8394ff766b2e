// The size of the pool that engines start with: all cores and four more, within libuv's bounds.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { threadPool, threadPoolSize } from '../../../app/host/threadPool'

it('has a thread for every core and four more, and never more than libuv takes', () => {
  expect([1, 16, 1020, 1021, 4096].map(threadPoolSize)).toEqual([5, 20, 1024, 1024, 1024])
  expect(threadPool).toEqual({ UV_THREADPOOL_SIZE: String(threadPoolSize(availableParallelism())) })
})
