// Asks for a project's folder where the shell has no dialog of the system's.
import { openProjectAtStart } from '../../store/commands/startActions'
import { saveProject } from '../../store/document/projectFiles'
import { patch, useStore } from '../../store/store'
import { PathDialog } from '../../widgets/PathDialog'
import { words } from '../../words'

const close = (): void => patch('ui', { dialog: null })

export function ProjectDialogs() {
  const dialog = useStore((state) => state.ui.dialog)
  return (
    <>
      <PathDialog
        opened={dialog === 'saveProject'}
        title={words.projectFiles.save}
        label={words.projectFiles.saveFolder}
        action={words.buttons.save}
        placeholder={words.projectFiles.folderExample}
        onClose={close}
        onPath={(path) => void saveProject(path)}
      />
      <PathDialog
        opened={dialog === 'openProject'}
        title={words.buttons.openProject}
        label={words.projectFiles.openFolder}
        action={words.buttons.open}
        placeholder={words.projectFiles.folderExample}
        onClose={close}
        onPath={(path) => void openProjectAtStart(path)}
      />
    </>
  )
}
