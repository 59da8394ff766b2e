// The engine or the server is gone: what happened, and the one button that helps.
import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import { openAgain, restartEngine } from '../store/engine/engineActions'
import { resumeRun } from '../store/engine/interruptedActions'
import { lostRuns, percentDone, type JournalEntry } from '../store/slices/interruptedSlice'
import { runAgain } from '../store/runs/runActions'
import { fileName } from '../store/slide/slideActions'
import { patch, useStore } from '../store/store'
import type { Banner } from '../store/slices/uiSlice'
import { words } from '../words'
import { Said } from '../widgets/Said'

const dismiss = () => patch('ui', { banner: null })

/** One after the other: each has to be there before the next is asked for. */
async function goOn(entries: readonly JournalEntry[]): Promise<void> {
  for (const entry of entries) await resumeRun(entry)
}

function consequence({ restarted, closed, slidePath }: Banner, here: boolean): string {
  if (!restarted || slidePath === null) return words.engine.recipeKept
  if (closed) return words.engine.slideClosed
  return here ? words.engine.slideOpened : words.engine.recipeKept
}

function Remedies({ banner }: { readonly banner: Banner }) {
  const opening = useStore((state) => state.slide.opening !== null)
  // The coordinates of one slide mean nothing on another.
  const here = useStore((state) => state.slide.info?.path === banner.slidePath)
  const entries = useStore((state) => state.interrupted.entries)
  const resuming = useStore((state) => state.interrupted.resuming !== null)
  // What was being computed goes on; the rest begins again.
  const { cut, again } = lostRuns(banner.again, entries, banner.slidePath)
  const [starting, setStarting] = useState(false)
  const start = () => {
    setStarting(true)
    void restartEngine().finally(() => setStarting(false))
  }
  const runAll = () => {
    dismiss()
    for (const asked of again) runAgain(asked)
  }
  return (
    <>
      {banner.canRestart && (
        <Button size="compact-xs" color="red" loading={starting} onClick={start} data-testid="restart-engine">
          {words.buttons.startEngineAgain}
        </Button>
      )}
      {banner.restarted && banner.closed && banner.slidePath !== null && (
        <Button size="compact-xs" color="red" disabled={opening} onClick={openAgain} data-testid="open-again">
          {words.engine.openAgain(fileName(banner.slidePath))}
        </Button>
      )}
      {banner.restarted && here && cut.length > 0 && (
        <Button
          size="compact-xs"
          color="red"
          disabled={opening}
          loading={resuming}
          onClick={() => void goOn(cut)}
          data-testid="banner-resume"
        >
          {cut.length > 1 ? words.engine.goOnAll(cut.length) : words.engine.goOnAt(percentDone(cut[0]!))}
        </Button>
      )}
      {banner.restarted && here && again.length > 0 && (
        <Button size="compact-xs" color="red" disabled={opening} onClick={runAll} data-testid="run-again">
          {again.length > 1 ? words.engine.runAllAgain(again.length) : words.buttons.runAgain}
        </Button>
      )}
    </>
  )
}

export function ErrorBanner() {
  const banner = useStore((state) => state.ui.banner)
  const offline = useStore((state) => state.ui.connection === 'offline')
  // Before a first answer there is nothing that could be lost.
  const begun = useStore((state) => state.ui.app !== null)
  const here = useStore((state) => state.slide.info !== null && state.slide.info.path === state.ui.banner?.slidePath)
  if (offline) {
    return (
      <div className="banner" role="alert" data-testid="error-banner">
        <IconPlugConnectedX size={16} aria-hidden />
        <span>
          <b>{words.connection.isLost}</b> {words.connection.comesBack}
        </span>
      </div>
    )
  }
  if (!banner) return null
  return (
    <div className="banner" role="alert" data-testid="error-banner">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        <Said text={banner.message} /> {begun && <b>{consequence(banner, here)}</b>}
      </span>
      <Remedies banner={banner} />
      <CloseButton size="sm" aria-label={words.buttons.dismiss} onClick={dismiss} />
    </div>
  )
}
