// Finding a tissue microarray's cores, and correcting what was found: names, cases, missing ones, rows and columns.
import { Button, FileButton, Group, Loader, Modal, Select } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { coreDiameters, coresOf, CoreCorner, CoreSigns, mostLines, sizeOf, type CoreNaming } from '../../../app/contract'
import { arrayWords, findCores, labelFrom, nameCores, namingNow } from '../../store/document/coreActions'
import { regionsOf } from '../../store/slices/projectSlice'
import { slideMpp } from '../../store/slices/slideSlice'
import { getState, patch, useStore } from '../../store/store'
import { entryProblem, mppRange, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'
import { CoreGrid } from './CoreGrid'

const text = words.cores
const diameterRange = { ...coreDiameters, optional: true } as const
const countRange = { min: 1, max: mostLines, integer: true, optional: true } as const

function Find({ mpp, naming, isAgain }: { readonly mpp: number | null; readonly naming: CoreNaming; readonly isAgain: boolean }) {
  const [diameter, setDiameter] = useState<number | null>(null)
  const [rows, setRows] = useState<number | null>(null)
  const [columns, setColumns] = useState<number | null>(null)
  const [ownMpp, setOwnMpp] = useState<number | null>(null)
  const [asked, setAsked] = useState<AbortController | null>(null)
  const running = useRef<AbortController | null>(null)
  // Whoever closes the dialog does not wait any more.
  useEffect(() => () => running.current?.abort(), [])
  const usable =
    !entryProblem(diameter, diameterRange) &&
    !entryProblem(rows, countRange) &&
    !entryProblem(columns, countRange) &&
    (mpp !== null || !entryProblem(ownMpp, mppRange))
  const find = async (): Promise<void> => {
    const mine = new AbortController()
    running.current = mine
    setAsked(mine)
    const wanted = {
      ...(mpp === null && ownMpp !== null && { mpp: ownMpp }),
      ...(diameter !== null && { diameterUm: diameter }),
      ...(rows !== null && { rows }),
      ...(columns !== null && { columns }),
    }
    await findCores(wanted, naming, mine.signal)
    if (!mine.signal.aborted) setAsked(null)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (usable && !asked) void find()
      }}
    >
      <p className="dim">{text.help}</p>
      <Group align="flex-start" grow>
        <NumberEntry
          label={text.diameter}
          {...diameterRange}
          step={100}
          value={diameter}
          placeholder={text.automatic}
          onChange={setDiameter}
          testId="cores-diameter"
          autoFocus
        />
        <NumberEntry
          label={text.rows}
          {...countRange}
          step={1}
          value={rows}
          placeholder={text.automatic}
          onChange={setRows}
          testId="cores-rows"
        />
        <NumberEntry
          label={text.columns}
          {...countRange}
          step={1}
          value={columns}
          placeholder={text.automatic}
          onChange={setColumns}
          testId="cores-columns"
        />
        {mpp === null && (
          <NumberEntry label={text.mpp} {...mppRange} step={0.05} value={ownMpp} onChange={setOwnMpp} testId="cores-mpp" />
        )}
      </Group>
      <Group justify="flex-end" mt="sm">
        {asked && (
          <>
            <Loader size="xs" aria-label={text.finding} />
            <span role="status">{text.finding}</span>
            <Button
              variant="default"
              onClick={() => {
                asked.abort()
                setAsked(null)
              }}
            >
              {words.buttons.cancel}
            </Button>
          </>
        )}
        <Button type="submit" disabled={!usable || asked !== null} data-testid="cores-find">
          {isAgain ? text.findAgain : text.find}
        </Button>
      </Group>
    </form>
  )
}

const signs = CoreSigns.options.map((value) => ({ value, label: text[value] }))
const corners = CoreCorner.options.map((value) => ({ value, label: text.corners[value] }))

function Naming({ naming, onChange }: { readonly naming: CoreNaming; readonly onChange: (naming: CoreNaming) => void }) {
  return (
    <Group grow mt="sm">
      <Select
        size="xs"
        label={text.rowNames}
        data={signs}
        allowDeselect={false}
        value={naming.rows}
        onChange={(rows) => rows && onChange({ ...naming, rows })}
        data-testid="cores-row-names"
      />
      <Select
        size="xs"
        label={text.columnNames}
        data={signs}
        allowDeselect={false}
        value={naming.columns}
        onChange={(columns) => columns && onChange({ ...naming, columns })}
        data-testid="cores-column-names"
      />
      <Select
        size="xs"
        label={text.first}
        data={corners}
        allowDeselect={false}
        value={naming.first}
        onChange={(first) => first && onChange({ ...naming, first })}
        data-testid="cores-first"
      />
    </Group>
  )
}

function Cores() {
  const regions = useStore((state) => regionsOf(state.project))
  const mpp = useStore((state) => slideMpp(state.slide.info))
  const cores = coresOf(regions)
  const size = sizeOf(cores)
  const [naming, setNaming] = useState<CoreNaming>(() => namingNow(coresOf(regionsOf(getState().project))))
  const some = cores.length > 0
  return (
    <>
      <Find mpp={mpp} naming={naming} isAgain={some} />
      <Naming naming={naming} onChange={setNaming} />
      {some && (
        <>
          <Group mt="sm" justify="flex-end">
            <p className="grow" data-testid="cores-size">
              {arrayWords(
                cores.map(({ core }) => core),
                size.rows,
                size.columns,
              )}
            </p>
            <Button size="xs" variant="default" onClick={() => void nameCores(naming)} data-testid="cores-name">
              {text.name}
            </Button>
            <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => file && void labelFrom(file)}>
              {(props) => (
                <Button {...props} size="xs" variant="default" title={text.labelsHelp} data-testid="cores-labels">
                  {text.labels}
                </Button>
              )}
            </FileButton>
          </Group>
          <CoreGrid cores={cores} size={size} />
        </>
      )}
    </>
  )
}

export function CoresDialog() {
  const opened = useStore((state) => state.ui.dialog === 'cores')
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={text.title} size="min(1000px, 94vw)">
      <Cores />
    </Modal>
  )
}
