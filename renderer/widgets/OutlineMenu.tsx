// What can be done to objects' outlines as a whole, behind whatever stands for it.
import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'

interface Item {
  readonly label: string
  readonly shortcut?: string | undefined
  readonly onClick: () => void
  readonly testId: string
}

export function OutlineMenu({ items, children }: { readonly items: readonly Item[]; readonly children: ReactNode }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, shortcut, onClick, testId }) => (
          <Menu.Item key={testId} onClick={onClick} data-testid={testId} rightSection={shortcut && <kbd>{shortcut}</kbd>}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
