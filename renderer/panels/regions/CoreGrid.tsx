// The array as a table of its places: arrow keys go from one to the next, Enter marks one as missing, and rows and columns come and go beside it.
import { Button, Group, TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { mostLabel, type CoreRegion } from '../../../app/contract'
import { deleteCores, insertCores, labelCore, markCore } from '../../store/document/coreActions'
import { words } from '../../words'

interface At {
  readonly row: number
  readonly column: number
}

const ways: Readonly<Record<string, At>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}

const within = (at: number, count: number): number => Math.min(Math.max(at, 0), count - 1)

export function CoreGrid({
  cores,
  size,
}: {
  readonly cores: readonly CoreRegion[]
  readonly size: { readonly rows: number; readonly columns: number }
}) {
  const [wanted, setWanted] = useState<At>({ row: 0, column: 0 })
  const table = useRef<HTMLTableElement>(null)
  const at = { row: within(wanted.row, size.rows), column: within(wanted.column, size.columns) }
  const byPlace = new Map(cores.map((each) => [`${each.core.row},${each.core.column}`, each]))
  const go = (event: KeyboardEvent): void => {
    const way = ways[event.key]
    if (!way) return
    event.preventDefault()
    const next = { row: within(at.row + way.row, size.rows), column: within(at.column + way.column, size.columns) }
    setWanted(next)
    table.current?.rows[next.row]?.cells[next.column]?.querySelector('button')?.focus()
  }
  const text = words.cores
  const current = byPlace.get(`${at.row},${at.column}`)
  return (
    <>
      <div className="core-grid">
        <table ref={table} aria-label={text.grid} data-testid="core-grid" onKeyDown={go}>
          <tbody>
            {Array.from({ length: size.rows }, (_, row) => (
              <tr key={row}>
                {Array.from({ length: size.columns }, (_, column) => {
                  const found = byPlace.get(`${row},${column}`)
                  const isCurrent = row === at.row && column === at.column
                  if (!found) return <td key={column} aria-label={text.none} />
                  const { name, core } = found
                  const said = text.cell(name, core.label, core.missing)
                  return (
                    <td key={column}>
                      <button
                        type="button"
                        className={`${core.missing ? 'missing' : ''} ${isCurrent ? 'current' : ''}`}
                        tabIndex={isCurrent ? 0 : -1}
                        aria-label={said}
                        title={said}
                        data-testid="core-cell"
                        onFocus={() => setWanted({ row, column })}
                        onClick={() => void markCore(found.id)}
                      >
                        {name}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {current && <CoreCase key={current.id} core={current} />}
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void insertCores('row', at.row)}
          data-testid="cores-insert-row"
        >
          {text.insertRow}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => void insertCores('row', at.row + 1)}>
          {text.appendRow}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => void insertCores('column', at.column)}>
          {text.insertColumn}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void insertCores('column', at.column + 1)}
          data-testid="cores-append-column"
        >
          {text.appendColumn}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          disabled={size.rows < 2}
          onClick={() => void deleteCores('row', at.row)}
          data-testid="cores-delete-row"
        >
          {text.deleteRow}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          disabled={size.columns < 2}
          onClick={() => void deleteCores('column', at.column)}
          data-testid="cores-delete-column"
        >
          {text.deleteColumn}
        </Button>
      </Group>
    </>
  )
}

/** Whose a core is, typed: kept when it is left, or by Enter. */
function CoreCase({ core: { id, name, core } }: { readonly core: CoreRegion }) {
  const [typed, setTyped] = useState(core.label)
  // A CSV, or an undo, may say another.
  useEffect(() => setTyped(core.label), [core.label])
  const keep = (): void => {
    if (typed.trim() !== core.label) void labelCore(id, typed.trim())
  }
  return (
    <TextInput
      size="xs"
      mb="xs"
      label={words.cores.caseOf(name)}
      value={typed}
      maxLength={mostLabel}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key === 'Escape') setTyped(core.label)
      }}
      data-testid="core-case"
    />
  )
}
