// Which regions become pictures, how large a px of them is, what is painted on them, and where they go.
import { Button, Checkbox, Group, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { magnificationRange, pixelRange, type RegionImagesRequest } from '../../../app/contract'
import { setDeidentify } from '../../store/runs/exportActions'
import { picturedOf, writeRegionImages } from '../../store/document/imageActions'
import { regionsOf } from '../../store/slices/projectSlice'
import { activeRun } from '../../store/slices/runSlice'
import { runSize } from '../../store/slices/slideSlice'
import { patch, useStore } from '../../store/store'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'
import { Folder } from '../dialogs/ExportDialog'

const text = words.regionImages
const close = (): void => patch('ui', { dialog: null })
const ranges = { um: pixelRange, magnification: magnificationRange } as const

function Form() {
  const regions = useStore((state) => regionsOf(state.project))
  const selected = useStore((state) => state.project.selected)
  const settings = useStore((state) => state.ui.settings)
  const run = useStore((state) => activeRun(state.runs))
  const all = picturedOf(regions)
  const chosen = all.filter(({ id }) => selected.includes(id))
  const [which, setWhich] = useState<'selected' | 'all'>(chosen.length > 0 ? 'selected' : 'all')
  const [form, setForm] = useState<RegionImagesRequest['form']>('png')
  const [by, setBy] = useState<'own' | 'um' | 'magnification'>('own')
  const [um, setUm] = useState<number | null>(1)
  const [magnification, setMagnification] = useState<number | null>(10)
  const [outlines, setOutlines] = useState(false)
  const [border, setBorder] = useState(false)
  const [overwrite, setOverwrite] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const directory = typed ?? settings?.exportDirectory ?? ''
  const deidentify = settings?.deidentify ?? false
  const value = by === 'um' ? um : magnification
  const over = run?.state === 'done' || run?.state === 'cancelled' || run?.state === 'failed'
  const ready = directory.trim() !== '' && (by === 'own' || entryProblem(value, ranges[by]) === null)
  const write = (): void => {
    close()
    void writeRegionImages({
      directory: directory.trim(),
      form,
      deidentify,
      ids: (which === 'selected' ? chosen : all).map(({ id }) => id),
      ...(by === 'um' && um !== null && { pixel: { um } }),
      ...(by === 'magnification' && magnification !== null && { pixel: { magnification } }),
      ...(outlines && run && over && { runId: run.runId }),
      ...(border && { border }),
      ...(overwrite && { overwrite }),
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) write()
      }}
    >
      <div className="choices runs" role="radiogroup" aria-label={text.which}>
        {chosen.length > 0 && (
          <label>
            <input type="radio" name="which" checked={which === 'selected'} onChange={() => setWhich('selected')} />
            {text.selected(chosen.length)}
          </label>
        )}
        <label>
          <input type="radio" name="which" checked={which === 'all'} onChange={() => setWhich('all')} data-testid="images-all" />
          {text.all(all.length)}
        </label>
      </div>
      <Group align="flex-end" mt="sm">
        <SegmentedControl
          size="xs"
          aria-label={text.form}
          value={form}
          onChange={(next) => setForm(next)}
          data={[
            { value: 'png', label: text.png },
            { value: 'ome-tiff', label: text.tiff },
          ]}
          data-testid="images-form"
        />
      </Group>
      <p className="note">{text.pixel}</p>
      <Group align="flex-end">
        <SegmentedControl
          size="xs"
          aria-label={text.pixel}
          value={by}
          onChange={(next) => setBy(next)}
          data={[
            { value: 'own', label: text.own },
            { value: 'um', label: text.um },
            { value: 'magnification', label: text.magnification },
          ]}
          data-testid="images-pixel"
        />
        {by !== 'own' && (
          <NumberEntry
            key={by}
            label={text.value[by]}
            width={160}
            {...ranges[by]}
            step={by === 'um' ? 0.25 : 5}
            value={value}
            onChange={by === 'um' ? setUm : setMagnification}
            testId="images-value"
          />
        )}
      </Group>
      <div className="choices export-ways">
        {run && over && (
          <Checkbox
            size="xs"
            checked={outlines}
            onChange={(event) => setOutlines(event.currentTarget.checked)}
            label={text.outlines(words.exportDialog.run(run.name, runSize(run), ''))}
            data-testid="images-outlines"
          />
        )}
        <Checkbox
          size="xs"
          checked={border}
          onChange={(event) => setBorder(event.currentTarget.checked)}
          label={text.border}
          data-testid="images-border"
        />
        <Checkbox
          size="xs"
          checked={deidentify}
          onChange={(event) => void setDeidentify(event.currentTarget.checked)}
          label={
            <>
              {text.pseudonym} <span className="dim">{text.pseudonymNote}</span>
            </>
          }
          data-testid="images-deidentify"
        />
        <Checkbox
          size="xs"
          checked={overwrite}
          onChange={(event) => setOverwrite(event.currentTarget.checked)}
          label={text.replace}
          data-testid="images-overwrite"
        />
      </div>
      <Folder directory={directory} onChange={setTyped} />
      <Group justify="flex-end" className="dialog-buttons">
        <Button variant="default" onClick={close}>
          {words.buttons.cancel}
        </Button>
        <Button type="submit" disabled={!ready} data-testid="images-write">
          {text.write}
        </Button>
      </Group>
    </form>
  )
}

export function RegionImagesDialog() {
  const opened = useStore((state) => state.ui.dialog === 'regionImages' && state.slide.info !== null)
  return (
    <Modal opened={opened} onClose={close} title={text.title} size="md">
      {opened && <Form />}
    </Modal>
  )
}
