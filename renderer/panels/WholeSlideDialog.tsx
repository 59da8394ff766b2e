// Asks before a long run: how much there is, how long it will take.
import { Button, Group, Modal } from '@mantine/core'
import { analysedMegapixels, segmentWhole } from '../store/runActions'
import { activeRun } from '../store/runSlice'
import { slideMpp } from '../store/slideSlice'
import { patch, useStore } from '../store/store'
import { formatCount, formatDuration, formatMeasure } from '../viewer/format'

export function WholeSlideDialog() {
  const opened = useStore((state) => state.ui.dialog === 'whole')
  const info = useStore((state) => state.slide.info)
  const speed = useStore((state) => activeRun(state.runs)?.megapixelsPerSecond ?? 0)
  const close = () => patch('ui', { dialog: null })
  if (!info) return null
  const mpx = analysedMegapixels(info.bounds)
  const mpp = slideMpp(info)
  return (
    <Modal opened={opened} onClose={close} title="Segment the whole slide?" size="sm">
      <dl className="facts wide">
        <div>
          <dt>To analyse</dt>
          <dd className="num">{formatCount(mpx)} Mpx</dd>
        </div>
        {mpp !== null && (
          <div>
            <dt>Area</dt>
            <dd className="num">{formatMeasure((info.bounds.width * info.bounds.height * mpp * mpp) / 1e6)} mm²</dd>
          </div>
        )}
        <div>
          <dt>Estimated time</dt>
          <dd className="num">
            {speed > 0
              ? `about ${formatDuration((mpx / speed) * 1000)}`
              : 'unknown: segment the visible field once to measure it'}
          </dd>
        </div>
      </dl>
      <p className="note">
        Empty glass goes faster. What is in view comes first; you can look around, and cancelling keeps what is done.
      </p>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        <Button onClick={() => segmentWhole(true)} data-autofocus data-testid="run-whole-confirm">
          Segment
        </Button>
      </Group>
    </Modal>
  )
}
