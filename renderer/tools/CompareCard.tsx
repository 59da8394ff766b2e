// Two results held against each other: which, how much they agree, what colours on the slide mean, which values differ.
import { Button, Loader, NativeSelect } from '@mantine/core'
import { comparedColours, valueWords, type RunComparison, type RunStatus } from '../../app/contract'
import { cssOf } from '../arithmetic/colours'
import { formatCount, formatDuration } from '../arithmetic/format'
import { chooseSide, leaveCompare, saveComparison } from '../store/runs/compareActions'
import { comparable } from '../store/slices/compareSlice'
import { useStore } from '../store/store'
import { words } from '../words'
import { ToolCard } from './ToolCard'
import { paramNamed, said, titled } from '../words/named'
import { Said } from '../widgets/Said'

function Choice({ side, runs }: { readonly side: 'a' | 'b'; readonly runs: readonly RunStatus[] }) {
  const chosen = useStore((state) => state.compare[side])
  const recipes = useStore((state) => state.runs.recipeById)
  return (
    <label className="compare-choice">
      <b className="compare-side" style={{ background: cssOf(comparedColours[side]) }}>
        {side.toUpperCase()}
      </b>
      <NativeSelect
        size="xs"
        aria-label={words.compare.result(side.toUpperCase())}
        value={chosen ?? ''}
        onChange={(event) => chooseSide(side, event.currentTarget.value)}
        data={runs.map(({ runId, name, objects }) => ({
          value: runId,
          label: words.compare.run(name, recipes[runId] ?? '', formatCount(objects)),
        }))}
        data-testid={`compare-${side}`}
      />
    </label>
  )
}

function Agreement({ found }: { readonly found: RunComparison }) {
  const rows = [
    { key: 'a', label: words.compare.onlyInA, count: found.onlyA },
    { key: 'b', label: words.compare.onlyInB, count: found.onlyB },
    { key: 'both', label: words.compare.inBoth, count: found.both },
  ] as const
  return (
    <>
      <ul className="compare-legend" aria-label={words.compare.colours} data-testid="compare-legend">
        {rows.map(({ key, label, count }) => (
          <li key={key}>
            <i style={{ borderColor: cssOf(comparedColours[key]) }} title={label} aria-hidden />
            <span>{label}</span>
            <b className="num" data-testid={`compare-${key === 'both' ? 'both' : `only-${key}`}`}>
              {formatCount(count)}
            </b>
          </li>
        ))}
      </ul>
      <dl className="why-values">
        <div>
          <dt>{words.compare.dice}</dt>
          <dd className="num" data-testid="compare-dice">
            {found.dice.toFixed(3)}
          </dd>
        </div>
        <div>
          <dt>{words.compare.overlap}</dt>
          <dd className="num">{found.meanIou === null ? '–' : found.meanIou.toFixed(3)}</dd>
        </div>
        <div>
          <dt>{words.compare.time}</dt>
          <dd className="num">
            {formatDuration(found.a.elapsedMs)}, {formatDuration(found.b.elapsedMs)}
          </dd>
        </div>
      </dl>
    </>
  )
}

function Values({ found }: { readonly found: RunComparison }) {
  if (found.a.imported || found.b.imported) return <p className="dim">{words.compare.importedValues}</p>
  if (found.values.length === 0) return <p className="dim">{words.compare.sameValues}</p>
  return (
    <table className="compare-values" data-testid="compare-values">
      <thead>
        <tr>
          <th scope="col">{words.compare.value}</th>
          <th scope="col">{words.compare.a}</th>
          <th scope="col">{words.compare.b}</th>
        </tr>
      </thead>
      <tbody>
        {found.values.map(({ stage, param, label, unit, a, b }) => (
          <tr key={`${stage}.${param}`}>
            <th scope="row">{paramNamed(label)}</th>
            <td className="num">{titled(valueWords(a, unit))}</td>
            <td className="num">{titled(valueWords(b, unit))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function CompareCard() {
  const { on, a, busy, found, refused } = useStore((state) => state.compare)
  const runs = useStore((state) => state.runs)
  if (!on) return null
  return (
    <ToolCard
      id="compare"
      title={words.compare.title}
      label={words.compare.card}
      buttons={busy && <Loader size={11} />}
      looks="compare"
      isBusy={busy}
      body={{ tabIndex: 0, role: 'group', 'aria-label': words.compare.comparison, 'aria-live': 'polite' }}
      onClose={leaveCompare}
    >
      {a === null ? (
        <p className="dim">{words.compare.needsTwo}</p>
      ) : (
        <>
          <Choice side="a" runs={comparable(runs)} />
          <Choice side="b" runs={comparable(runs)} />
        </>
      )}
      {refused !== null && (
        <p className="why-verdict dropped">
          <Said text={refused} />
        </p>
      )}
      {found && (
        <>
          <Agreement found={found} />
          <Values found={found} />
          {found.notes.map((note) => (
            <p key={note} className="dim">
              <Said text={said(note)} />
            </p>
          ))}
          <div className="compare-save">
            {(['csv', 'json'] as const).map((as) => (
              <Button
                key={as}
                size="compact-xs"
                variant="light"
                onClick={() => saveComparison(as)}
                data-testid={`compare-save-${as}`}
              >
                {words.compare.saveAs(as.toUpperCase())}
              </Button>
            ))}
          </div>
        </>
      )}
    </ToolCard>
  )
}
