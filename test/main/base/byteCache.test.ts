// The byte-bounded cache: what is forgotten first, and that nothing is computed twice at once.
import { describe, expect, it } from 'vitest'
import { ByteCache } from '../../../main/base/byteCache'

const cacheOf = (budget: number): ByteCache<string> => new ByteCache<string>(budget, (text) => text.length)

describe('ByteCache', () => {
  it('forgets what was used longest ago', () => {
    const cache = cacheOf(6)
    cache.set('a', 'aa')
    cache.set('b', 'bb')
    cache.set('c', 'cc')
    cache.get('a')
    cache.set('d', 'dd')
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.get('d')]).toEqual(['aa', undefined, 'cc', 'dd'])
    expect(cache.bytes).toBe(6)
    cache.setBudget(2)
    expect(cache.bytes).toBe(2)
    expect([cache.get('c'), cache.get('d')]).toEqual([undefined, 'dd'])
    cache.setBudget(4)
    cache.set('e', 'ee')
    expect([cache.get('d'), cache.get('e')]).toEqual(['dd', 'ee'])
  })

  it('does not take what is larger than the budget', () => {
    const cache = cacheOf(3)
    cache.set('a', 'aa')
    cache.set('big', 'xxxx')
    expect(cache.get('big')).toBeUndefined()
    expect(cache.get('a')).toBe('aa')
    cache.set('a', 'xxxx')
    expect(cache.get('a')).toBeUndefined()
    const never = new ByteCache<string>(3, () => Infinity)
    never.set('a', 'a')
    expect([never.get('a'), never.bytes]).toEqual([undefined, 0])
  })

  it('computes once for many, and again after a failure', async () => {
    const cache = cacheOf(99)
    let times = 0
    const compute = async (): Promise<string> => {
      times += 1
      if (times === 1) throw new Error('first')
      return 'v'
    }
    const both = await Promise.allSettled([cache.getOrCompute('k', compute), cache.getOrCompute('k', compute)])
    expect(both.map((r) => r.status)).toEqual(['rejected', 'rejected'])
    expect(times).toBe(1)
    expect(await cache.getOrCompute('k', compute)).toBe('v')
    expect(await cache.getOrCompute('k', compute)).toBe('v')
    expect(times).toBe(2)
  })

  it('does not keep what was dropped while it was computed', async () => {
    const cache = cacheOf(99)
    const promise = cache.getOrCompute('s1/x', async () => 'v')
    cache.deletePrefix('s1/')
    expect(await promise).toBe('v')
    expect(cache.get('s1/x')).toBeUndefined()
  })
})
