// What a project without a name is called, and what lists say is in it. Pure.
import type { DocumentState, UnnamedProject } from '../../../app/contract'
import { words } from '../../words'

const whenOf = (time: string): string => {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return words.unnamed.unknownDay
  const day = date.toLocaleDateString(words.dates.locale, { day: 'numeric', month: 'short', year: 'numeric' })
  return `${day}, ${date.toLocaleTimeString(words.dates.locale, { hour: '2-digit', minute: '2-digit' })}`
}

/** By its last change: "25 Nov 2026, 23:40". */
export const unnamedTitle = ({ changedAt }: Pick<UnnamedProject, 'changedAt'>): string => whenOf(changedAt)

/** "2 slides, 5 regions, 1 result"; what there is none of is left out. */
export function contentWords(slides: number, regions: number, results: number): string {
  const parts = [
    words.projectFiles.slides(slides),
    ...(regions > 0 ? [words.projectFiles.regions(regions)] : []),
    ...(results > 0 ? [words.projectFiles.results(results)] : []),
  ]
  return parts.join(', ')
}

export function unnamedContents({ slides, regions, results }: UnnamedProject): string {
  return slides === null || regions === null || results === null
    ? words.unnamed.openElsewhere
    : contentWords(slides.length, regions, results)
}

/** The first few by name, and how many more. */
export function slideNames({ slides }: UnnamedProject): string {
  const names = (slides ?? []).map(({ name }) => name)
  return words.counts.namesAndMore(names.slice(0, 3).join(', '), names.length - 3)
}

export const contentsOf = ({ slides, runs }: DocumentState): string =>
  contentWords(
    slides.length,
    slides.reduce((sum, { regions }) => sum + regions, 0),
    runs.length,
  )

/** It has no name, and something is in it: a person may look for it later. */
export const isUnnamed = (doc: DocumentState | null): doc is DocumentState =>
  doc !== null && doc.path === null && doc.slides.length + doc.runs.length > 0
