// Keys and command names.
import { describe, expect, it } from 'vitest'
import { commandNamed, commands } from '../../renderer/store/commands'
import { commandOf } from '../../renderer/store/keys'
import { Debounced } from '../../renderer/store/preview'

const key = (name: string, part: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) => ({
  key: name,
  ctrl: false,
  shift: false,
  alt: false,
  ...part,
})

describe('keys', () => {
  it('means the documented commands', () => {
    const pairs = [
      ['f', 'fit'],
      ['Home', 'fit'],
      ['1', 'actualSize'],
      ['+', 'zoomIn'],
      ['-', 'zoomOut'],
      ['ArrowLeft', 'panLeft'],
      ['r', 'rotateRight'],
      ['o', 'overlay'],
      ['Escape', 'cancel'],
      [' ', 'segmentVisible'],
      ['Enter', 'segmentVisible'],
      ['c', 'segmentCenter'],
      ['g', 'device'],
      ['?', 'help'],
    ] as const
    for (const [name, command] of pairs) expect(commandOf(key(name), 'page')).toBe(command)
    expect(commandOf(key('R', { shift: true }), 'page')).toBe('rotateLeft')
    expect(commandOf(key('o', { ctrl: true }), 'page')).toBe('open')
    expect(commandOf(key('e', { ctrl: true }), 'text')).toBe('export')
    expect(commandOf(key('z', { ctrl: true }), 'page')).toBe('undo')
    expect(commandOf(key('Z', { ctrl: true, shift: true }), 'page')).toBe('redo')
  })
  it('leaves typing alone, and Space, Enter and arrows to controls', () => {
    expect(commandOf(key('f'), 'text')).toBeNull()
    expect(commandOf(key('z', { ctrl: true }), 'text')).toBeNull()
    for (const name of [' ', 'Enter', 'ArrowUp', 'Home']) expect(commandOf(key(name), 'control')).toBeNull()
    expect(commandOf(key('f'), 'control')).toBe('fit')
    expect(commandOf(key('f', { alt: true }), 'page')).toBeNull()
  })
  it('shows every key once', () => {
    const all = Object.values(commands).flatMap((command) => [...command.keys] as string[])
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('command names', () => {
  it('finds a menu’s way of writing', () => {
    expect(commandNamed('segmentVisible')).toBe('segmentVisible')
    expect(commandNamed('segment-visible')).toBe('segmentVisible')
    expect(commandNamed('view:zoom-in')).toBe('zoomIn')
    expect(commandNamed('no-such-thing')).toBeNull()
  })
})

describe('debounce', () => {
  it('waits for a pause, but never longer than asked', async () => {
    let fired = 0
    const debounced = new Debounced(() => fired++)
    for (let i = 0; i < 8; i++) {
      debounced.soon(40, 100)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(fired).toBeGreaterThanOrEqual(1)
    debounced.fire()
    const now = fired
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(fired).toBe(now)
    expect(debounced.waiting).toBe(false)
  })

  it('answers the first change of a burst at once, and the rest together', async () => {
    let fired = 0
    const debounced = new Debounced(() => fired++)
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    debounced.eager(200)
    await wait(80)
    expect(fired).toBe(1)
    for (let i = 0; i < 3; i++) debounced.eager(200)
    await wait(80)
    expect(fired).toBe(1)
    await wait(300)
    expect(fired).toBe(2)
  })
})
