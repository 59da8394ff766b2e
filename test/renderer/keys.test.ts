// Keys, command names, and that all who show or use them agree.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chordsOf, commands, keySets, type Command, type KeySet } from '../../app/commands'
import { Settings } from '../../app/contract'
import { loadPageItem, menuTemplate } from '../../app/desktop/menuTemplate'
import { cheatSheet, commandNamed, shownKey, tip } from '../../renderer/store/base/commandKeys'
import { bindingsOf, commandOf as commandIn, type Focus } from '../../renderer/store/commands/keys'
import { matching } from '../../renderer/store/commands/palette'
import { paletteRows } from '../../renderer/store/commands/paletteRows'
import { patch } from '../../renderer/store/store'
import { Debounced } from '../../renderer/store/runs/preview'

/** What the browser tells of a key cap that was pressed. */
const key = (name: string, part: { ctrl?: boolean; shift?: boolean; alt?: boolean } = {}) => {
  const held = new Set([...(part.ctrl ? ['Control'] : []), ...(part.shift ? ['Shift'] : []), ...(part.alt ? ['Alt'] : [])])
  return {
    key: name,
    code: name === ' ' ? 'Space' : /^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : name.length === 1 ? '' : name,
    getModifierState: (modifier: string) => held.has(modifier),
  }
}
/** The press that a chord of the table describes. */
const pressOf = (chord: string) => {
  const parts = chord.split(/\b\+/)
  const name = parts.at(-1)!
  return key(name === 'Space' ? ' ' : name, { ctrl: parts.includes('$mod'), shift: parts.includes('Shift') })
}
const all = Object.keys(commands) as Command[]
const sets = Object.keys(keySets) as KeySet[]
const commandOf = (press: ReturnType<typeof key>, focus: Focus, set: KeySet = 'morphoscope') => commandIn(press, focus, set)

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
      ['Enter', 'finish'],
      ['Delete', 'deleteRegions'],
      ['Backspace', 'deleteRegions'],
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
    expect(commandOf(key('y', { ctrl: true }), 'page')).toBe('redo')
  })
  it('does not mind where a keyboard has a character, with Shift or without, nor Caps Lock', () => {
    for (const name of ['?', '+', '=', '_', '[']) {
      expect(commandOf(key(name, { shift: true }), 'page')).toBe(commandOf(key(name), 'page'))
      expect(commandOf(key(name), 'page')).not.toBeNull()
    }
    expect(commandOf(key('E'), 'page')).toBe('drawEllipse')
    expect(commandOf(key('E', { shift: true }), 'page')).toBe('drawEllipse')
    expect(commandOf(key('O', { ctrl: true }), 'page')).toBe('open')
  })
  it('leaves typing alone, and Space, Enter and arrows to controls', () => {
    expect(commandOf(key('f'), 'text')).toBeNull()
    expect(commandOf(key('z', { ctrl: true }), 'text')).toBeNull()
    for (const name of [' ', 'Enter', 'ArrowUp', 'Home']) expect(commandOf(key(name), 'control')).toBeNull()
    expect(commandOf(key('f'), 'control')).toBe('fit')
    // Delete means nothing to a control, but for rows that take it; a slider moves by arrows, and needs no other key.
    for (const name of ['Delete', 'Backspace']) {
      for (const focus of ['page', 'control', 'slider', 'clicked'] as const)
        expect(commandOf(key(name), focus)).toBe('deleteRegions')
      for (const focus of ['text', 'number', 'row', 'clickedRow'] as const) expect(commandOf(key(name), focus)).toBeNull()
    }
    for (const focus of ['page', 'slider', 'clicked', 'clickedRow', 'number'] as const)
      expect(commandOf(key(' '), focus), focus).toBe('segmentVisible')
    for (const focus of ['text', 'control', 'row'] as const) expect(commandOf(key(' '), focus), focus).toBeNull()
    for (const focus of ['slider', 'clicked', 'clickedRow'] as const)
      for (const name of ['ArrowLeft', 'Home']) expect(commandOf(key(name), focus), focus).toBeNull()
    expect(commandOf(key('1'), 'number')).toBeNull()
    expect(commandOf(key('f', { alt: true }), 'page')).toBeNull()
    expect(commandOf(key('f', { ctrl: true }), 'page')).toBeNull()
    expect(commandOf(key('0'), 'page')).toBeNull()
  })
})

