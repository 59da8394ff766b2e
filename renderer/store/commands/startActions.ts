// The start page and the tour: what a window begins with, what the page offers, and that the tour was seen.
import { tilePaths, type UnnamedProject } from '../../../app/contract'
import { api } from '../../api'
import { words } from '../../words'
import { keysOf } from '../base/commandKeys'
import { tell, tellError } from '../base/notify'
import { openProject, openUnnamed } from '../document/projectFiles'
import { ask } from '../base/questions'
import { refreshRuns } from '../runs/runList'
import { fileName, listRecents, openSlide } from '../slide/slideActions'
import type { Tour } from '../slices/startSlice'
import { getState, patch } from '../store'
import { unnamedContents, unnamedTitle } from '../document/unnamedWords'

/** Of the sample: epidermis and dermis with nuclei that stand apart, without ink and keratin. */
const sampleField = { x: 800, y: 800, width: 480, height: 480 }

const seenKey = 'morphoscope.tour.v1'

/** Asks anew which slides and projects there are, and which of them are still where they were. False: there is none. */
export async function listItems(): Promise<boolean> {
  const result = await api().call('start:list', undefined)
  if (!result.ok) {
    tellError(result.error, words.start.page)
    return false
  }
  patch('start', { items: result.value })
  const { slides, projects, unnamed } = result.value
  return slides.length + projects.length + unnamed.length > 0
}

/** A window without a slide of its own: the sample for who has opened nothing yet, else the start page. */
export async function beginAtStart(sample: string | null): Promise<void> {
  const known = await listItems()
  if (!known && sample !== null) {
    if (await openSlide(sample, undefined, sampleField)) offerTour()
    return
  }
  patch('start', { shown: true })
  await refreshRuns()
}

export function toggleStart(): void {
  if (leaveStart()) return
  patch('start', { shown: true })
  void listItems()
}

/** False where it is not shown. Without a slide there is nothing to go back to: it stays. */
export function leaveStart(): boolean {
  if (!getState().start.shown) return false
  if (getState().slide.info) patch('start', { shown: false })
  return true
}

export async function forgetRecent(path: string): Promise<void> {
  const result = await api().call('start:forget', { path })
  if (!result.ok) return tellError(result.error, fileName(path))
  await Promise.all([listItems(), listRecents()])
}

export async function openRecent(path: string): Promise<void> {
  // What could not be opened may be gone by now.
  if (!(await openSlide(path)) && getState().start.shown) await listItems()
}

export async function openSample(): Promise<boolean> {
  const sample = getState().ui.app?.sampleSlide ?? null
  return sample !== null && openSlide(sample, undefined, sampleField)
}

/** The project, and the first of its slides that is there, unless one of them is on screen. */
export const openProjectAtStart = (path: string): Promise<void> => openWhole(() => openProject(path), fileName(path))
export const openUnnamedAtStart = (project: UnnamedProject): Promise<void> =>
  openWhole(() => openUnnamed(project.id), unnamedTitle(project))

async function openWhole(open: () => Promise<boolean>, title: string): Promise<void> {
  if (!(await open())) return void listItems()
  const slides = await api().call('project:slides', undefined)
  if (!slides.ok) return tellError(slides.error, title)
  const onScreen = getState().slide.info?.path
  const there = slides.value.filter(({ missing }) => !missing)
  const first = there.find(({ path }) => path === onScreen) ?? there[0]
  if (first?.path === onScreen && first) leaveStart()
  else if (first) await openSlide(first.path)
  else tell(words.start.noSlideFound(keysOf('addSlide')[0]), title, 9000)
  if (getState().start.shown) await listItems()
}

export function deleteUnnamed(project: UnnamedProject): void {
  const title = unnamedTitle(project)
  ask({
    title: words.start.deleteTitle(title),
    text: words.start.deleteText(unnamedContents(project)),
    yes: words.buttons.deleteIt,
    no: words.buttons.keepIt,
    act: () =>
      void api()
        .call('project:deleteUnnamed', { id: project.id })
        .then((result) => {
          if (!result.ok) tellError(result.error, title)
          return listItems()
        }),
  })
}

export const recentPictureUrl = (picture: string): string => api().tileUrl(tilePaths.recent(picture))

function tourSeen(): boolean {
  try {
    return localStorage.getItem(seenKey) !== null
  } catch {
    // Blocked: a tour that is offered at every start would be in the way.
    return true
  }
}

function offerTour(): void {
  if (!tourSeen() && getState().start.tour === null) patch('start', { tour: 'offered' })
}

/** It is about a slide: the sample, where none is open. */
export async function startTour(): Promise<void> {
  if (!getState().slide.info && !(await openSample())) return
  patch('start', { shown: false, tour: 0 })
}

export function goInTour(step: Tour): void {
  patch('start', { tour: step })
}

/** Ends it, or declines the offer, for good. False where there is neither. */
export function leaveTour(): boolean {
  const { tour } = getState().start
  if (tour === null) return false
  patch('start', { tour: null })
  try {
    localStorage.setItem(seenKey, 'seen')
  } catch {
    // See tourSeen.
  }
  return true
}
