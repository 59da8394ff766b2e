// What a run took: the time that passed, what was computed in it and by what, and what was kept from earlier runs.
import { Table } from '@mantine/core'
import { stageAndPart, timingKey, variantWords } from '../../../app/contract'
import type { RunStatus, StageTiming } from '../../../app/contract'
import { formatCount, formatMeasure } from '../../arithmetic/format'
import { words } from '../../words'
import { titled } from '../../words/named'

/** Records that are older than 2026-11-26 say so by their variant. */
const wasKept = ({ kept, variant }: StageTiming): boolean => kept ?? variant === 'kept'

/**
 * "43 ms: split, objects, measure": the stages that some window had to compute; the others were kept. In the recipe's order: every window
 * tells all of its stages, kept or not.
 */
export function previewCost({ elapsedMs, timings }: Pick<RunStatus, 'elapsedMs' | 'timings'>): string {
  const spent = new Set(timings.filter((t) => !wasKept(t) && t.ms > 0).map(({ stage }) => stage))
  const computed = [...new Set(timings.map(({ stage }) => stage))].filter((stage) => spent.has(stage))
  return words.timings.lastPreview(elapsedMs, computed.length === 0 ? words.timings.kept : computed.map(titled).join(', '))
}

/** The time that passed, and what was taken from earlier runs in place of computing it. */
export function timingWords(run: Pick<RunStatus, 'elapsedMs' | 'keptMegapixels' | 'timings'>): string {
  const computed = run.timings.some((t) => !wasKept(t) && t.ms > 0)
  if (run.keptMegapixels <= 0) return words.timings.passed(run.elapsedMs)
  return computed
    ? words.timings.passedSomeKept(run.elapsedMs, run.keptMegapixels)
    : words.timings.passedAllKept(run.elapsedMs, run.keptMegapixels)
}

function Row({ timing: t, longest }: { readonly timing: StageTiming; readonly longest: number }) {
  const by = titled(variantWords(t))
  return (
    <Table.Tr>
      <Table.Td className="stage-cell">
        <span className="stage-bar" style={{ transform: `scaleX(${longest > 0 ? t.ms / longest : 0})` }} aria-hidden />
        <span>{titled(stageAndPart(t))}</span>
      </Table.Td>
      <Table.Td className="dim stage-by">
        {t.device}
        {by !== '' && <div>{by}</div>}
      </Table.Td>
      <Table.Td className="right num">{t.ms >= 100 ? formatCount(t.ms) : t.ms.toFixed(1)}</Table.Td>
      <Table.Td className="right num dim">
        {t.ms > 0 && t.megapixels > 0 ? formatMeasure(t.megapixels / (t.ms / 1000)) : '–'}
      </Table.Td>
    </Table.Tr>
  )
}

export function Timings({ run }: { readonly run: RunStatus | null }) {
  if (!run || run.timings.length === 0) return <p className="nothing">{words.timings.nothing}</p>
  const computed = run.timings.filter((t) => !wasKept(t))
  const longest = Math.max(0, ...computed.map((t) => t.ms))
  return (
    <div data-testid="timings">
      <p className="note" data-testid="timing-words">
        {timingWords(run)}
        {computed.length > 0 && words.timings.summed}
      </p>
      {computed.length > 0 && (
        <Table className="timings" horizontalSpacing={0} verticalSpacing={2} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.timings.stage}</Table.Th>
              <Table.Th>{words.timings.by}</Table.Th>
              <Table.Th className="right">ms</Table.Th>
              <Table.Th className="right">Mpx/s</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {computed.map((timing) => (
              <Row key={timingKey(timing)} timing={timing} longest={longest} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  )
}
