// The engine or the server is gone: what happened, and the one button that helps.
import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import { openAgain, restartEngine } from '../store/engineActions'
import { resumeRun } from '../store/interruptedActions'
import { lostRuns, percentDone, type JournalEntry } from '../store/interruptedSlice'
import { runAgain } from '../store/runActions'
import { fileName } from '../store/slideActions'
import { patch, useStore } from '../store/store'
import type { Banner } from '../store/uiSlice'

const dismiss = () => patch('ui', { banner: null })

/** One after the other: each has to be there before the next is asked for. */
async function goOn(entries: readonly JournalEntry[]): Promise<void> {
  for (const entry of entries) await resumeRun(entry)
}

function consequence({ restarted, closed, slidePath }: Banner, here: boolean): string {
  const kept = 'your recipe is kept'
  if (!restarted || slidePath === null) return 'Your recipe is kept.'
  if (closed) return `The slide was closed, in case it was the cause; ${kept}.`
  return here ? `Your slide has been opened again, and ${kept}.` : 'Your recipe is kept.'
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
          Start the engine again
        </Button>
      )}
      {banner.restarted && banner.closed && banner.slidePath !== null && (
        <Button size="compact-xs" color="red" disabled={opening} onClick={openAgain} data-testid="open-again">
          Open {fileName(banner.slidePath)} again
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
          {cut.length > 1 ? `Go on with all ${cut.length}` : `Go on at ${percentDone(cut[0]!)} %`}
        </Button>
      )}
      {banner.restarted && here && again.length > 0 && (
        <Button size="compact-xs" color="red" disabled={opening} onClick={runAll} data-testid="run-again">
          {again.length > 1 ? `Run all ${again.length} again` : 'Run again'}
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
          <b>The connection to the server is lost.</b> It comes back by itself when the server does; your recipe is kept. If it
          does not, start “morphoscope serve” again.
        </span>
      </div>
    )
  }
  if (!banner) return null
  return (
    <div className="banner" role="alert" data-testid="error-banner">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {banner.message} {begun && <b>{consequence(banner, here)}</b>}
      </span>
      <Remedies banner={banner} />
      <CloseButton size="sm" aria-label="Dismiss" onClick={dismiss} />
    </div>
  )
}
