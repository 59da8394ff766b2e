// The window's layout, and its keys.
import { useEffect } from 'react'
import { DropZone } from './panels/DropZone'
import { ErrorBanner } from './panels/ErrorBanner'
import { ExportDialog } from './panels/ExportDialog'
import { Header } from './panels/Header'
import { HelpDialog } from './panels/HelpDialog'
import { OpenDialog } from './panels/OpenDialog'
import { RecipePanel } from './panels/RecipePanel'
import { RegionDialog } from './panels/RegionDialog'
import { ResultsPanel } from './panels/ResultsPanel'
import { SlideInfoDialog } from './panels/SlideInfoDialog'
import { StatusBar } from './panels/StatusBar'
import { WholeSlideDialog } from './panels/WholeSlideDialog'
import { runCommand } from './store/commands'
import { commandOf, focusOf } from './store/keys'
import { getState, useStore } from './store/store'
import { Viewer } from './viewer/Viewer'

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const key = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey }
  const command = commandOf(key, focusOf(event.target))
  if (!command) return
  // A dialog has the keyboard to itself. Its own Escape has closed it by now, and must not cancel anything else.
  if (command === 'cancel' && event.target instanceof Element && event.target.closest('[role="dialog"]')) return
  if (getState().ui.dialog !== null && command !== 'help') return
  event.preventDefault()
  runCommand(command)
}

export function App() {
  const leftOpen = useStore((state) => state.ui.leftOpen)
  const rightOpen = useStore((state) => state.ui.rightOpen)
  const name = useStore((state) => state.slide.info?.name)

  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    document.title = name ? `${name} · Morphoscope` : 'Morphoscope'
  }, [name])

  return (
    <DropZone>
      <div className={`app ${leftOpen ? '' : 'no-left'} ${rightOpen ? '' : 'no-right'}`}>
        <Header />
        <ErrorBanner />
        {leftOpen && <RecipePanel />}
        <Viewer />
        {rightOpen && <ResultsPanel />}
        <StatusBar />
      </div>
      <OpenDialog />
      <ExportDialog />
      <SlideInfoDialog />
      <WholeSlideDialog />
      <RegionDialog />
      <HelpDialog />
    </DropZone>
  )
}
