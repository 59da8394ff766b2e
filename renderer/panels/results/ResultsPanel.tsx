// What came out: counts, the selected object, timings, warnings.
import { IconAlertTriangle, IconArrowsDiff, IconEraser, IconTimeline } from '@tabler/icons-react'
import { useEffect, useRef, type RefObject } from 'react'
import {
  allredOf,
  densitiesOf,
  densityTitles,
  hScoreOf,
  isOver,
  lookedAtPx,
  positiveShareOf,
  runAreas,
  runMm2,
  shareIntervalOf,
  wilsonInterval,
} from '../../../app/contract'
import type { Densities, RunStatus } from '../../../app/contract'
import { tip } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { clearResults } from '../../store/runs/runList'
import { hasHotSpot } from '../../store/slices/hotSpotSlice'
import { activeRun, chosenRun, fullRuns, isStarting, shownElsewhere } from '../../store/slices/runSlice'
import { useStore } from '../../store/store'
import { ToolCards } from '../../tools/ToolCards'
import { formatArea, formatCount, formatDuration } from '../../arithmetic/format'
import { IconButton } from '../../widgets/IconButton'
import { Section } from '../../widgets/Section'
import { Swatch } from '../../widgets/Swatch'
import { words } from '../../words'
import { CarryOffer } from './CarryOffer'
import { HotSpotFacts } from '../classes/HotSpot'
import { Interrupted } from '../Interrupted'
import { NoObjects } from './NoObjects'
import { PanelEdge } from '../PanelEdge'
import { RegionsSection } from '../regions/RegionsPanel'
import { RunControls } from './RunControls'
import { RunList, RunsElsewhere } from './RunList'
import { SlidesSection } from '../start/SlidesPanel'
import { SelectedObject } from './SelectedObject'
import { Timings } from '../dialogs/Timings'
import { Said } from '../../widgets/Said'
import { titled } from '../../words/named'

/** How many are of which class: also the legend of their outlines. */
function Classes({
  classes,
  objects,
  cuts,
}: Pick<RunStatus, 'objects' | 'cuts'> & { readonly classes: NonNullable<RunStatus['classes']> }) {
  const score = hScoreOf(classes, cuts)
  const [allred, share, interval] = [allredOf(classes, cuts), positiveShareOf(classes), shareIntervalOf(classes)]
  return (
    <dl className="facts" data-testid="classes">
      {classes.map(({ id, label, color, objects: count }) => (
        <div key={id}>
          <dt>
            <Swatch colour={`rgb(${color.join(' ')})`} name={titled(label)} isSaid />
            {titled(label)}
          </dt>
          <dd className="num" title={words.figures.classInterval(wilsonInterval(count, objects))}>
            <b>{formatCount(count)}</b> ({((100 * count) / objects).toFixed(1)} %)
          </dd>
        </div>
      ))}
      {score !== null && (
        <div data-testid="h-score">
          <dt title={words.figures.hScoreTip}>{words.names.hScore}</dt>
          <dd className="num">
            <b>{score.toFixed(0)}</b>
          </dd>
        </div>
      )}
      {allred && (
        <div data-testid="allred">
          <dt title={words.figures.allredTip}>{words.names.allred}</dt>
          <dd className="num">
            <b>{allred.score}</b> ({words.figures.allredParts(allred.proportion, allred.intensity)})
          </dd>
        </div>
      )}
      {share !== null && interval && (
        <div data-testid="positive-share">
          <dt title={words.figures.intervalTip}>{words.names.positiveShare}</dt>
          <dd className="num">
            <b>{(100 * share).toFixed(1)} %</b> ({words.shares.interval(interval)})
          </dd>
        </div>
      )}
      {cuts && (
        <div data-testid="class-cuts">
          <dt className="whole-word">{words.names.cutOffs}</dt>
          <dd className="num">{words.shares.cuts(cuts)}</dd>
        </div>
      )}
    </dl>
  )
}

