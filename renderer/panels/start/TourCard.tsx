// The tour: a card in the slide's area that says a step's sentence, and rings around the controls that it is about. It blocks nothing.
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { tip, withKeys } from '../../store/base/commandKeys'
import { goInTour, leaveTour } from '../../store/commands/startActions'
import { tourSteps, type Tour } from '../../store/slices/startSlice'
import { useStore } from '../../store/store'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const cardWidth = 320
const cardHeight = 170
const gap = 14
/** The view's own buttons, at the right of its area. */
const buttonsWidth = 48
/** Panels unfold and scroll: no event tells of all of it. */
const lookEveryMs = 250

const boxOf = (selector: string): Box | null => {
  const box = document.querySelector(selector)?.getBoundingClientRect()
  return box && box.width > 0 ? { left: box.left, top: box.top, width: box.width, height: box.height } : null
}

/** As near to the first ring as the slide's area allows: no control lies under it. */
function placeOf(rings: readonly Box[]): { left: number; top: number } {
  const area = boxOf('[data-testid="viewer"]') ?? { left: 0, top: 0, width: window.innerWidth, height: window.innerHeight }
  const near = rings[0] ?? area
  const within = (at: number, from: number, length: number, own: number): number =>
    Math.max(from + gap, Math.min(at, from + length - own - gap))
  return {
    left: within(near.left, area.left, area.width - buttonsWidth, cardWidth),
    top: within(near.top, area.top, area.height, cardHeight),
  }
}

function useRings(step: number): readonly Box[] {
  const [rings, setRings] = useState<readonly Box[]>([])
  useEffect(() => {
    const look = (): void =>
      setRings((before) => {
        const now = tourSteps[step]!.rings.flatMap((selector) => boxOf(selector) ?? [])
        return JSON.stringify(now) === JSON.stringify(before) ? before : now
      })
    look()
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [step])
  return rings
}

export function TourCard() {
  const tour = useStore((state) => state.start.tour)
  const step = typeof tour === 'number' ? tour : 0
  const rings = useRings(step)
  const { title, text } = tourSteps[step]
  const onward = useRef<HTMLButtonElement>(null)
  // Enter goes on, for who has no mouse.
  useEffect(() => onward.current?.focus(), [step])
  const last = step === tourSteps.length - 1
  const to = (way: 1 | -1) => goInTour((step + way) as Tour)
  return (
    <>
      {rings.map((box, i) => (
        <div key={i} className="tour-ring" style={{ ...box }} aria-hidden />
      ))}
      <section
        className="tour-card"
        style={{ ...placeOf(rings), width: cardWidth, minHeight: cardHeight }}
        aria-label={words.tour.title}
        data-testid="tour"
      >
        <div className="tour-head">
          <span className="dim num">{words.tour.place(step + 1, tourSteps.length)}</span>
          <IconButton {...tip('cancel')} label={words.tour.end} onClick={() => leaveTour()} testId="tour-skip">
            <IconX size={15} />
          </IconButton>
        </div>
        <div role="status">
          <h2>{title}</h2>
          <p>{withKeys(text)}</p>
        </div>
        <div className="tour-foot">
          {step > 0 && (
            <Button variant="default" onClick={() => to(-1)}>
              {words.tour.back}
            </Button>
          )}
          <Button className="main-action" onClick={() => (last ? leaveTour() : to(1))} ref={onward} data-testid="tour-next">
            {last ? words.tour.done : words.buttons.next}
          </Button>
        </div>
      </section>
    </>
  )
}
