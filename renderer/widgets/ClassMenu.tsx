// A list of classes to choose from, for objects that are classified by hand.
import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import { words } from '../words'
import { Swatch } from './Swatch'

interface Props {
  readonly classes: readonly { readonly id: string; readonly label: string; readonly color: readonly number[] }[]
  readonly onChoose: (classId: string | null) => void
  readonly children: ReactElement
}

export function ClassMenu({ classes, onChoose, children }: Props) {
  return (
    <Menu position="top-end" shadow="md">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown data-testid="class-menu">
        {classes.map(({ id, label, color }) => (
          <Menu.Item
            key={id}
            leftSection={<Swatch colour={`rgb(${color.join(' ')})`} name={label} isSaid />}
            onClick={() => onChoose(id)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChoose(null)}>{words.classMenu.noneByHand}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
