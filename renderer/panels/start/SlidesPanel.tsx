// The project's slides with their state: opened by a click or with the keyboard, chosen, and a recipe run over them.
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconFolderPlus, IconPhotoOff, IconPlus, IconTable, IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { type ProjectSlide } from '../../../app/contract'
import { removeSlide, stopAdding } from '../../store/cohort/addingActions'
import { cancelOverSlides, openProjectSlide, slidePictureUrl } from '../../store/cohort/cohortActions'
import { cohortWords, meantSlides, slideWords, unfitNote, unfitOf } from '../../store/slices/cohortSlice'
import { currentSpec } from '../../store/slices/recipeSlice'
import { tip } from '../../store/base/commandKeys'
import { runCommand } from '../../store/commands/commands'
import { patch, getState, useStore } from '../../store/store'
import { formatCount } from '../../arithmetic/format'
import { IconButton } from '../../widgets/IconButton'
import { Section } from '../../widgets/Section'
import { words } from '../../words'
import { ProjectMenu, ProjectPlace } from './ProjectPlace'

/** More rows than anybody reads. */
const mostRows = 500

/** Up and down go from row to row; Enter opens, as a click does. */
function onKey(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLButtonElement>('.run-main') ?? [])]
  rows[rows.indexOf(event.currentTarget) + step]?.focus()
}

function choose(key: string): void {
  const { chosen } = getState().cohort
  patch('cohort', { chosen: chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key] })
}

/** From afar, without its label; loaded when its row comes into sight. */
function Picture({ slide }: { readonly slide: ProjectSlide }) {
  return (
    <span className="slide-picture" aria-hidden>
      {slide.pictured ? (
        <img src={slidePictureUrl(slide.key)} alt="" loading="lazy" decoding="async" data-testid="slide-picture" />
      ) : (
        <IconPhotoOff size={14} />
      )}
    </span>
  )
}

function Row({ slide }: { readonly slide: ProjectSlide }) {
  const live = useStore(({ cohort }) =>
    cohort.cohort?.going ? cohort.cohort.slides.find(({ key }) => key === slide.key) : undefined,
  )
  const here = useStore(({ project }) => project.doc?.slide === slide.key)
  const chosen = useStore(({ cohort }) => cohort.chosen.includes(slide.key))
  const { look, words: said, objects } = slideWords(slide, live)
  const unfit = useStore(({ recipe }) => unfitOf(slide, recipe.specs, currentSpec(recipe)))
  return (
    <li className={`run slide-row ${look} ${here ? 'chosen' : ''}`} data-testid="slide-row" data-look={look}>
      <input
        type="checkbox"
        aria-label={words.projectSlides.choose(slide.name)}
        checked={chosen}
        onChange={() => choose(slide.key)}
      />
      <Picture slide={slide} />
      <button
        type="button"
        className="run-main"
        aria-current={here}
        title={words.projectSlides.rowTip(slide.name, said)}
        onClick={() => openProjectSlide(slide.key)}
        onKeyDown={onKey}
        data-testid="slide-open"
      >
        <span className="run-name">{slide.name}</span>
        <b className="num" data-testid="slide-objects">
          {objects === null ? '–' : formatCount(objects)}
        </b>
        <span className="run-state num" data-testid="slide-state">
          {said}
        </span>
        {unfit !== null && (
          <span className="slide-unfit" data-testid="slide-unfit">
            <IconAlertTriangle size={12} aria-hidden /> {unfit}
          </span>
        )}
      </button>
      <IconButton
        size={22}
        label={words.projectSlides.takeOut(slide.name)}
        disabled={live !== undefined}
        onClick={() => removeSlide(slide)}
        testId="slide-remove"
      >
        <IconX size={13} />
      </IconButton>
      {live?.state === 'running' && (
        <span className="run-bar" aria-hidden>
          <span style={{ transform: `scaleX(${live.fraction})` }} />
        </span>
      )}
    </li>
  )
}

