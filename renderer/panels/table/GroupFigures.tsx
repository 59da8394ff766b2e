// Beside the objects table: the described column by class or by region. Asked of the engine where somebody wants to see it.
import { Select } from '@mantine/core'
import { useEffect, useState } from 'react'
import { densityTitles } from '../../../app/contract'
import type { TableGroup, TableView } from '../../../app/contract'
import { groupsOf } from '../../store/selection/tableActions'
import { useStore } from '../../store/store'
import { words } from '../../words'
import { titled } from '../../words/named'

type By = 'all' | 'class' | 'region'

function Group({ name, rows, perMm2, perMm2Tissue, statistics: s }: TableGroup) {
  return (
    <div className="table-group">
      <b>{name}</b>
      <span className="num">
        {rows === null ? words.groups.notLooked : words.groups.count(rows)}
        {perMm2 !== null && words.groups.density(perMm2, titled(densityTitles.perMm2))}
        {perMm2Tissue !== null && words.groups.density(perMm2Tissue, titled(densityTitles.perMm2Tissue))}
      </span>
      {s && <span className="num dim">{words.groups.statistics(s)}</span>}
    </div>
  )
}

export function GroupFigures({ view }: { readonly view: TableView }) {
  const describe = useStore((state) => state.table.describe)
  const regions = useStore((state) => state.project.doc?.regions)
  const [by, setBy] = useState<By>('all')
  const [groups, setGroups] = useState<readonly TableGroup[]>([])
  useEffect(() => {
    setGroups([])
    if (by === 'all') return
    const asked = new AbortController()
    void groupsOf(view, describe, by, asked.signal).then((found) => found && !asked.signal.aborted && setGroups(found))
    return () => asked.abort()
  }, [view, describe, by, regions])
  const choices = [
    { value: 'all', label: words.groups.all },
    ...(view.classes.length > 0 ? [{ value: 'class', label: words.groups.byClass }] : []),
    ...(regions?.length ? [{ value: 'region', label: words.groups.byRegion }] : []),
  ]
  if (choices.length === 1) return null
  return (
    <>
      <Select
        size="xs"
        aria-label={words.groups.title}
        data={choices}
        allowDeselect={false}
        value={by}
        onChange={(value) => value !== null && setBy(value as By)}
        comboboxProps={{ position: 'top' }}
        data-testid="table-groups-by"
      />
      <div data-testid="table-groups" aria-live="polite">
        {groups.map((group, at) => (
          <Group key={at} {...group} name={group.name || words.names.noClass} />
        ))}
      </div>
    </>
  )
}
