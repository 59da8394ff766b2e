// Opens a slide from the folders that the server allows: the browser's file dialog.
import { Button, Group, Loader, Modal, TextInput } from '@mantine/core'
import { IconArrowUp, IconFile, IconFolder, IconHistory } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import type { AppError, FileEntry } from '../../app/contract'
import { listFiles, openSlide } from '../store/slideActions'
import { patch, useStore } from '../store/store'
import { formatBytes } from '../arithmetic/format'
import { entryProblem, NumberEntry, mppRange } from '../widgets/NumberEntry'

interface Listing {
  readonly path: string
  readonly parent: string | null
  readonly entries: readonly FileEntry[]
}

function Files({ onPath }: { readonly onPath: (path: string) => void }) {
  const [listing, setListing] = useState<Listing | null>(null)
  const [error, setError] = useState<AppError | null>(null)
  const go = useCallback(async (path?: string) => {
    const result = await listFiles(path)
    if (result.ok) setListing(result.value)
    setError(result.ok ? null : result.error)
  }, [])
  useEffect(() => void go(), [go])
  if (!listing) return error ? <p className="field-error">{error.message}</p> : <Loader size="sm" />
  return (
    <div className="files">
      <div className="files-path">
        <Button
          size="compact-xs"
          variant="default"
          disabled={listing.parent === null}
          leftSection={<IconArrowUp size={13} />}
          onClick={() => listing.parent !== null && void go(listing.parent)}
        >
          Up
        </Button>
        <span title={listing.path}>{listing.path}</span>
      </div>
      {error && (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
      <ul aria-label="Files" data-testid="files">
        {listing.entries.length === 0 && <li className="nothing">No slides in this folder.</li>}
        {listing.entries.map((entry) => (
          <li key={entry.path}>
            <button type="button" onClick={() => (entry.directory ? void go(entry.path) : onPath(entry.path))}>
              {entry.directory ? <IconFolder size={15} aria-hidden /> : <IconFile size={15} aria-hidden />}
              <span>{entry.name}</span>
              <i className="num">{entry.directory ? '' : formatBytes(entry.sizeBytes)}</i>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function OpenDialog() {
  const opened = useStore((state) => state.ui.dialog === 'open')
  const recents = useStore((state) => state.slide.recents)
  const [path, setPath] = useState('')
  const [mpp, setMpp] = useState<number | null>(null)
  const usable = entryProblem(mpp, { ...mppRange, optional: true }) === null
  const open = (chosen: string) => usable && void openSlide(chosen, mpp ?? undefined)
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title="Open a slide" size="lg">
      <Files onPath={open} />
      {recents.length > 0 && (
        <div className="files-recent">
          <IconHistory size={14} aria-hidden />
          {recents.slice(0, 4).map((recent) => (
            <Button key={recent.path} size="compact-xs" variant="default" onClick={() => open(recent.path)} title={recent.path}>
              {recent.name}
            </Button>
          ))}
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (path.trim() !== '') open(path.trim())
        }}
      >
        <Group align="flex-end" gap="xs" mt="sm" wrap="nowrap">
          <TextInput
            className="grow"
            size="xs"
            label="Or a path on the server"
            placeholder="/path/to/slide.svs"
            value={path}
            onChange={(event) => setPath(event.currentTarget.value)}
            data-testid="open-path"
          />
          <NumberEntry
            width={130}
            label="µm/px, if known"
            placeholder="from the file"
            {...mppRange}
            optional
            step={0.01}
            value={mpp}
            onChange={setMpp}
          />
          <Button type="submit" disabled={path.trim() === '' || !usable} data-testid="open-path-go">
            Open
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
