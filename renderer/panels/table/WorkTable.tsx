// Which algorithms a run's stages came to, and what they moved.
import { Button, NativeSelect, Table } from '@mantine/core'
import { useState } from 'react'
import { isOver, variantNames, workRows, type RunStatus } from '../../../app/contract'
import { formatCount } from '../../arithmetic/format'
import { choicesIn } from '../../arithmetic/workRows'
import { runWith } from '../../store/runs/runActions'
import { queueWords } from '../../store/runs/timelineWords'
import { words } from '../../words'
import { titled } from '../../words/named'

const placeWords = (place: string): string => {
  const [stage = '', op = ''] = place.split('/')
  return `${titled(stage)}: ${op}`
}

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
      <span>{words.work.runAgainWith}</span>
      <NativeSelect
        size="xs"
        aria-label={words.work.place}
        data={choices.map((each) => ({ value: each.place, label: placeWords(each.place) }))}
        value={chosen.place}
        onChange={(event) => setPlace(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={words.work.algorithm}
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
        {words.work.run}
      </Button>
    </div>
  )
}

export function WorkTable({ run }: { readonly run: RunStatus }) {
  const rows = workRows(run.timings)
  if (rows.length === 0) return null
  return (
    <div className="timeline-work">
      <h3>{words.work.title}</h3>
      <Table className="timings" verticalSpacing={2} withRowBorders={false} data-testid="timeline-work">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.work.stageAndOperation}</Table.Th>
            <Table.Th>{words.names.device}</Table.Th>
            <Table.Th>{words.work.algorithm}</Table.Th>
            <Table.Th className="right">{words.work.calls}</Table.Th>
            <Table.Th className="right">{words.work.rounds}</Table.Th>
            <Table.Th>{words.work.queues}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.stage}/${row.device}/${row.op}/${row.variant}`}>
              <Table.Td>
                {titled(row.stage)}: {row.op}
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
      <p className="note">{words.work.note}</p>
      <Again run={run} />
    </div>
  )
}
