// The clicked object's measurements.
import { CopyButton } from '@mantine/core'
import { IconCheck, IconCopy, IconFocus2, IconX } from '@tabler/icons-react'
import { measurementOrder, measurements, stainStatisticKeys, stainStatistics, unitsOf } from '../../app/contract'
import type { ObjectDetails } from '../../app/contract'
import { tip } from '../store/commands'
import { clearSelection } from '../store/selectionActions'
import { useStore } from '../store/store'
import { formatDuration, formatMeasure } from '../arithmetic/format'
import { viewer } from '../store/viewerHandle'
import { IconButton } from '../widgets/IconButton'

/** Name, value and unit. */
function measures(object: ObjectDetails): readonly (readonly [string, string, string])[] {
  return [
    ...measurementOrder.screen.map((key) => {
      const { title, dimension } = measurements[key]
      return [title, formatMeasure(object[key]), unitsOf(dimension, object.unit).screen] as const
    }),
    ['Centroid', `${Math.round(object.centroid.x)}, ${Math.round(object.centroid.y)}`, 'px'],
  ]
}

const asText = (object: ObjectDetails): string =>
  [
    ...measures(object).map(([name, value, unit]) => `${name}\t${value}\t${unit}`),
    ...object.stains.map((s) => `${s.name} OD mean\t${formatMeasure(s.mean)}\t`),
  ].join('\n')

function Details({ object }: { readonly object: ObjectDetails }) {
  const { x, y, width, height } = object.bounds
  const around = { x: Math.round(x - width * 2), y: Math.round(y - height * 2), width: width * 5, height: height * 5 }
  return (
    <>
      <div className="object-tools">
        <IconButton size={24} label="Centre on it" onClick={() => viewer()?.fitRegion(around)}>
          <IconFocus2 size={14} />
        </IconButton>
        <CopyButton value={asText(object)}>
          {({ copied, copy }) => (
            <IconButton size={24} label={copied ? 'Copied' : 'Copy the measurements'} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </IconButton>
          )}
        </CopyButton>
        <IconButton size={24} {...tip('cancel')} label="Clear the selection" onClick={clearSelection}>
          <IconX size={14} />
        </IconButton>
      </div>
      <dl className="measures">
        {measures(object).map(([name, value, unit]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num" data-measure={name}>
              {value}
              <i>{unit}</i>
            </dd>
          </div>
        ))}
      </dl>
      <table className="stains">
        <thead>
          <tr>
            <th scope="col">Optical density</th>
            {stainStatisticKeys.map((key) => (
              <th key={key} scope="col">
                {stainStatistics[key].title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {object.stains.map((stain) => (
            <tr key={stain.name}>
              <th scope="row">{stain.name}</th>
              {stainStatisticKeys.map((key) => (
                <td key={key} className="num">
                  {stain[key].toFixed(2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

export function SelectedObject() {
  const selection = useStore((state) => state.selection)
  const { object, state, source, elapsedMs } = selection
  const words = {
    none: 'Click an object on the slide, or press C for the one at the centre of the view.',
    busy: 'Looking…',
    empty: 'No object at that point with these values.',
    found: '',
  } as const
  return (
    <div data-testid="selected-object" data-state={state} aria-live="polite">
      {object ? (
        <>
          <p className={`object-title ${state === 'busy' ? 'busy' : ''}`}>
            <b>{source === 'run' ? `Object ${object.id}` : 'Object at the click'}</b>
            <span className="dim">{elapsedMs === null ? '' : `found in ${formatDuration(elapsedMs)}`}</span>
          </p>
          <Details object={object} />
        </>
      ) : (
        <p className="nothing">{words[state]}</p>
      )}
    </div>
  )
}
