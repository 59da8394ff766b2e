// What the file says of itself. Associated images are named, and shown only when asked for.
import { Alert, Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { channelWords, depthWords } from '../../../app/contract'
import type { SlideInfo } from '../../../app/contract'
import { associatedUrl, openSlide } from '../../store/slide/slideActions'
import { mppWords, slideMpp } from '../../store/slices/slideSlice'
import { patch, useStore } from '../../store/store'
import { formatCount } from '../../arithmetic/format'
import { entryProblem, mppRange, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'
import { said, titled } from '../../words/named'
import { Said } from '../../widgets/Said'

const mppSources: Record<SlideInfo['mppSource'], string> = words.slideInfo.mppSources

function Associated({ info }: { readonly info: SlideInfo }) {
  const [shown, setShown] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  if (info.associatedImages.length === 0) return <p className="nothing">{words.slideInfo.noImages}</p>
  return (
    <>
      <Alert color="yellow" variant="light" p="xs">
        {words.slideInfo.privacy}
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
              {shown === name ? words.buttons.hide : words.buttons.show}
            </Button>
          </li>
        ))}
      </ul>
      {shown !== null && !failed && (
        <img
          className="associated-image"
          alt={words.slideInfo.image(shown)}
          src={associatedUrl(info, shown)}
          onError={() => setFailed(true)}
        />
      )}
      {failed && <p className="field-error">{words.slideInfo.unreadableImage(shown)}</p>}
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
          label={words.slideInfo.pixelSize}
          {...mppRange}
          optional
          step={0.01}
          value={mpp}
          onChange={setMpp}
          testId="mpp-input"
        />
        <Button type="submit" variant="default" disabled={!usable} data-testid="mpp-set">
          {words.slideInfo.useValue}
        </Button>
        <span className="dim">
          {square
            ? words.slideInfo.calibratedBy(mppSources[info.mppSource])
            : words.slideInfo.calibratedByAxes(mppSources[info.mppSource], mppWords(info))}
        </span>
      </Group>
    </form>
  )
}

function Body({ info }: { readonly info: SlideInfo }) {
  const depth = depthWords(info)
  const properties = Object.entries(info.properties).sort(([a], [b]) => a.localeCompare(b))
  const facts: readonly (readonly [string, string])[] = [
    [words.slideInfo.file, info.path],
    [words.slideInfo.format, info.vendor],
    [words.slideInfo.reader, `${info.reader} ${info.readerVersion}`],
    [words.slideInfo.size, `${formatCount(info.widthPx)} × ${formatCount(info.heightPx)} px`],
    [words.slideInfo.objective, info.objectivePower === null ? words.slideInfo.notStated : `${info.objectivePower}×`],
    [
      words.slideInfo.levels,
      info.levels
        .map((l) => `${formatCount(l.widthPx)} × ${formatCount(l.heightPx)} (÷ ${Number(l.downsample.toPrecision(5))})`)
        .join('\n'),
    ],
    ...(info.channels.length > 0
      ? [[words.slideInfo.channels, info.channels.map((channel) => titled(channelWords(channel))).join('\n')] as const]
      : []),
    ...(depth === null ? [] : [[words.slideInfo.depth, titled(depth)] as const]),
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
      <h3>{words.slideInfo.calibration}</h3>
      <Calibration info={info} />
      {info.warnings.length > 0 && (
        <>
          <h3>{words.slideInfo.warnings}</h3>
          <ul className="warnings">
            {info.warnings.map((warning) => (
              <li key={warning}>
                <Said text={said(warning)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{words.slideInfo.images}</h3>
      <Associated info={info} />
      <details>
        <summary>{words.slideInfo.allProperties(properties.length)}</summary>
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
