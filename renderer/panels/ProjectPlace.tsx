// Where the project is kept, and what is done with the whole of it: begun anew, opened, saved under a name.
import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { runCommand } from '../store/commands'
import { useStore } from '../store/store'
import { IconButton } from '../widgets/IconButton'

export function ProjectMenu() {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton size={22} label="New, open, save the project" testId="project-more">
          <IconDots size={14} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => runCommand('newProject')} data-testid="project-new">
          New project
        </Menu.Item>
        <Menu.Item onClick={() => runCommand('openProject')} data-testid="project-open">
          Open a project…
        </Menu.Item>
        <Menu.Item onClick={() => runCommand('saveProject')} data-testid="project-save">
          Save the project as…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => runCommand('importRegions')}>Import regions from GeoJSON…</Menu.Item>
        <Menu.Item onClick={() => runCommand('exportRegions')}>Export the regions as GeoJSON…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function ProjectPlace() {
  const doc = useStore((state) => state.project.doc)
  if (!doc) return null
  if (doc.trouble !== null) return <p className="note warn project-line">{doc.trouble}</p>
  const words = doc.path === null ? 'Kept as you work, without a name yet' : `${doc.name ?? ''}: saved as you work`
  return (
    <div className="project-line" data-testid="project-place">
      <span title={doc.path ?? 'Save the project under a name to have it as a folder of your own'}>{words}</span>
    </div>
  )
}
