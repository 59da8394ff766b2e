// What a project without a name is called, and what lists say is in it. Pure.
import type { DocumentState, UnnamedProject } from '../../app/contract'
import { formatCount } from '../arithmetic/format'

const counted = (n: number, one: string): string => `${formatCount(n)} ${one}${n === 1 ? '' : 's'}`

const whenOf = (time: string): string => {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'an unknown day'
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  return `${day}, ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`
}

/** By its last change: "25 Nov 2026, 23:40". */
export const unnamedTitle = ({ changedAt }: Pick<UnnamedProject, 'changedAt'>): string => whenOf(changedAt)

/** "2 slides, 5 regions, 1 result"; what there is none of is left out. */
export function contentWords(slides: number, regions: number, results: number): string {
  const parts = [
    counted(slides, 'slide'),
    ...(regions > 0 ? [counted(regions, 'region')] : []),
    ...(results > 0 ? [counted(results, 'result')] : []),
  ]
  return parts.join(', ')
}

export function unnamedContents({ slides, regions, results }: UnnamedProject): string {
  return slides === null || regions === null || results === null
    ? 'Open in another window of Morphoscope, or not readable'
    : contentWords(slides.length, regions, results)
}

/** The first few by name, and how many more. */
export function slideNames({ slides }: UnnamedProject): string {
  const names = (slides ?? []).map(({ name }) => name)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
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
