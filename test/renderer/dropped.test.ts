// Dropped files: one slide is opened and the others are named; recipes and runs' records are offered; results are called what they are.
import { notificationsStore } from '@mantine/notifications'
import { readFileSync } from 'node:fs'
import { isValidElement, type ReactElement } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { RecipeSpec, type Recipe } from '../../app/contract'
import { readRecord, takeDropped, type Dropped } from '../../renderer/store/commands/dropActions'
import { kindOf } from '../../renderer/store/slide/notSlides'
import { recipeOf, setSpecs, valuesOf } from '../../renderer/store/slices/recipeSlice'
import { openSlide } from '../../renderer/store/slide/slideActions'
import { getState, patch, update } from '../../renderer/store/store'
import { machine, setUpSlide, settings, type SentCall } from './windowFixture'

const spec = RecipeSpec.parse(JSON.parse(readFileSync('assets/recipes/he-nuclei.json', 'utf8')))
const recipe: Recipe = {
  format: 'morphoscope-recipe',
  version: 1,
  spec: spec.id,
  name: 'Mine',
  params: { threshold: { level: 1.2 } },
}
const file = (name: string, content: unknown = '', path: string | null = `/drop/${name}`): Dropped => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { name, path, sizeBytes: text.length, text: () => Promise.resolve(text) }
}
const notices = () => notificationsStore.getState().notifications
const words = (node: unknown): string => (typeof node === 'string' ? node : '<offer>')
const texts = (): string[] => notices().map(({ title, message }) => `${words(title)}: ${words(message)}`)
const opened = () => asked.filter(({ name }) => name === 'slide:open').map(({ arg }) => arg)

/** What the one offer says. */
function offerText(id: string): string {
  const message = notices().find((each) => each.id === id)?.message
  if (!isValidElement(message)) throw new Error('there is no offer')
  const [text] = (message as ReactElement<{ children: [ReactElement<{ children: string }>] }>).props.children
  return text.props.children
}

/** Presses the button of the one offer. */
function accept(id = 'offer-files'): void {
  const message = notices().find((each) => each.id === id)?.message
  if (!isValidElement(message)) throw new Error('there is no offer')
  const [, button] = (message as ReactElement<{ children: [unknown, ReactElement<{ onClick: () => void }>] }>).props.children
  button.props.onClick()
}

let asked: SentCall[]
beforeEach(() => {
  asked = setUpSlide(machine([]), {
    'slide:open': () => ({ ok: false, error: { code: 'SLIDE_UNREADABLE', message: 'no' } }),
    'settings:set': () => ({ ok: true, value: settings }),
    'run:start': () => ({ ok: false, error: { code: 'NOT_FOUND', message: 'no' } }),
    'recipe:load': () => ({ ok: true, value: recipe }),
    'project:addFile': () => ({ ok: true, value: { key: 'a'.repeat(32), isNew: true, name: 'a.svs' } }),
  })
  update('recipe', (state) => setSpecs({ ...state, specId: spec.id }, [spec], spec.id))
  patch('ui', { livePreview: false })
})

describe('dropped files', () => {
  it('open the first slide and say which were not opened', async () => {
    await takeDropped([file('a.svs'), file('b.svs'), file('c.ndpi')])
    expect(opened()).toEqual([{ path: '/drop/a.svs' }])
    expect(offerText('offer-slides')).toContain('“a.svs” is opened, “b.svs”, “c.ndpi” are not')
    // All of them can be added to the project instead.
    accept('offer-slides')
    await expect
      .poll(() => asked.filter(({ name }) => name === 'project:addFile').map(({ arg }) => arg))
      .toEqual([{ path: '/drop/a.svs' }, { path: '/drop/b.svs' }, { path: '/drop/c.ndpi' }])
  })
  it('offer a recipe beside the slides: neither takes the place of the other', async () => {
    await takeDropped([file('a.svs'), file('b.svs'), file('run.json', { format: 'morphoscope-run', version: 1, recipe })])
    expect([offerText('offer-slides'), offerText('offer-files')]).toEqual([
      expect.stringContaining('“b.svs” is not') as string,
      expect.stringContaining('It holds the recipe “Mine”') as string,
    ])
  })
  it('that are results are called what they are, and no slide is asked for', async () => {
    await takeDropped([file('objects.geojson', { type: 'FeatureCollection' }), file('objects.csv')])
    expect(opened()).toEqual([])
    expect(texts().join()).toMatch(/outlines, not a slide.*a table of objects, not a slide/)
  })
  it('offer the recipe of a run’s record, and load it when told to', async () => {
    await takeDropped([file('run.json', { format: 'morphoscope-run', version: 1, recipe })])
    expect(valuesOf(getState().recipe)).toEqual({})
    accept()
    expect(recipeOf(getState().recipe)?.params['threshold']?.['level']).toBe(1.2)
    expect(opened()).toEqual([])
  })
  it('offer a recipe whose values cannot all be used, but take none of it', async () => {
    await takeDropped([file('bad.json', { ...recipe, params: { threshold: { level: 99 }, mask: {} } })])
    accept()
    expect(valuesOf(getState().recipe)).toEqual({})
    expect(texts().join()).toContain('threshold.level: expected')
  })
  it('without a path, in a browser, lead to the server’s folders', async () => {
    await takeDropped([file('a.svs', '', null)])
    expect(getState().ui.dialog).toBe('open')
  })
})

describe('a file', () => {
  it('is known by its name and its content', () => {
    expect(['a.svs', 'a.ome.tif', 'a.ome.zarr', 'zarr.json', 'A.JSON', 'b.geojson', 'c.csv'].map(kindOf)).toEqual([
      'slide',
      'slide',
      'slide',
      'slide',
      'record',
      'outlines',
      'result',
    ])
    expect(['b.geojson.gz', 'b.NDJSON', 'b.json.gz'].map(kindOf)).toEqual(['outlines', 'outlines', 'outlines'])
    expect(readRecord('{')).toMatchObject({ words: expect.stringContaining('damaged') as string })
    expect(readRecord('{"type":"FeatureCollection"}')).toMatchObject({ words: expect.stringContaining('outlines') as string })
    expect(readRecord('[1]')).toMatchObject({ words: expect.stringContaining('neither') as string })
    expect(readRecord('null')).toMatchObject({ words: expect.stringContaining('neither') as string })
    expect(readRecord(JSON.stringify(recipe))).toMatchObject({ of: 'recipe', recipe: { name: 'Mine' } })
  })
  it('that is named as a slide and is none is offered as what it may be', async () => {
    expect(await openSlide('/x/run.json')).toBe(false)
    expect(opened()).toEqual([])
    accept()
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toContainEqual({ name: 'recipe:load', arg: { path: '/x/run.json' } })
    expect(recipeOf(getState().recipe)?.params['threshold']?.['level']).toBe(1.2)
  })
})
