// One table over the project's slides and their regions. Loaded when it is first opened.
import { Button, Group, Loader, Select } from '@mantine/core'
import { useEffect, useState } from 'react'
import { differingCuts, type AppError, type ProjectSummary } from '../../../app/contract'
import type { SummaryResult } from '../../store/cohort/summaryActions'
import { copySummary, saveCores, saveGroups, saveSummary, summaryOf } from '../../store/cohort/summaryActions'
import {
  columnsOf,
  firstFigure,
  firstGroupFigure,
  groupCells,
  groupHeader,
  sharedWords,
  summaryCells,
  summaryHeader,
} from '../../store/cohort/summaryWords'
import { useStore } from '../../store/store'
import { words } from '../../words'
import { said } from '../../words/named'
import { Said } from '../../widgets/Said'

function Rows({ found }: { readonly found: ProjectSummary }) {
  const rows = found.rows.map(summaryCells)
  const columns = columnsOf(rows)
  return (
    <div className="summary-rows" tabIndex={0} role="group" aria-label={words.summary.rows}>
      <table className="summary-table" data-testid="summary-table">
        <thead>
          <tr>
            {columns.map((at) => (
              <th key={at} scope="col" className={at >= firstFigure ? 'num' : undefined}>
                {summaryHeader[at]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.rows.map((row, i) => (
            <tr key={i} className={row.region === null ? 'whole' : undefined}>
              {columns.map((at) => (
                <td key={at} className={at >= firstFigure ? 'num' : undefined} title={rows[i]![at]}>
                  {at === 0 && row.region !== null ? '' : rows[i]![at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Regions added up by class: over all slides, then slide by slide. */
function Groups({ found }: { readonly found: ProjectSummary }) {
  if (found.groups.length === 0) return null
  return (
    <div className="summary-rows" tabIndex={0} role="group" aria-label={words.summary.byClass}>
      <table className="summary-table" data-testid="summary-groups">
        <caption>{words.summary.byClassCaption}</caption>
        <thead>
          <tr>
            {groupHeader.map((title, at) => (
              <th key={title} scope="col" className={at >= firstGroupFigure ? 'num' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.groups.map((group, i) => (
            <tr key={i} className={group.slide === null ? 'whole' : undefined}>
              {groupCells(group).map((text, at) => (
                <td key={groupHeader[at]} className={at >= firstGroupFigure ? 'num' : undefined} title={text}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const results: readonly SummaryResult[] = ['chosen', 'own', 'imported', 'newest']

/** Of the document as it stands; asked again when it changes. */
export function Summary() {
  const revision = useStore(({ project }) => project.doc?.revision)
  const hasImports = useStore(({ project }) => project.doc?.runs.some(({ imported }) => imported !== undefined) ?? false)
  const [result, setResult] = useState<SummaryResult>('chosen')
  const [found, setFound] = useState<ProjectSummary | null>(null)
  const [error, setError] = useState<AppError | null>(null)
  useEffect(() => {
    const asked = new AbortController()
    void summaryOf(result, asked.signal).then((answer) => {
      if (asked.signal.aborted) return
      setFound(answer.ok ? answer.value : null)
      setError(answer.ok ? null : answer.error)
    })
    return () => asked.abort()
  }, [revision, result])
  if (error)
    return (
      <p className="field-error">
        <Said text={error.message} />
      </p>
    )
  if (!found) return <Loader size="sm" aria-label={words.summary.reading} />
  const differing = differingCuts(found.rows)
  const shared = sharedWords(found.groups)
  if (found.rows.length === 0) return <p className="nothing">{words.summary.noSlides}</p>
  return (
    <>
      {hasImports && (
        <Select
          label={words.summary.from}
          data={results.map((value) => ({ value, label: words.summary.fromOf[value] }))}
          value={result}
          allowDeselect={false}
          onChange={(value) => value !== null && setResult(value)}
          w={360}
          mb="sm"
          data-testid="summary-result"
        />
      )}
      <Rows found={found} />
      <Groups found={found} />
      {shared !== null && (
        <p className="note" data-testid="summary-shared">
          {shared}
        </p>
      )}
      {differing !== null && (
        <p className="note" role="status" data-testid="summary-cuts">
          <Said text={said(differing)} />
        </p>
      )}
      {found.notes.map((note) => (
        <p key={note} className="note">
          <Said text={said(note)} />
        </p>
      ))}
      <Group justify="flex-end" mt="sm">
        <Button variant="default" onClick={() => void copySummary(found)} data-testid="summary-copy">
          {words.buttons.copy}
        </Button>
        {found.groups.length > 0 && (
          <Button variant="default" onClick={() => void saveGroups(found)} data-testid="summary-save-groups">
            {words.summary.saveClasses}
          </Button>
        )}
        {found.coresCsv !== '' && (
          <Button variant="default" onClick={() => void saveCores(found)} data-testid="summary-save-cores">
            {words.summary.saveCores}
          </Button>
        )}
        <Button onClick={() => void saveSummary(found)} data-testid="summary-save">
          {words.summary.saveRows}
        </Button>
      </Group>
    </>
  )
}
