// The engine or the server is gone: what happened, and the one button that helps.
import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { runAgain } from '../store/runActions'
import { patch, useStore } from '../store/store'
import type { Banner } from '../store/uiSlice'

function again({ again: request }: Banner): void {
  patch('ui', { banner: null })
  runAgain(request)
}

export function ErrorBanner() {
  const banner = useStore((state) => state.ui.banner)
  const offline = useStore((state) => state.ui.connection === 'offline')
  const opening = useStore((state) => state.slide.opening !== null)
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
        {banner.message}{' '}
        <b>{banner.restarted ? 'Your slide has been opened again for you, and your recipe is kept.' : 'Your recipe is kept.'}</b>
      </span>
      {banner.restarted && (
        <Button size="compact-xs" color="red" disabled={opening} onClick={() => again(banner)} data-testid="run-again">
          Run again
        </Button>
      )}
      <CloseButton size="sm" aria-label="Dismiss" onClick={() => patch('ui', { banner: null })} />
    </div>
  )
}
