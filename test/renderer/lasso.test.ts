// What loops drawn one after the other select.
import { expect, it } from 'vitest'
import { withLoop } from '../../renderer/store/slices/projectSlice'
import type { Lasso } from '../../renderer/store/slices/projectSlice'

const loop = (x: number): Lasso['shape'] => ({
  kind: 'polygon',
  parts: [
    [
      [
        [x, 0],
        [x + 9, 0],
        [x, 9],
      ],
    ],
  ],
})

it('starts anew without the key for more, and with another run; with it adds, and has to be counted again', () => {
  const first = withLoop(null, 'a', loop(0), true)
  expect(first).toEqual({ runId: 'a', shape: loop(0), objects: null })
  const counted = { ...first, objects: 4 }
  expect(withLoop(counted, 'a', loop(20), true)).toEqual({
    runId: 'a',
    shape: { kind: 'polygon', parts: [...loop(0).parts, ...loop(20).parts] },
    objects: null,
  })
  expect(withLoop(counted, 'a', loop(20), false).shape).toEqual(loop(20))
  expect(withLoop(counted, 'b', loop(20), true)).toEqual({ runId: 'b', shape: loop(20), objects: null })
})
