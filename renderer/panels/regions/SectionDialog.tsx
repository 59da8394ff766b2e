// Which other slide is a section of the same block, how it lies on this one, and what of it is carried over.
import { Button, Checkbox, Group, Loader, Modal, SegmentedControl, Select } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { poorOverlap } from '../../../app/contract'
import type { SectionFit } from '../../../app/contract'
import { carryOver, laidOn, letGoOf, showBeside } from '../../store/commands/sectionActions'
import type { Laid } from '../../store/commands/sectionActions'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'

const close = (): void => patch('ui', { dialog: null })

function Fit({ fit }: { readonly fit: SectionFit }) {
  const length = fit.unit === 'um' ? words.sections.um : words.sections.px
  const { by, overlap = 0, pairs } = fit
  return (
    <div className="note" data-testid="section-fit" data-turn={fit.turnDeg} role="status">
      <p>{words.sections.turned(fit.turnDeg.toFixed(1), fit.scale.toFixed(3), fit.mirrored)}</p>
      <p>
        {by === 'tissue'
          ? words.sections.borders(length(fit.median), length(fit.far), Math.round(100 * overlap))
          : words.sections.pairs(pairs, length(fit.median), length(fit.far))}
      </p>
      {by === 'tissue' && overlap < poorOverlap && <p>{words.sections.poor}</p>}
      {by !== 'tissue' && pairs === 3 && <p>{words.sections.threePairs}</p>}
    </div>
  )
}

function SectionForm({ here }: { readonly here: string }) {
  const slides = useStore((state) => state.cohort.slides)
  const name = useStore((state) => state.slide.info?.name ?? '')
  const others = slides.filter(({ missing, path }) => !missing && path !== here)
  const [path, setPath] = useState<string | null>(others.length === 1 ? others[0]!.path : null)
  const [by, setBy] = useState<'tissue' | 'points'>('tissue')
  const [laid, setLaid] = useState<Laid | null>(null)
  const [laying, setLaying] = useState(false)
  const [regions, setRegions] = useState(true)
  const [objects, setObjects] = useState(false)
  /** Let go when the dialog closes, unless it is being carried over from. */
  const open = useRef<Laid | null>(null)
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    setLaying(true)
    setLaid(null)
    void laidOn(path, by, stop.signal).then((found) => {
      if (stop.signal.aborted) return found && letGoOf(found)
      open.current = found
      setLaid(found)
      setLaying(false)
    })
    return () => {
      stop.abort()
      if (open.current) letGoOf(open.current)
      open.current = null
    }
  }, [path, by])
  const take = (): Laid | null => {
    const taken = open.current
    open.current = null
    close()
    return taken
  }
  if (others.length === 0) return <p className="note">{words.sections.noSlides}</p>
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const taken = take()
        if (taken) void carryOver(taken, { regions, objects }).finally(() => letGoOf(taken))
      }}
    >
      <p className="note">{words.sections.note(name)}</p>
      <Select
        mt="sm"
        label={words.sections.slide}
        data={others.map((slide) => ({ value: slide.path, label: slide.name }))}
        value={path}
        onChange={setPath}
        allowDeselect={false}
        data-testid="section-slide"
        data-autofocus
      />
      <SegmentedControl
        mt="sm"
        aria-label={words.sections.by}
        value={by}
        onChange={(value) => setBy(value)}
        data={[
          { value: 'tissue', label: words.sections.tissue },
          { value: 'points', label: words.sections.points },
        ]}
        data-testid="section-by"
      />
      {by === 'points' && <p className="note">{words.sections.pointsNote}</p>}
      {laying && (
        <p className="note">
          <Loader size="xs" /> {words.sections.laying}
        </p>
      )}
      {laid && <Fit fit={laid.fit} />}
      <Checkbox
        mt="sm"
        label={words.sections.regions}
        checked={regions}
        onChange={(event) => setRegions(event.currentTarget.checked)}
        data-testid="section-regions"
      />
      <Checkbox
        mt="xs"
        label={words.sections.objects}
        checked={objects}
        onChange={(event) => setObjects(event.currentTarget.checked)}
        data-testid="section-objects"
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {words.buttons.cancel}
        </Button>
        <Button
          variant="default"
          disabled={!laid || laid.fit.mirrored}
          onClick={() => {
            const taken = take()
            if (taken) void showBeside(taken).finally(() => letGoOf(taken))
          }}
          data-testid="section-beside"
        >
          {words.sections.beside}
        </Button>
        <Button type="submit" disabled={!laid || (!regions && !objects)} data-testid="section-carry">
          {words.sections.carry}
        </Button>
      </Group>
    </form>
  )
}

export function SectionDialog() {
  const opened = useStore((state) => state.ui.dialog === 'section')
  const here = useStore((state) => state.slide.info?.path ?? null)
  return (
    <Modal opened={opened && here !== null} onClose={close} title={words.sections.title} size="md">
      {here !== null && <SectionForm here={here} key={here} />}
    </Modal>
  )
}
