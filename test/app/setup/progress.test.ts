// A long step says that it goes on: what it is, how far, how long it takes.
import { describe, expect, it, vi } from 'vitest'
import { duration, fractionOf, leftMs, lineOf, working, writeProgressTo } from '../../../app/setup/progress.mjs'

const second = 1000
const minute = 60 * second

describe('how far a build is', () => {
  it('is read from what Ninja and make print', () => {
    expect(fractionOf('[12/340] Building CXX object a.o\n[13/340] Building CXX object b.o\n')).toEqual({
      done: 13,
      all: 340,
      label: '[13/340]',
    })
    expect(fractionOf('[  4%] Building CXX object a.o\n[ 52%] Linking CXX b\n')).toEqual({ done: 52, all: 100, label: '52%' })
    expect(fractionOf('-- Found Threads: TRUE\nint a[3/1];\n')).toBeNull()
  })
  it('tells what is left once a tenth is done', () => {
    expect(leftMs(minute, { done: 9, all: 100 })).toBeNull()
    expect(leftMs(minute, { done: 25, all: 100 })).toBe(3 * minute)
    expect(leftMs(minute, { done: 100, all: 100 })).toBe(0)
  })
})

describe('its line', () => {
  const step = { name: 'building the native engine', usual: '2 to 12 min the first time', begun: 0, fraction: null }
  it('says how long it usually takes, then how long it will', () => {
    expect(lineOf(step, 42 * second)).toBe('building the native engine 42 s (usually 2 to 12 min the first time)')
    const half = { ...step, fraction: { done: 60, all: 120, label: '[60/120]' } }
    expect(lineOf(half, 84 * second)).toBe('building the native engine [60/120] 1 min 24 s (about 1 min 30 s left)')
    // GPU code comes last and takes the longest: a guess from the files before it would be far too short.
    expect(lineOf({ ...half, even: false }, 84 * second)).toBe(
      'building the native engine [60/120] 1 min 24 s (usually 2 to 12 min the first time)',
    )
    expect(duration(59.6 * second)).toBe('1 min 0 s')
  })
})

describe('what is written', () => {
  const watch = (isTTY: boolean) => {
    vi.useFakeTimers()
    const texts: string[] = []
    writeProgressTo({ write: (text) => void texts.push(text), isTTY, columns: 100 })
    return texts
  }
  const done = () => {
    writeProgressTo(process.stdout)
    vi.useRealTimers()
  }
  it('in a log is one line soon and then one each half minute, none of a step that is quick', () => {
    const texts = watch(false)
    try {
      working('quick', 'a moment').end()
      const work = working('npm packages', '1 to 3 min')
      vi.advanceTimersByTime(2 * second)
      expect(texts).toEqual([])
      vi.advanceTimersByTime(second)
      expect(texts).toEqual(['[morphoscope] npm packages 3 s (usually 1 to 3 min)\n'])
      vi.advanceTimersByTime(minute)
      expect(texts).toHaveLength(3)
      work.end()
      vi.advanceTimersByTime(10 * minute)
      expect(texts).toHaveLength(3)
    } finally {
      done()
    }
  })
  it('on a terminal is one line that is written anew and taken away, for all steps that go on', () => {
    const texts = watch(true)
    try {
      const [first, second_] = [working('end-to-end journeys'), working('building the tests')]
      second_.hear('[3/40] Building CXX object a.o\n')
      vi.advanceTimersByTime(second)
      expect(texts.at(-1)).toBe('\r[morphoscope] end-to-end journeys 1 s · building the tests [3/40] 1 s\u001b[K')
      second_.end()
      first.end()
      expect(texts.at(-1)).toBe('\r\u001b[K')
      expect(texts.join('')).not.toContain('\n')
    } finally {
      done()
    }
  })
})
