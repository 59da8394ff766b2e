// The server's folders as a list: what a browser has in place of a file dialog.
import { Button, Loader } from '@mantine/core'
import { IconArrowUp, IconFile, IconFolder, IconSquareCheck } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import type { AppError, FileEntry } from '../../../app/contract'
import { listFiles } from '../../store/slide/slideActions'
import { formatBytes } from '../../arithmetic/format'
import { words } from '../../words'
import { Said } from '../../widgets/Said'

interface Listing {
  readonly path: string
  readonly parent: string | null
  readonly entries: readonly FileEntry[]
}

function EntryIcon({ directory, chosen }: { readonly directory: boolean; readonly chosen: boolean }) {
  const Icon = directory ? IconFolder : chosen ? IconSquareCheck : IconFile
  return <Icon size={15} aria-hidden />
}

interface Props {
  /** A file was clicked. */
  readonly onPath: (path: string) => void
  /** Files that are marked as chosen; absent: a click is no choice. */
  readonly chosen?: ReadonlySet<string>
  /** Files of the folder that is shown. */
  readonly onFolder?: (paths: readonly string[]) => void
}

/** The folders that the server allows, with their slide files. */
export function ServerFiles({ onPath, chosen, onFolder }: Props) {
  const [listing, setListing] = useState<Listing | null>(null)
  const [error, setError] = useState<AppError | null>(null)
  const go = useCallback(async (path?: string) => {
    const result = await listFiles(path)
    if (result.ok) setListing(result.value)
    setError(result.ok ? null : result.error)
  }, [])
  useEffect(() => void go(), [go])
  useEffect(() => {
    if (listing) onFolder?.(listing.entries.flatMap(({ directory, path }) => (directory ? [] : path)))
  }, [listing, onFolder])
  if (!listing)
    return error ? (
      <p className="field-error">
        <Said text={error.message} />
      </p>
    ) : (
      <Loader size="sm" />
    )
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
          {words.serverFiles.up}
        </Button>
        <span title={listing.path}>{listing.path}</span>
      </div>
      {error && (
        <p className="field-error" role="alert">
          <Said text={error.message} />
        </p>
      )}
      <ul aria-label={words.serverFiles.title} data-testid="files">
        {listing.entries.length === 0 && <li className="nothing">{words.serverFiles.nothing}</li>}
        {listing.entries.map((entry) => (
          <li key={entry.path}>
            <button
              type="button"
              aria-pressed={chosen && !entry.directory ? chosen.has(entry.path) : undefined}
              onClick={() => (entry.directory ? void go(entry.path) : onPath(entry.path))}
            >
              <EntryIcon directory={entry.directory} chosen={chosen?.has(entry.path) === true} />
              <span>{entry.name}</span>
              <i className="num">{entry.directory ? '' : formatBytes(entry.sizeBytes)}</i>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
