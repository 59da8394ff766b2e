// Asks for a project's folder where the shell has no dialog of the system's.
import { openProjectAtStart } from '../store/startActions'
import { saveProject } from '../store/projectFiles'
import { patch, useStore } from '../store/store'
import { PathDialog } from '../widgets/PathDialog'

const close = (): void => patch('ui', { dialog: null })

export function ProjectDialogs() {
  const dialog = useStore((state) => state.ui.dialog)
  return (
    <>
      <PathDialog
        opened={dialog === 'saveProject'}
        title="Save the project"
        label="Folder NAME.morphoscope, or one to put it in"
        action="Save"
        placeholder="/data/Study.morphoscope"
        onClose={close}
        onPath={(path) => void saveProject(path)}
      />
      <PathDialog
        opened={dialog === 'openProject'}
        title="Open a project"
        label="Its folder on the server"
        action="Open"
        placeholder="/data/Study.morphoscope"
        onClose={close}
        onPath={(path) => void openProjectAtStart(path)}
      />
    </>
  )
}
