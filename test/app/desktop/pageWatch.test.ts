// A page that a script emptied, or that hangs, is told once; one that is slow, sleeps or is looked into by a person is left alone.
import { expect, it } from 'vitest'
import { watchPage } from '../../../app/desktop/pageWatch'

const most = { answer: 4, root: 2, start: 10 }

function watched() {
  const told: [string, boolean][] = []
  const page = { isThere: true, hasShown: true, answers: true, isDebugged: false }
  const state = () => (page.isThere ? 'shown' : page.hasShown ? 'emptied' : 'coming')
  const watch = watchPage(
    {
      look: () => (page.answers ? Promise.resolve(state()) : new Promise(() => undefined)),
      isDebugged: () => page.isDebugged,
      lost: (why, hangs) => void told.push([why, hangs]),
    },
    most,
  )
  const seconds = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      watch.tick()
      await Promise.resolve().then(() => undefined)
    }
  }
  return { told, page, watch, seconds }
}

it('an emptied page is told at the second look, once, and again after it was loaded', async () => {
  const { told, page, watch, seconds } = watched()
  await seconds(3)
  page.isThere = false
  await seconds(1)
  expect(told).toEqual([])
  await seconds(9)
  expect(told).toEqual([['was emptied', false]])
  watch.loaded()
  page.isThere = true
  await seconds(20)
  page.isThere = false
  await seconds(3)
  expect(told).toHaveLength(2)
})

it('a page that hangs is told after its patience, and not while a person has stopped its scripts', async () => {
  const { told, page, seconds } = watched()
  await seconds(2)
  page.answers = false
  page.isDebugged = true
  await seconds(30)
  page.isDebugged = false
  await seconds(3)
  expect(told).toEqual([])
  await seconds(1)
  expect(told).toEqual([['does not answer', true]])
})

it('a page that comes up slowly has longer; an answer of the page before counts for none', async () => {
  const { told, page, watch, seconds } = watched()
  page.isThere = page.hasShown = false
  await seconds(9)
  watch.loaded()
  await seconds(9)
  expect(told).toEqual([])
  await seconds(1)
  expect(told).toEqual([['shows nothing', false]])
})

it('a page that was emptied before the first look at it is not one that comes up slowly', async () => {
  const { told, page, seconds } = watched()
  page.isThere = false
  await seconds(2)
  expect(told).toEqual([['was emptied', false]])
})
