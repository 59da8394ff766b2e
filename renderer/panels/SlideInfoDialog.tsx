// What the file says of itself. Associated images are named, and shown only when asked for.
import { Alert, Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { SlideInfo } from '../../app/contract'
import { associatedUrl, openSlide } from '../store/slideActions'
import { mppWords, slideMpp } from '../store/slideSlice'
import { patch, useStore } from '../store/store'
import { formatCount } from '../arithmetic/format'
import { entryProblem, mppRange, NumberEntry } from '../widgets/NumberEntry'

const mppSources: Record<SlideInfo['mppSource'], string> = {
  vendor: 'from the vendor’s own entry',
  'tiff-resolution': 'from the TIFF resolution tags',
  'ome-xml': 'from the OME-XML',
  given: 'given by you',
  none: 'the file says none',
}

function Associated({ info }: { readonly info: SlideInfo }) {
  const [shown, setShown] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  if (info.associatedImages.length === 0) return <p className="nothing">This file has none.</p>
  return (
    <>
      <Alert color="yellow" variant="light" p="xs">
        A label or overview photo can carry a patient’s name or number. It is loaded only when you press Show.
      </Alert>
      <ul className="associated">
        {info.associatedImages.map((name) => (
          <li key={name}>
            <span>{name}</span>
            <Button
              size="compact-xs"
              variant="default"
              aria-pressed={shown === name}
              onClick={() => {
                setFailed(false)
                setShown(shown === name ? null : name)
              }}
            >
              {shown === name ? 'Hide' : 'Show'}
            </Button>
          </li>
        ))}
      </ul>
      {shown !== null && !failed && (
        <img
          className="associated-image"
          alt={`Associated image “${shown}”`}
          src={associatedUrl(info, shown)}
          onError={() => setFailed(true)}
        />
      )}
      {failed && <p className="field-error">The image “{shown}” could not be read.</p>}
    </>
  )
}

function Calibration({ info }: { readonly info: SlideInfo }) {
  const [mpp, setMpp] = useState<number | null>(slideMpp(info))
  const usable = mpp !== null && entryProblem(mpp, mppRange) === null && mpp !== slideMpp(info)
  const square = info.mppX === info.mppY
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (usable) void openSlide(info.path, mpp)
      }}
    >
      <Group align="flex-end" gap="xs">
        <NumberEntry
          width={150}
          label="Pixel size, µm/px"
          {...mppRange}
          optional
          step={0.01}
          value={mpp}
          onChange={setMpp}
          testId="mpp-input"
        />
        <Button type="submit" variant="default" disabled={!usable} data-testid="mpp-set">
          Use this value
        </Button>
        <span className="dim">
          {mppSources[info.mppSource]}
          {square ? '' : `: ${mppWords(info)}. Lengths go by axis; one size for both axes makes pixels square`}. Results on screen
          are cleared.
        </span>
      </Group>
    </form>
  )
}

function Body({ info }: { readonly info: SlideInfo }) {
  const properties = Object.entries(info.properties).sort(([a], [b]) => a.localeCompare(b))
  const facts: readonly (readonly [string, string])[] = [
    ['File', info.path],
    ['Format', info.vendor],
    ['Reader', `${info.reader} ${info.readerVersion}`],
    ['Size', `${formatCount(info.widthPx)} × ${formatCount(info.heightPx)} px`],
    ['Objective', info.objectivePower === null ? 'not stated' : `${info.objectivePower}×`],
    [
      'Levels',
      info.levels
        .map((l) => `${formatCount(l.widthPx)} × ${formatCount(l.heightPx)} (÷ ${Number(l.downsample.toPrecision(5))})`)
        .join('\n'),
    ],
  ]
  return (
    <div className="slide-info" data-testid="slide-info-dialog">
      <dl className="facts wide">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>Calibration</h3>
      <Calibration info={info} />
      {info.warnings.length > 0 && (
        <>
          <h3>Warnings</h3>
          <ul className="warnings">
            {info.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </>
      )}
      <h3>Associated images</h3>
      <Associated info={info} />
      <details>
        <summary>All {properties.length} properties</summary>
        <dl className="properties">
          {properties.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

export function SlideInfoDialog() {
  const opened = useStore((state) => state.ui.dialog === 'info')
  const info = useStore((state) => state.slide.info)
  if (!info) return null
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={info.name} size="xl">
      <Body info={info} />
    </Modal>
  )
}