/** Of a run that is done; that of tissue only where it is known. */
function Density({ run }: { readonly run: RunStatus | null }) {
  const densities = run?.state === 'done' ? densitiesOf(run.objects, runAreas(run)) : null
  const densityOf = (key: keyof Densities): string =>
    densities && densities[key] !== null ? `${formatCount(densities[key])} ${titled(densityTitles[key])}` : '–'
  return (
    <>
      <div className="main-fact">
        <dt>{words.figures.density}</dt>
        <dd className="num">{densityOf('perMm2')}</dd>
      </div>
      {run?.tissue && (
        <div className="main-fact" data-testid="tissue-density">
          <dt>{words.figures.inTissue}</dt>
          <dd className="num">{densityOf('perMm2Tissue')}</dd>
        </div>
      )}
    </>
  )
}

function Counts() {
  // Figures of an older run must not be read as those of the one that is just starting.
  const run = useStore((state) => (isStarting(state.runs, 'run') ? null : activeRun(state.runs)))
  const kept = useStore((state) => chosenRun(state.runs))
  const mm2 = run && runMm2(run)
  const isPreview = run?.purpose === 'preview'
  return (
    <div className="counts" aria-live="polite">
      <div className="count">
        <b className="num" data-testid="object-count">
          {run && run.state !== 'queued' ? formatCount(run.objects) : '–'}
        </b>
        <span data-testid="object-count-of">
          {isPreview
            ? words.figures.objectsInPreview(run.objects)
            : run
              ? words.figures.objectsIn(run.objects, run.name)
              : words.figures.objectsAlone(0)}
          {isPreview && <i className="preview-mark">{words.names.preview}</i>}
        </span>
      </div>
      {run && <NoObjects run={run} />}
      <CarryOffer />
      {run?.classes && run.objects > 0 && (
        <Classes classes={run.classes} objects={run.objects} {...(run.cuts && { cuts: run.cuts })} />
      )}
      {run && hasHotSpot(run) && <HotSpotFacts run={run} />}
      <dl className="facts">
        {run?.deleted && (
          <div data-testid="deleted">
            <dt>{words.figures.deletedByHand}</dt>
            <dd className="num">{formatCount(run.deleted)}</dd>
          </div>
        )}
        {run?.made && (
          <div data-testid="made">
            <dt>{words.names.madeByHand}</dt>
            <dd className="num">
              {formatCount(run.made)}
              {run.replaced && words.figures.inPlaceOf(run.replaced)}
            </dd>
          </div>
        )}
        {run?.byHand && (
          <div data-testid="by-hand">
            <dt>{words.figures.classByHand}</dt>
            <dd className="num">{formatCount(run.byHand)}</dd>
          </div>
        )}
        {isPreview && kept && (
          <div>
            <dt>{kept.name}</dt>
            <dd className="num" data-testid="kept-count">
              <b>{formatCount(kept.objects)}</b> {words.figures.objectsAlone(kept.objects)}
            </dd>
          </div>
        )}
        <Density run={run} />
        <div>
          <dt>{words.names.region}</dt>
          <dd className="num">{run ? formatArea(mm2, lookedAtPx(run) / 1e6) : '–'}</dd>
        </div>
        {run?.tissue && (
          <div data-testid="tissue">
            <dt>{words.names.tissue}</dt>
            <dd className="num">{formatArea(run.tissue.mm2, run.tissue.megapixels)}</dd>
          </div>
        )}
        <div>
          <dt>{words.figures.analysedAt}</dt>
          <dd className="num">
            {run
              ? run.analysedMpp === null
                ? words.figures.uncalibrated(run.grid.scale)
                : `${run.analysedMpp.toFixed(3)} µm/px`
              : '–'}
            {run?.analysedBits && words.figures.bits(run.analysedBits)}
          </dd>
        </div>
        {run && isOver(run) && (
          <div>
            <dt>{words.figures.took}</dt>
            <dd className="num">{formatDuration(run.elapsedMs)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function Warnings() {
  const run = useStore((state) => activeRun(state.runs))
  if (!run || (run.warnings.length === 0 && run.unreadableTiles === 0 && !run.error)) return null
  return (
    <ul className="warnings" data-testid="warnings">
      {run.error && (
        <li className="bad">
          <Said text={run.error.message} />
        </li>
      )}
      {run.unreadableTiles > 0 && <li>{words.warnings.unreadableTiles(run.unreadableTiles)}</li>}
      {run.warnings.map((warning) => (
        <li key={warning}>
          <Said text={warning} />
        </li>
      ))}
    </ul>
  )
}

function ActiveTimings() {
  return <Timings run={useStore((state) => activeRun(state.runs))} />
}

/** What was chosen on the slide or in the table is shown, wherever the panel was scrolled to: as much of it as there is room for, from its heading on. */
function useShown(found: unknown): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = root.current
    const panel = box?.closest('.panel-scroll')
    if (found === null || !box || !panel) return
    const [inner, outer] = [box.getBoundingClientRect(), panel.getBoundingClientRect()]
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) return
    // Its end is seen where all of it has room, else its heading.
    const by = inner.height <= outer.height && inner.top > outer.top ? inner.bottom - outer.bottom : inner.top - outer.top
    panel.scrollBy({ top: by })
  }, [found])
  return root
}

/** Asks for no run's status itself: with each that comes all of the panel would be put together anew. */
export function ResultsPanel() {
  const hasActive = useStore((state) => activeRun(state.runs) !== null)
  const kept = useStore((state) => fullRuns(state.runs).length)
  const hasRun = useStore((state) => state.runs.stack.length > 0)
  const compares = useStore((state) => state.compare.on)
  // What follows the same place through previews scrolls nothing.
  const at = useStore(({ selection }) => (selection.state === 'found' && selection.object ? selection.at : null))
  const selected = useShown(at)
  const elsewhere = useStore((state) => shownElsewhere(state.runs).length)
  const warned = useStore((state) => {
    const run = activeRun(state.runs)
    return run ? run.warnings.length + (run.unreadableTiles > 0 ? 1 : 0) + (run.error ? 1 : 0) : 0
  })
  return (
    <aside className="panel right" aria-label={words.names.results}>
      <div className="panel-top">
        <RunControls />
      </div>
      <ToolCards place="panel" />
      <div className="panel-scroll" tabIndex={-1}>
        {elsewhere > 0 && (
          <Section title={words.elsewhere.title(elsewhere)}>
            <RunsElsewhere />
          </Section>
        )}
        <Section title={words.figures.title}>
          <Counts />
        </Section>
        <div ref={selected}>
          <Section title={words.selected.title} wanted={at !== null}>
            <SelectedObject />
          </Section>
        </div>
        <SlidesSection />
        <RegionsSection />
        <Section
          title={kept > 0 ? words.runList.titleWith(kept) : words.names.results}
          aside={
            <>
              <IconButton
                size={22}
                {...tip('compare')}
                disabled={kept < 2}
                pressed={compares}
                onClick={() => runCommand('compare')}
                testId="compare-open"
              >
                <IconArrowsDiff size={14} />
              </IconButton>
              <IconButton
                size={22}
                label={words.runList.deleteAll}
                disabled={!hasRun}
                onClick={clearResults}
                testId="clear-results"
              >
                <IconEraser size={14} />
              </IconButton>
            </>
          }
        >
          <RunList />
        </Section>
        {warned > 0 && (
          <Section
            title={words.warnings.titleWith(warned)}
            aside={<IconAlertTriangle size={14} className="warn-icon" aria-hidden />}
          >
            <Warnings />
          </Section>
        )}
        <Interrupted />
        <Section
          title={words.timings.title}
          folded
          aside={
            <IconButton
              size={22}
              {...tip('timeline')}
              disabled={!hasActive}
              onClick={() => runCommand('timeline')}
              testId="timeline-open"
            >
              <IconTimeline size={14} />
            </IconButton>
          }
        >
          <ActiveTimings />
        </Section>
      </div>
      <PanelEdge side="right" />
    </aside>
  )
}
