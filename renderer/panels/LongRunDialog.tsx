// Asks before a long run: how much there is, how long it will take.
import { Button, Group, Modal } from '@mantine/core'
import { analysedMegapixels, segment } from '../store/runActions'
import { activeRun } from '../store/runSlice'
import { regionMm2, slideMpp } from '../store/slideSlice'
import { patch, useStore } from '../store/store'
import { formatCount, formatDuration, formatMeasure } from '../viewer/format'

export function LongRunDialog() {
  const opened = useStore((state) => state.ui.dialog === 'longRun')
  const asked = useStore((state) => state.ui.asked)
  const info = useStore((state) => state.slide.info)
  const speed = useStore((state) => activeRun(state.runs)?.megapixelsPerSecond ?? 0)
  const close = () => patch('ui', { dialog: null })
  if (!info) return null
  const region = asked === 'whole' ? info.bounds : asked
  const mpx = analysedMegapixels(region)
  const mpp = slideMpp(info)
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={asked === 'whole' ? 'Segment the whole slide?' : 'Segment this large region?'}
      size="sm"
    >
      <dl className="facts wide">
        <div>
          <dt>To analyse</dt>
          <dd className="num">{formatCount(mpx)} Mpx</dd>
        </div>
        {mpp !== null && (
          <div>
            <dt>Area</dt>
            <dd className="num">{formatMeasure(regionMm2(region, mpp))} mm²</dd>
          </div>
        )}
        <div>
          <dt>Estimated time</dt>
          <dd className="num">
            {speed > 0 ? `about ${formatDuration((mpx / speed) * 1000)}` : 'unknown: segment a small field once to measure it'}
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
        <Button onClick={() => segment(asked, true)} data-autofocus data-testid="run-whole-confirm">
          Segment
        </Button>
      </Group>
    </Modal>
  )
}
