// The window's layout, and its keys.
import { lazy, Suspense, useEffect } from 'react'
import { words } from './words'
import { AddSlidesDialog } from './panels/dialogs/AddSlidesDialog'
import { AmountDialog } from './panels/dialogs/AmountDialog'
import { CommandPalette } from './panels/CommandPalette'
import { DropZone } from './panels/DropZone'
import { ErrorBanner } from './panels/ErrorBanner'
import { ExportDialog } from './panels/dialogs/ExportDialog'
import { GuideDialog } from './panels/dialogs/GuideDialog'
import { LicencesDialog } from './panels/licences/LicencesDialog'
import { Header } from './panels/Header'
import { HelpDialog } from './panels/dialogs/HelpDialog'
import { collapseWhenNarrow, useNoticePlace, usePanelWidths } from './panels/PanelEdge'
import { LongRunDialog } from './panels/dialogs/LongRunDialog'
import { ObjectsTable } from './panels/table/ObjectsTable'
import { OpenDialog } from './panels/dialogs/OpenDialog'
import { ProjectDialogs } from './panels/dialogs/ProjectDialogs'
import { QuestionDialog } from './panels/dialogs/QuestionDialog'
import { RecipePanel } from './panels/recipe/RecipePanel'
import { CoresDialog } from './panels/regions/CoresDialog'
import { RegionDialog } from './panels/regions/RegionDialog'
import { AskImportDialog } from './panels/regions/AskImportDialog'
import { PlaceDialog } from './panels/regions/PlaceDialog'
import { RegionImagesDialog } from './panels/regions/RegionImagesDialog'
import { SectionDialog } from './panels/regions/SectionDialog'
import { RegionsFile } from './panels/regions/RegionsFile'
import { ResultsPanel } from './panels/results/ResultsPanel'
import { SlideInfoDialog } from './panels/dialogs/SlideInfoDialog'
import { StatusBar } from './panels/StatusBar'
import { SummaryDialog } from './panels/dialogs/SummaryDialog'
import { TimelineDialog } from './panels/dialogs/TimelineDialog'

import { keySetChosen } from './store/base/commandKeys'
import { runCommand } from './store/commands/commands'
import { canFinish } from './store/commands/finishing'
import { isClicked, watchFocus } from './store/base/focusBy'
import { commandOf, focusOf, isOpenList } from './store/commands/keys'
import { classKey } from './store/objects/objectActions'
import { getState, useStore } from './store/store'
import { SecondView } from './viewer/second/SecondView'
import { Viewer } from './viewer/Viewer'

const StartPage = lazy(async () => ({ default: (await import('./panels/start/StartPage')).StartPage }))
const TourCard = lazy(async () => ({ default: (await import('./panels/start/TourCard')).TourCard }))

function onKey(event: KeyboardEvent): void {
  const focus = focusOf(event.target, isClicked)
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && focus !== 'text' && focus !== 'number'
  // A digit is a selected object's class before it is anything else.
  if (plain && getState().ui.dialog === null && !getState().start.shown && classKey(event.key)) return event.preventDefault()
  const command = commandOf(event, focus, keySetChosen())
  if (!command) return
  // A dialog has the keyboard to itself. Its own Escape has closed it by now, and must not cancel anything else.
  const inDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null
  if (command === 'cancel' && (inDialog || isOpenList(event.target))) return
  if (getState().ui.dialog !== null && command !== 'help' && command !== 'guide') return
  // Nothing is drawn: what was clicked last is pressed again, as a browser has it.
  if (command === 'finish' && !canFinish()) return
  event.preventDefault()
  // What is half typed counts before anything is computed.
  if (focus === 'number' && event.target instanceof HTMLElement) event.target.blur()
  runCommand(command)
  // A dialog that this key has opened listens to it by now, and must not be closed by it.
  if (command === 'cancel' && getState().ui.dialog !== null) event.stopImmediatePropagation()
}

export function App() {
  const leftOpen = useStore((state) => state.ui.leftOpen)
  const rightOpen = useStore((state) => state.ui.rightOpen)
  const tableOpen = useStore((state) => state.table.open)
  const second = useStore((state) => state.second.on && state.slide.info !== null)
  const starts = useStore((state) => state.start.shown)
  const touring = useStore((state) => typeof state.start.tour === 'number')
  const name = useStore((state) => state.slide.info?.name)
  // Whoever shows a key is drawn anew with it: nothing below is kept from that.
  useStore(({ ui }) => ui.settings?.keys)

  useEffect(() => {
    // Before the controls: afterwards a list that Escape closed is no longer open.
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
  useNoticePlace()
  useEffect(() => watchFocus(), [])
  useEffect(collapseWhenNarrow, [])
  useEffect(() => {
    document.title = name ? words.program.titleWith(name) : words.program.name
  }, [name])

  return (
    <DropZone>
      <div
        className={`app ${leftOpen ? '' : 'no-left'} ${rightOpen ? '' : 'no-right'} ${second ? 'two' : ''}`}
        style={usePanelWidths()}
      >
        <Header />
        <ErrorBanner />
        {/* Out of reach, and still there, while the start page lies over it. */}
        <div className="behind" inert={starts}>
          {leftOpen && <RecipePanel />}
          <Viewer />
          {second && <SecondView />}
          {tableOpen && <ObjectsTable />}
          {rightOpen && <ResultsPanel />}
        </div>
        {starts && (
          <Suspense>
            <StartPage />
          </Suspense>
        )}
        <StatusBar />
      </div>
      {touring && (
        <Suspense>
          <TourCard />
        </Suspense>
      )}
      <OpenDialog />
      <AddSlidesDialog />
      <ExportDialog />
      <SlideInfoDialog />
      <LongRunDialog />
      <RegionDialog />
      <CoresDialog />
      <AmountDialog />
      <TimelineDialog />
      <SummaryDialog />
      <HelpDialog />
      <GuideDialog />
      <LicencesDialog />
      <CommandPalette />
      <ProjectDialogs />
      <RegionsFile />
      <PlaceDialog />
      <AskImportDialog />
      <SectionDialog />
      <RegionImagesDialog />
      <QuestionDialog />
    </DropZone>
  )
}
