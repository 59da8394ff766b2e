// The export dialog's fields for laser microdissection: three marks, which objects, how closely outlines are followed.
import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { isArea, isPoints, LaserMarks, marksIn, marksText, wellsIn } from '../../../app/contract'
import type { ExportFile, LaserRequest } from '../../../app/contract'
import { regionsOf, titleOf } from '../../store/slices/projectSlice'
import { useStore } from '../../store/store'
import type { LaserDraft } from '../../store/slices/uiSlice'
import { entryProblem, NumberEntry } from '../../widgets/NumberEntry'
import { words } from '../../words'

const toleranceRange = { min: 0, max: 100 }

/** null: something of it is missing or wrong. */
export function laserRequestOf(
  { marks, stage, filter, region, tolerance, cells, wells }: LaserDraft,
  files: readonly ExportFile[],
): LaserRequest | null {
  const read = marksIn(marks)
  const isStaged = files.includes('shapes.palm.txt') && stage.trim() !== ''
  const stageUm = isStaged ? marksIn(stage) : undefined
  const isGathered = files.includes('shapes.lmd.xml') && wells.trim() !== ''
  const gathered = isGathered ? wellsIn(wells) : undefined
  if (!read || stageUm === null || gathered === null || entryProblem(tolerance, toleranceRange) !== null) return null
  return {
    marks: read,
    tolerance,
    ...(stageUm && { stageUm }),
    ...(filter.trim() !== '' && { filter }),
    ...(region !== '' && { region }),
    ...(cells && { cells }),
    ...(gathered && { wells: gathered }),
  }
}

export function LaserFields({
  draft,
  files,
  onChange,
}: {
  readonly draft: LaserDraft
  readonly files: readonly ExportFile[]
  readonly onChange: (part: Partial<LaserDraft>) => void
}) {
  const project = useStore((state) => state.project)
  const tableFilter = useStore((state) => state.table.filter)
  const regions = regionsOf(project)
  const drawn = LaserMarks.safeParse(regions.flatMap(({ shape }) => (isPoints(shape) ? shape.points : [])).slice(0, 3))
  const areas = [...new Set(regions.filter(({ shape }) => isArea(shape)).map((region) => titleOf(project, region)))]
  const { laser } = words.exportDialog
  const problem = (text: string): string | null => (text.trim() === '' || marksIn(text) ? null : laser.notMarks)
  return (
    <fieldset className="plain" aria-label={laser.title} data-testid="export-laser">
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          className="grow"
          size="xs"
          label={laser.marks}
          placeholder={laser.marksExample}
          value={draft.marks}
          error={problem(draft.marks)}
          onChange={(event) => onChange({ marks: event.currentTarget.value })}
          data-testid="export-laser-marks"
        />
        <Button
          variant="default"
          size="xs"
          disabled={!drawn.success}
          title={laser.fromPointsNote}
          onClick={() => drawn.success && onChange({ marks: marksText(drawn.data) })}
          data-testid="export-laser-points"
        >
          {laser.fromPoints}
        </Button>
      </Group>
      {files.includes('shapes.palm.txt') && (
        <TextInput
          size="xs"
          label={laser.stage}
          placeholder={laser.stageExample}
          value={draft.stage}
          error={problem(draft.stage)}
          onChange={(event) => onChange({ stage: event.currentTarget.value })}
          data-testid="export-laser-stage"
        />
      )}
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          className="grow"
          size="xs"
          label={laser.filter}
          placeholder={laser.filterExample}
          value={draft.filter}
          onChange={(event) => onChange({ filter: event.currentTarget.value })}
          data-testid="export-laser-filter"
        />
        <Button
          variant="default"
          size="xs"
          disabled={tableFilter.trim() === ''}
          onClick={() => onChange({ filter: tableFilter })}
          data-testid="export-laser-table"
        >
          {laser.fromTable}
        </Button>
      </Group>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        {areas.length > 0 && (
          <NativeSelect
            size="xs"
            label={laser.region}
            value={draft.region}
            data={[{ value: '', label: laser.everywhere }, ...areas.map((title) => ({ value: title, label: title }))]}
            onChange={(event) => onChange({ region: event.currentTarget.value })}
            data-testid="export-laser-region"
          />
        )}
        <NumberEntry
          label={laser.tolerance}
          width={260}
          {...toleranceRange}
          step={0.1}
          value={draft.tolerance}
          onChange={(value) => onChange({ tolerance: value ?? 0 })}
          testId="export-laser-tolerance"
        />
      </Group>
      {files.includes('shapes.lmd.xml') && (
        <TextInput
          size="xs"
          label={laser.wells}
          placeholder={laser.wellsExample}
          value={draft.wells}
          error={draft.wells.trim() === '' || wellsIn(draft.wells) ? null : laser.notWells}
          onChange={(event) => onChange({ wells: event.currentTarget.value })}
          data-testid="export-laser-wells"
        />
      )}
      <Checkbox
        size="xs"
        mt="xs"
        checked={draft.cells}
        onChange={(event) => onChange({ cells: event.currentTarget.checked })}
        label={laser.cells}
        data-testid="export-laser-cells"
      />
    </fieldset>
  )
}
