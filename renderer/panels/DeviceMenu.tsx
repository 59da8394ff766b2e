// What computes, and the menu to choose it from: the CPU, each GPU, and why there is none; and the memory that runs may hold.
import { Menu } from '@mantine/core'
import { IconCheck, IconCpu } from '@tabler/icons-react'
import { chooseDevice } from '../store/runs/deviceActions'
import { chooseMemory, memoryMenu, type MemoryMenu } from '../store/base/memoryChoice'
import { deviceMenu, type DeviceLine, type DeviceMenu as Content } from '../store/slices/deviceSlice'
import { patch, useStore } from '../store/store'
import { words } from '../words'

function Line({ label, detail }: DeviceLine) {
  return (
    <>
      <span className="device-name">{label}</span>
      <span className="device-detail">{detail}</span>
    </>
  )
}

interface Props {
  readonly menu: Content
  readonly memory: MemoryMenu
  readonly opened: boolean
  readonly onOpened: (opened: boolean) => void
  readonly onChoose: (id: string) => void
  readonly onChooseMemory: (mib: number) => void
  /** False puts the list where the menu is: what is drawn without a page has no other place. */
  readonly withinPortal?: boolean
}

export function DeviceMenuView({ menu, memory, opened, onOpened, onChoose, onChooseMemory, withinPortal = true }: Props) {
  const { title, now, lines, absent, hints } = menu
  return (
    <Menu
      opened={opened}
      onChange={onOpened}
      position="top-end"
      width={330}
      shadow="md"
      checkIcon={<IconCheck size={14} aria-hidden />}
      // Above the notices, which appear in the same corner.
      zIndex={410}
      withinPortal={withinPortal}
    >
      <Menu.Target>
        <button
          type="button"
          className="status-item link"
          disabled={lines.length === 0}
          aria-label={words.devices.computes(now)}
          title={absent.map(({ label, detail }) => words.devices.absent(label, detail)).join('\n') || words.devices.choose}
          data-testid="devices"
        >
          <IconCpu size={13} aria-hidden />
          {now}
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={title} data-testid="device-menu">
        <Menu.Label>{title}</Menu.Label>
        {lines.map(({ id, ticked, ...line }) => (
          // Not onChange: one that computes in place of the choice is ticked, and choosing it makes it the choice.
          <Menu.RadioItem
            key={id}
            value={id}
            checked={ticked}
            closeMenuOnClick
            onClick={() => onChoose(id)}
            data-testid={`device-${id}`}
          >
            <Line {...line} />
          </Menu.RadioItem>
        ))}
        {absent.map((line) => (
          <Menu.Item key={line.label} disabled className="device-absent">
            <Line {...line} />
          </Menu.Item>
        ))}
        {hints.length > 0 && <Menu.Divider />}
        {hints.map((hint) => (
          <Menu.Label key={hint} className="device-hint">
            {hint}
          </Menu.Label>
        ))}
        <Menu.Divider />
        <Menu.Label>{memory.title}</Menu.Label>
        {memory.lines.map(({ mib, ticked, ...line }) => (
          <Menu.RadioItem
            key={mib}
            value={String(mib)}
            checked={ticked}
            closeMenuOnClick
            onClick={() => onChooseMemory(mib)}
            data-testid={`memory-${mib}`}
          >
            <Line {...line} />
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function DeviceMenu() {
  const app = useStore((state) => state.ui.app)
  const device = useStore((state) => state.device)
  const settings = useStore((state) => state.ui.settings)
  const opened = useStore((state) => state.ui.deviceMenu)
  return (
    <DeviceMenuView
      menu={deviceMenu(device, app)}
      memory={memoryMenu(settings, app)}
      opened={opened}
      onOpened={(deviceMenu) => patch('ui', { deviceMenu })}
      onChoose={(id) => void chooseDevice(id)}
      onChooseMemory={(mib) => void chooseMemory(mib)}
    />
  )
}
