// The bottom line: where the cursor is, how large things are, what computes.
import { IconX } from '@tabler/icons-react'
import { runCommand } from '../store/commands/commands'
import { engineState, engineWords } from '../store/engine/engineState'
import { mppWords, slideMpp } from '../store/slices/slideSlice'
import { leaveTour } from '../store/commands/startActions'
import { patch, useStore } from '../store/store'
import { words } from '../words'
import { DeviceMenu } from './DeviceMenu'
import { Magnification } from './Magnification'

function Cursor() {
  const pointer = useStore((state) => state.ui.pointer)
  const info = useStore((state) => state.slide.info)
  const inside = pointer && info && pointer.x >= 0 && pointer.y >= 0 && pointer.x < info.widthPx && pointer.y < info.heightPx
  if (!inside) return <span className="status-cursor dim">{words.status.cursorOutside}</span>
  const um =
    info.mppX !== null && info.mppY !== null
      ? `${(pointer.x * info.mppX).toFixed(1)}, ${(pointer.y * info.mppY).toFixed(1)} µm`
      : null
  return (
    <span className="status-cursor num" data-testid="cursor">
      {um && <b>{um}</b>}
      <span>{words.status.cursorPx(pointer.x, pointer.y)}</span>
    </span>
  )
}

function Zoom() {
  const info = useStore((state) => state.slide.info)
  if (!info) return null
  const mpp = slideMpp(info)
  return (
    <>
      <Magnification />
      <button
        type="button"
        className={`status-item link ${mpp === null ? 'warn' : ''}`}
        onClick={() => patch('ui', { dialog: 'info' })}
        data-testid="mpp"
      >
        {mppWords(info) ?? words.status.uncalibrated}
      </button>
    </>
  )
}

function Engine() {
  const app = useStore((state) => state.ui.app)
  const state = useStore(engineState)
  const gone = useStore((state) => state.ui.engineGone)
  return (
    <>
      <DeviceMenu />
      <span className={`status-item engine ${state}`} data-testid="engine-state">
        <span className="dot" aria-hidden />
        {state === 'missing' || state === 'stopped' ? (
          <button type="button" className="link" onClick={() => patch('ui', { banner: gone })} data-testid="engine-gone">
            {engineWords[state]}
          </button>
        ) : (
          engineWords[state]
        )}
      </span>
      {app && <span className="status-item dim">{app.version}</span>}
    </>
  )
}

/** At the first start, where it covers nothing. */
function TourOffer() {
  const offered = useStore((state) => state.start.tour === 'offered')
  if (!offered) return null
  return (
    <span className="status-item tour-offer" role="status">
      <button type="button" className="link" onClick={() => runCommand('tour')} data-testid="tour-offer">
        {words.status.tour}
      </button>
      <button
        type="button"
        className="link"
        aria-label={words.status.noTour}
        onClick={() => leaveTour()}
        data-testid="tour-decline"
      >
        <IconX size={13} aria-hidden />
      </button>
    </span>
  )
}

export function StatusBar() {
  return (
    <footer className="status" aria-label={words.status.title}>
      <Cursor />
      <TourOffer />
      <span className="grow" />
      <Zoom />
      <Engine />
    </footer>
  )
}
