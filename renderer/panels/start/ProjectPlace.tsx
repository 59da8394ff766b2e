// Where the project is kept, and what is done with the whole of it: begun anew, opened, saved under a name.
import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { runCommand } from '../../store/commands/commands'
import { useStore } from '../../store/store'
import { IconButton } from '../../widgets/IconButton'
import { words } from '../../words'

export function ProjectMenu() {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton size={22} label={words.projectPlace.menu} testId="project-more">
          <IconDots size={14} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => runCommand('newProject')} data-testid="project-new">
          {words.buttons.newProject}
        </Menu.Item>
        <Menu.Item onClick={() => runCommand('openProject')} data-testid="project-open">
          {words.projectPlace.open}
        </Menu.Item>
        <Menu.Item onClick={() => runCommand('saveProject')} data-testid="project-save">
          {words.projectPlace.saveAs}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => runCommand('importRegions')}>{words.projectPlace.importRegions}</Menu.Item>
        <Menu.Item onClick={() => runCommand('exportRegions')}>{words.projectPlace.exportRegions}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function ProjectPlace() {
  const doc = useStore((state) => state.project.doc)
  if (!doc) return null
  if (doc.trouble !== null) return <p className="note warn project-line">{doc.trouble}</p>
  const said = doc.path === null ? words.projectPlace.unnamed : words.projectPlace.named(doc.name ?? '')
  return (
    <div className="project-line" data-testid="project-place">
      <span title={doc.path ?? words.projectPlace.saveTip}>{said}</span>
    </div>
  )
}