function RunOver() {
  const cohort = useStore((state) => state.cohort.cohort)
  const chosen = useStore((state) => state.cohort.chosen.length)
  const some = useStore((state) => state.cohort.slides.length > 0)
  const unfit = useStore(({ cohort: all, recipe }) => unfitNote(meantSlides(all), currentSpec(recipe)))
  return (
    <div className="slide-tools">
      {unfit !== null && !cohort?.going && (
        <span className="slide-unfit" role="status" data-testid="cohort-unfit">
          {unfit}
        </span>
      )}
      <span className="note num" data-testid="cohort-words">
        {cohort ? cohortWords(cohort) : ''}
      </span>
      {cohort?.going ? (
        <Button size="compact-xs" variant="default" onClick={() => void cancelOverSlides()} data-testid="cohort-cancel">
          {words.projectSlides.stop}
        </Button>
      ) : (
        <Button
          size="compact-xs"
          variant="default"
          disabled={!some}
          title={tip('runSlides').label}
          onClick={() => runCommand('runSlides')}
          data-testid="cohort-run"
        >
          {chosen > 0 ? words.projectSlides.runOnChosen(chosen) : words.projectSlides.runOnAll}
        </Button>
      )}
    </div>
  )
}

function HowToRun() {
  const { again, carry, cohort } = useStore((state) => state.cohort)
  const going = cohort?.going === true
  return (
    <>
      <label className="slide-choice" title={words.projectSlides.againTip}>
        <input
          type="checkbox"
          checked={again}
          disabled={going}
          onChange={(event) => patch('cohort', { again: event.currentTarget.checked })}
          data-testid="cohort-again"
        />
        {words.projectSlides.again}
      </label>
      <label className="slide-choice" title={words.projectSlides.carryTip}>
        <input
          type="checkbox"
          checked={carry}
          disabled={going}
          onChange={(event) => patch('cohort', { carry: event.currentTarget.checked })}
          data-testid="cohort-carry"
        />
        {words.projectSlides.carry}
      </label>
    </>
  )
}

function Adding() {
  const adding = useStore((state) => state.cohort.adding)
  if (!adding) return null
  return (
    <div className="slide-tools" role="status" data-testid="slides-adding">
      <span className="note num progress-what">{words.adding.now(adding.done + 1, adding.total, adding.name)}</span>
      <Button size="compact-xs" variant="default" onClick={stopAdding} data-testid="adding-stop">
        {words.adding.stop}
      </Button>
    </div>
  )
}

export function SlidesSection() {
  const adding = useStore((state) => state.cohort.adding !== null)
  const slides = useStore((state) => state.cohort.slides)
  const canAdd = useStore(({ project, slide, cohort }) => {
    const key = project.doc?.slide
    return slide.info !== null && typeof key === 'string' && !cohort.slides.some((each) => each.key === key)
  })
  return (
    <Section
      // One slide is the one on screen: a list of it says nothing new.
      key={slides.length > 1 ? 'many' : 'one'}
      folded={slides.length <= 1}
      title={slides.length > 0 ? words.projectSlides.titleWith(slides.length) : words.names.project}
      always={<ProjectPlace />}
      help={words.projectSlides.help}
      aside={
        <>
          <IconButton
            size={22}
            {...tip('summary')}
            disabled={slides.length === 0}
            onClick={() => runCommand('summary')}
            testId="summary-open"
          >
            <IconTable size={14} />
          </IconButton>
          <IconButton size={22} {...tip('addSlide')} disabled={!canAdd} onClick={() => runCommand('addSlide')} testId="slide-add">
            <IconPlus size={14} />
          </IconButton>
          <IconButton
            size={22}
            {...tip('addSlides')}
            disabled={adding}
            onClick={() => runCommand('addSlides')}
            testId="slides-add"
          >
            <IconFolderPlus size={14} />
          </IconButton>
          <ProjectMenu />
        </>
      }
    >
      {slides.length > 0 && (
        <ul className="run-list" aria-label={words.projectSlides.list}>
          {slides.slice(0, mostRows).map((slide) => (
            <Row key={slide.key} slide={slide} />
          ))}
        </ul>
      )}
      {slides.length > mostRows && <p className="note">{words.counts.moreRows(slides.length - mostRows)}</p>}
      <Adding />
      <RunOver />
      {slides.length > 0 && <HowToRun />}
    </Section>
  )
}
