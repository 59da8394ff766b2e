// What is made of the slide's own pixels is made of the file that was opened, or not at all.
import type { ExportTools } from '../exporter'

const words = { gone: 'is gone', changed: 'has changed' } as const

/** Why the slide's pixels could not be used, or null: before and after, it must be the file that was opened. */
export async function withSlide(tools: Pick<ExportTools, 'slideState'>, work: () => Promise<void>): Promise<string | null> {
  const before = await tools.slideState()
  if (before !== 'same') return words[before]
  try {
    await work()
  } catch (error) {
    const state = await tools.slideState()
    if (state !== 'same') return words[state]
    throw error
  }
  const after = await tools.slideState()
  return after === 'same' ? null : words[after]
}
