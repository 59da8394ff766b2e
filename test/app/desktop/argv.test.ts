// The desktop's command line: a slide among switches, from a folder run by Electron and from a packaged app.
import { expect, test } from 'vitest'
import { answersWithin, drawerOfSwitch, slideOfCommandLine, slideOfHandover } from '../../../app/desktop/argv'

test.each([
  [['electron', '--no-sandbox', '/app', 'slides/a b.svs'], true, '/home/slides/a b.svs'],
  [['electron', '/app'], true, null],
  [['electron', '/app', '--drawer=canvas', '/x.svs'], true, '/x.svs'],
  [['/opt/Morphoscope/morphoscope', '/x.svs'], false, '/x.svs'],
  [['/opt/Morphoscope/morphoscope', '--allow-file-access-from-files', 'é.svs'], false, '/home/é.svs'],
  [['/opt/Morphoscope/morphoscope'], false, null],
])('%j', (argv, isDefaultApp, expected) => {
  expect(slideOfCommandLine(argv, '/home', isDefaultApp)).toBe(expected)
})

test('a handover of another shape is none', () => {
  expect(slideOfHandover({ slide: '/x.svs' })).toBe('/x.svs')
  for (const data of [null, undefined, 'x', {}, { slide: 7 }, { slide: '' }]) expect(slideOfHandover(data)).toBeNull()
})

test('an unknown drawer leaves the choice to the viewer', () => {
  expect(drawerOfSwitch('canvas')).toBe('canvas')
  expect(drawerOfSwitch('"><script>')).toBe('')
})

test('a page’s patience is whole seconds, two at least', () => {
  expect(['3', '90', '1', '0', '-3', '3.5', '', 'x'].map(answersWithin)).toEqual([3, 90, ...Array<undefined>(6).fill(undefined)])
})
