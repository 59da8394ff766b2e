// Asks before a long run: how much there is, and how long it will take as far as that is known.
import { Button, Group, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Region, RunEstimate } from '../../../app/contract'
import { analysedMegapixels, askEstimate, estimateWords, memoryWords } from '../../store/runs/estimate'
import { segment } from '../../store/runs/runActions'
import { regionMm2, slideMpp } from '../../store/slices/slideSlice'
import { patch, useStore } from '../../store/store'
import { formatArea, formatCount } from '../../arithmetic/format'
import { words } from '../../words'

/** undefined while the engine has not answered. */
function useEstimate(region: Region | 'whole'): RunEstimate | null | undefined {
  const [estimate, setEstimate] = useState<RunEstimate | null>()
  useEffect(() => {
    const abort = new AbortController()
    void askEstimate(region, abort.signal).then((found) => {
      if (!abort.signal.aborted) setEstimate(found)
    })
    return () => abort.abort()
  }, [region])
  return estimate
}

function Facts({ asked, region }: { readonly asked: Region | 'whole'; readonly region: Region }) {
  const estimate = useEstimate(asked)
  const mpp = useStore((state) => slideMpp(state.slide.info))
  const time = estimate === undefined ? words.longRun.asking : estimate === null ? words.longRun.unknown : estimateWords(estimate)
  return (
    <dl className="facts wide">
      <div>
        <dt>{words.longRun.toAnalyse}</dt>
        <dd className="num">{formatCount(estimate?.megapixels ?? analysedMegapixels(region))} Mpx</dd>
      </div>
      {mpp !== null && (
        <div>
          <dt>{words.names.area}</dt>
          <dd className="num">{formatArea(regionMm2(region, mpp), 0)}</dd>
        </div>
      )}
      <div>
        <dt>{words.longRun.time}</dt>
        <dd className="num" aria-live="polite" data-testid="run-estimate">
          {time}
        </dd>
      </div>
      {estimate && (
        <div>
          <dt>{words.longRun.memory}</dt>
          <dd className="num" data-testid="run-memory">
            {memoryWords(estimate.memory)}
          </dd>
        </div>
      )}
    </dl>
  )
}

export function LongRunDialog() {
  const opened = useStore((state) => state.ui.dialog === 'longRun')
  const { region: asked, name } = useStore((state) => state.ui.longRun)
  const info = useStore((state) => state.slide.info)
  const close = () => patch('ui', { dialog: null })
  if (!info) return null
  return (
    <Modal opened={opened} onClose={close} title={asked === 'whole' ? words.longRun.askWhole : words.longRun.askRegion} size="md">
      <Facts asked={asked} region={asked === 'whole' ? info.bounds : asked} />
      <p className="note">{words.longRun.note}</p>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {words.buttons.notNow}
        </Button>
        <Button onClick={() => segment(asked, true, name)} data-autofocus data-testid="run-whole-confirm">
          {words.buttons.segment}
        </Button>
      </Group>
    </Modal>
  )
}