describe('the table of commands', () => {
  it.each(sets)('binds no key of %s’s twice', (set) => {
    const chords = bindingsOf(set).map(({ chord }) => chord.toLowerCase())
    expect(chords.filter((chord, at) => chords.indexOf(chord) !== at)).toEqual([])
    const ofMenu = all.flatMap((command) => commands[command].menuKey ?? []).map((chord) => chord.toLowerCase())
    expect(new Set(ofMenu).size).toBe(ofMenu.length)
    expect(ofMenu.filter((chord) => chords.includes(chord))).toEqual([])
  })
  it.each(sets)('is what %s’s keys do, in every place where the key is not somebody else’s', (set) => {
    for (const command of all) {
      const { otherKeys, whileTyping } = commands[command]
      for (const chord of [...chordsOf(command, set), ...(otherKeys ?? [])]) {
        expect(commandOf(pressOf(chord), 'page', set), chord).toBe(command)
        expect(commandOf(pressOf(chord), 'text', set), chord).toBe(whileTyping ? command : null)
        // Enter ends what is drawn; no key but that of its own starts a run.
        if (chord === 'Enter') expect(command).toBe('finish')
      }
    }
  })
  it('has QuPath’s keys for what QuPath has, a key for all that has one, and the menu’s chords in both', () => {
    const qupath = {
      m: 'move',
      r: 'drawRectangle',
      o: 'drawEllipse',
      p: 'drawPolygon',
      b: 'brush',
      w: 'wand',
      '.': 'points',
      l: 'drawLine',
      v: 'drawPolyline',
    }
    const shows = { a: 'showRegions', d: 'overlay', f: 'style', '-': 'zoomOut', '+': 'zoomIn' }
    for (const [name, command] of Object.entries({ ...qupath, ...shows }))
      expect(commandOf(key(name), 'page', 'qupath'), name).toBe(command)
    for (const [name, command] of [
      ['c', 'tone'],
      ['g', 'grid'],
      ['s', 'lasso'],
    ] as const)
      expect(commandOf(key(name, { shift: true }), 'page', 'qupath'), name).toBe(command)
    // By Shift on a keyboard of the United States, by a cap of its own elsewhere.
    expect(commandOf({ ...key('>', { shift: true }), code: 'Period' }, 'page', 'qupath')).toBe('brushLarger')
    const without = (set: KeySet) => all.filter((command) => chordsOf(command, set).length === 0)
    expect(without('qupath').filter((command) => !without('morphoscope').includes(command))).toEqual([])
    const withMod = (set: KeySet) => all.map((command) => chordsOf(command, set).filter((chord) => chord.includes('$mod')))
    expect(withMod('qupath')).toEqual(withMod('morphoscope'))
    expect(Settings.shape.keys.options).toEqual(sets)
  })
  it.each(sets)('is what the cheat sheet shows of %s’s', (set) => {
    const rows = cheatSheet(set).flatMap(({ rows }) => rows)
    expect(rows.map(({ command, keys }) => [command, keys])).toEqual(
      expect.arrayContaining(
        all.filter((each) => chordsOf(each, set).length > 0).map((each) => [each, chordsOf(each, set).map(shownKey)]),
      ),
    )
    const shown = rows.flatMap(({ keys }) => keys)
    expect(new Set(shown).size).toBe(shown.length)
  })
  it('is what the cheat sheet and the buttons show', () => {
    const rows = cheatSheet('morphoscope').flatMap(({ group, rows }) => rows.map((row) => ({ ...row, group })))
    expect(rows.map(({ command }) => command).sort()).toEqual(all.filter((command) => commands[command].keys.length > 0).sort())
    for (const { command, label, keys, group } of rows) {
      expect([label, group]).toEqual([commands[command].label, commands[command].group])
      expect(keys).toEqual(commands[command].keys.map(shownKey))
      expect(tip(command)).toEqual({ label, shortcut: keys[0] })
    }
    expect(tip('resetAll')).toEqual({ label: 'Reset all parameters' })
    const shown = rows.flatMap(({ keys }) => keys)
    expect(new Set(shown).size).toBe(shown.length)
    expect(['$mod+Shift+z', 'Space', 'ArrowLeft', 'Escape', 'Shift+r', '+'].map(shownKey)).toEqual([
      'Ctrl+Shift+Z',
      'Space',
      '←',
      'Esc',
      'Shift+R',
      '+',
    ])
  })
  it('is what the desktop’s menu says and sends', () => {
    const ran: string[] = []
    let loads = 0
    const all = menuTemplate({
      run: (command) => ran.push(command),
      mac: false,
      loadPage: () => (loads += 1),
      openElectronLicences: null,
    }).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
    // The one that works without the page, whose keys mean nothing there.
    const loadPage = all.find(({ id }) => id === loadPageItem().id)!
    ;(loadPage.click as () => void)()
    expect([loads, ran.length, loadPage.accelerator]).toEqual([1, 0, 'CmdOrCtrl+R'])
    for (const press of [key('r', { ctrl: true }), key('F5')])
      for (const set of sets) expect(commandOf(press, 'page', set)).toBeNull()
    const items = all.filter(({ id }) => id !== undefined && id !== loadPageItem().id)
    expect(items.length).toBeGreaterThan(8)
    for (const { id, label, accelerator, click } of items) {
      const command = commandNamed(id!)!
      expect(label).toBe(commands[command].label + (commands[command].asks ? '…' : ''))
      // Electron gives the item, the window and the event, none of which is used.
      ;(click as () => void)()
      expect(ran.at(-1)).toBe(command)
      if (accelerator === undefined) continue
      const chord = String(accelerator).replace('CmdOrCtrl', '$mod')
      // The page may know the chord too, and then it means the same; or it is the menu's own.
      const onPage = commandOf(pressOf(chord), 'page')
      expect(onPage ?? command, chord).toBe(command)
      expect(onPage !== null || commands[command].menuKey === chord, chord).toBe(true)
    }
    const ofMenu = (Object.keys(commands) as Command[]).filter((command) => commands[command].menuKey !== undefined)
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(ofMenu))
  })
  it('is the only place that spells a key, but for what one row does by itself', () => {
    const files = ['panels', 'viewer', 'widgets'].flatMap((folder) =>
      readdirSync(`renderer/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => `renderer/${folder}/${name}`),
    )
    const spelt = files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/shortcut="[^"]+"|shortcut=\{words\.[^}]+\}|<kbd[^>]*>\w+/g)].map(
        ([text]) => `${path}: ${text}`,
      ),
    )
    // The Delete key is that of a run's row that has the focus, and nobody else's.
    expect(spelt).toEqual(['renderer/panels/results/RunList.tsx: shortcut={words.keys.delete}'])
  })
  it('knows its own names and no others', () => {
    expect(all.map(commandNamed)).toEqual(all)
    for (const name of ['no-such-thing', '', 'toString', 'constructor']) expect(commandNamed(name)).toBeNull()
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

  it('answers the first change of a burst at once, the next when that is answered, and none later than it may', async () => {
    let fired = 0
    const debounced = new Debounced(() => fired++)
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    debounced.eager(false)
    await wait(80)
    expect(fired).toBe(1)
    // The first answer is on its way: what changes meanwhile waits for it, and is asked for once.
    for (let i = 0; i < 3; i++) debounced.eager(true)
    await wait(80)
    expect(fired).toBe(1)
    debounced.free()
    expect(fired).toBe(2)
    // Nothing waits: an answer that comes asks for nothing.
    debounced.free()
    expect(fired).toBe(2)
    // One that never comes holds nobody up.
    for (let i = 0; i < 12; i++) {
      debounced.eager(true)
      await wait(40)
    }
    expect(fired).toBe(3)
  })
})

describe('the palette', () => {
  it('finds commands by the beginnings of their words, the likeliest first', () => {
    expect(matching('')).toHaveLength(all.length - 1)
    expect(matching('why')[0]).toBe('why')
    expect(matching('zoom o')[0]).toBe('zoomOut')
    expect(matching('OVERLAY')).toContain('overlay')
    expect(matching('regions draw poly')[0]).toBe('drawPolygon')
    expect(matching('xyzzy')).toEqual([])
  })
  it('finds by other words than its label’s, and values and recipes beside commands', () => {
    expect(matching('import')[0]).toBe('importRegions')
    expect(matching('save as')).toContain('saveProject')
    for (const [word, command] of [
      ['density', 'overlay'],
      ['density', 'summary'],
      ['threshold', 'why'],
      ['cell', 'segmentWhole'],
      ['unnamed', 'start'],
    ] as const)
      // oxfmt-ignore
      expect(matching(word), word).toContain(command)
    const param = { key: 'level', label: 'Level', help: '', kind: 'number', unit: 'od', min: 0, max: 2, step: 0.1, default: 1 } as const // oxfmt-ignore
    const stages = [{ id: 'threshold', label: 'Threshold', help: '', params: [param] }]
    const specs = [['a', 'Plain', stages], ['b', 'Cell detection', []]].map(([id, name, own]) => ({ id, name, description: '', stages: own })) // oxfmt-ignore
    patch('recipe', { specs: specs as never, specId: 'a' })
    expect(paletteRows('threshold').map(({ id }) => id)).toContain('param-threshold-level')
    expect(paletteRows('cell').map(({ id }) => id)).toContain('recipe-b')
    expect(new Set(paletteRows('').map(({ id }) => id)).size).toBe(all.length - 1 + 2)
  })
  it('has every command, of every label', () => {
    for (const command of all.filter((each) => each !== 'palette')) expect(matching(commands[command].label)).toContain(command)
  })
})
