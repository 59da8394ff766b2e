// Which algorithms a run's stages came to, and what they moved.
import { Table } from '@mantine/core'
import type { StageTiming } from '../../app/contract'
import { formatCount } from '../arithmetic/format'
import { queueWords, workRows } from '../arithmetic/workRows'

export function WorkTable({ timings }: { readonly timings: readonly StageTiming[] }) {
  const rows = workRows(timings)
  if (rows.length === 0) return null
  return (
    <div className="timeline-work">
      <h3>Algorithms that ran</h3>
      <Table className="timings" verticalSpacing={2} withRowBorders={false} data-testid="timeline-work">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stage: operation</Table.Th>
            <Table.Th>Device</Table.Th>
            <Table.Th>Algorithm</Table.Th>
            <Table.Th className="right">Calls</Table.Th>
            <Table.Th className="right">Rounds</Table.Th>
            <Table.Th>Taken from queues</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.stage}/${row.device}/${row.op}/${row.variant}`}>
              <Table.Td>
                {row.stage}: {row.op}
              </Table.Td>
              <Table.Td className="dim">{row.device}</Table.Td>
              <Table.Td>{row.variant}</Table.Td>
              <Table.Td className="right num">{formatCount(row.calls)}</Table.Td>
              <Table.Td className="right num">{row.rounds > 0 ? formatCount(row.rounds) : '–'}</Table.Td>
              <Table.Td className="num dim">{queueWords(row) || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className="note">
        Rounds are sweeps, steps or levels of a breadth-first search. They and the queues depend on tiles, threads and device; the
        result does not.
      </p>
    </div>
  )
}
