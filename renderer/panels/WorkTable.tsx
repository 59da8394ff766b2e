// Which algorithms a run's stages came to, and what they moved.
import { Button, NativeSelect, Table } from '@mantine/core'
import { useState } from 'react'
import { isOver, variantNames, workRows, type RunStatus } from '../../app/contract'
import { formatCount } from '../arithmetic/format'
import { choicesIn, queueWords } from '../arithmetic/workRows'
import { runWith } from '../store/runActions'

/** The same once more by another algorithm, for who measures. */
function Again({ run }: { readonly run: RunStatus }) {
  const choices = choicesIn(run.timings)
  const [place, setPlace] = useState<string | null>(null)
  const [variant, setVariant] = useState('')
  const chosen = choices.find((each) => each.place === place) ?? choices[0]
  if (!chosen) return null
  const names: readonly string[] = variantNames[chosen.op]
  const name = names.includes(variant) ? variant : names[1]!
  return (
    <div className="work-again">
      <span>Run again with</span>
      <NativeSelect
        size="xs"
        aria-label="Stage and operation"
        data={choices.map((each) => ({ value: each.place, label: each.place.replace('/', ': ') }))}
        value={chosen.place}
        onChange={(event) => setPlace(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Algorithm"
        data={names}
        value={name}
        onChange={(event) => setVariant(event.currentTarget.value)}
      />
      <Button
        size="compact-xs"
        variant="light"
        disabled={!isOver(run)}
        onClick={() => runWith(run, { [chosen.place]: name })}
        data-testid="work-again"
      >
        Run
      </Button>
    </div>
  )
}

export function WorkTable({ run }: { readonly run: RunStatus }) {
  const rows = workRows(run.timings)
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
      <Again run={run} />
    </div>
  )
}
