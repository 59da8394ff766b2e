// The start page: what can be opened, slides and projects of lately, and the way into the tour.
import { Button } from '@mantine/core'
import {
  IconArrowLeft,
  IconFolder,
  IconFolderOpen,
  IconMicroscope,
  IconPhotoOff,
  IconRoute,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { StartItems, UnnamedProject } from '../../../app/contract'
import { keysOf } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { slidePictureUrl } from '../../store/cohort/cohortActions'
import {
  deleteUnnamed,
  forgetRecent,
  leaveStart,
  openProjectAtStart,
  openRecent,
  openSample,
  openUnnamedAtStart,
  recentPictureUrl,
} from '../../store/commands/startActions'
import { useStore } from '../../store/store'
import { slideNames, unnamedContents, unnamedTitle } from '../../store/document/unnamedWords'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

type Entry = StartItems['projects'][number]

const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '')
const dayOf = (time: string): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime())
    ? ''
    : date.toLocaleDateString(words.dates.locale, { day: 'numeric', month: 'short', year: 'numeric' })
}

function Picture({ url }: { readonly url: string | undefined }) {
  const [broken, setBroken] = useState(false)
  return (
    <span className="start-picture">
      {url === undefined || broken ? (
        <IconPhotoOff size={26} aria-hidden />
      ) : (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
    </span>
  )
}

interface CardProps {
  readonly entry: Entry
  readonly onOpen: () => void
  readonly children?: ReactNode
}

/** One that is not there can be taken off the list, and no more. */
function Card({ entry: { path, name, openedAt, missing }, onOpen, children }: CardProps) {
  return (
    <li className={missing ? 'start-card missing' : 'start-card'}>
      <button type="button" className="start-open" title={path} disabled={missing} onClick={onOpen}>
        {children}
        <span className="start-words">
          <strong>{name}</strong>
          <span className="start-folder">{folderOf(path)}</span>
          <span>{missing ? words.start.missing : dayOf(openedAt)}</span>
        </span>
      </button>
      <IconButton label={words.start.takeOff(name)} onClick={() => void forgetRecent(path)} testId="start-forget">
        <IconX size={15} />
      </IconButton>
    </li>
  )
}

/** By when it was changed last, and what is in it: it has no other name. */
function UnnamedCard({ project }: { readonly project: UnnamedProject }) {
  const title = unnamedTitle(project)
  return (
    <li className="start-card" data-testid="start-unnamed-card">
      <button type="button" className="start-open" onClick={() => void openUnnamedAtStart(project)}>
        <Picture url={project.slide === undefined ? undefined : slidePictureUrl(project.slide)} />
        <span className="start-words">
          <strong>{title}</strong>
          <span>{unnamedContents(project)}</span>
          <span className="start-folder">{project.open ? words.start.openNow : slideNames(project)}</span>
        </span>
      </button>
      {!project.open && (
        <IconButton label={words.start.deleteUnnamed(title)} onClick={() => deleteUnnamed(project)} testId="start-delete">
          <IconTrash size={15} />
        </IconButton>
      )}
    </li>
  )
}

export function StartPage() {
  const items = useStore((state) => state.start.items)
  const hasSlide = useStore((state) => state.slide.info !== null)
  const opening = useStore((state) => state.slide.opening !== null)
  const hasSample = useStore((state) => (state.ui.app?.sampleSlide ?? null) !== null)
  const page = useRef<HTMLElement>(null)
  // Keys are its own from now on, and a reader begins here.
  useEffect(() => page.current?.focus(), [])
  return (
    <main className="start-page" aria-label={words.start.page} tabIndex={-1} ref={page} data-testid="start-page">
      <div className="start-inner">
        <h2>{words.start.title}</h2>
        <div className="start-actions">
          <Button
            className="main-action"
            leftSection={<IconFolderOpen size={15} />}
            onClick={() => runCommand('open')}
            data-testid="start-open"
          >
            {words.buttons.openSlide}{' '}
            <kbd className="start-key" aria-hidden>
              {keysOf('open')[0]}
            </kbd>
          </Button>
          <Button
            variant="default"
            leftSection={<IconFolder size={15} />}
            onClick={() => runCommand('openProject')}
            data-testid="start-project"
          >
            {words.buttons.openProject}
          </Button>
          {hasSample && (
            <Button
              variant="default"
              leftSection={<IconMicroscope size={15} />}
              onClick={() => void openSample()}
              data-testid="start-sample"
            >
              {words.start.sample}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconRoute size={15} />}
            onClick={() => runCommand('tour')}
            disabled={!hasSample && !hasSlide}
            data-testid="start-tour"
          >
            {words.start.tour}
          </Button>
          <span className="grow" />
          {hasSlide && (
            <Button
              variant="subtle"
              leftSection={<IconArrowLeft size={15} />}
              onClick={() => leaveStart()}
              data-testid="start-back"
            >
              {words.start.back}
            </Button>
          )}
        </div>
        <p className="dim" role="status">
          {opening ? words.states.opening : words.start.orDrop}
        </p>
        <h3>{words.names.recentSlides}</h3>
        {items?.slides.length === 0 && <p className="dim">{words.start.noSlides}</p>}
        <ul className="start-cards" data-testid="start-slides">
          {items?.slides.map((slide) => (
            <Card key={slide.path} entry={slide} onOpen={() => void openRecent(slide.path)}>
              <Picture url={slide.picture === undefined ? undefined : recentPictureUrl(slide.picture)} />
            </Card>
          ))}
        </ul>
        <h3>{words.names.recentProjects}</h3>
        {items?.projects.length === 0 && <p className="dim">{words.start.noProjects}</p>}
        <ul className="start-cards projects" data-testid="start-projects">
          {items?.projects.map((project) => (
            <Card key={project.path} entry={project} onOpen={() => void openProjectAtStart(project.path)}>
              <Picture url={project.slide === undefined ? undefined : slidePictureUrl(project.slide)} />
            </Card>
          ))}
        </ul>
        {items !== null && items.unnamed.length > 0 && (
          <>
            <h3>{words.names.unnamedProjects}</h3>
            <p className="dim">{words.start.unnamedNote}</p>
            <ul className="start-cards projects" data-testid="start-unnamed">
              {items.unnamed.map((project) => (
                <UnnamedCard key={project.id} project={project} />
              ))}
            </ul>
          </>
        )}
      </div>
    </main>
  )
}
