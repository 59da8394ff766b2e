// Chooses several slides of the server's folders for the project.
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { addFiles } from '../../store/cohort/addingActions'
import { patch, useStore } from '../../store/store'
import { words } from '../../words'
import { ServerFiles } from '../start/ServerFiles'

const close = (): void => patch('ui', { dialog: null })

function Choice() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [folder, setFolder] = useState<readonly string[]>([])
  const toggle = (path: string): void => {
    const next = new Set(chosen)
    if (!next.delete(path)) next.add(path)
    setChosen(next)
  }
  const add = (): void => {
    close()
    void addFiles([...chosen])
  }
  return (
    <>
      <ServerFiles onPath={toggle} chosen={chosen} onFolder={setFolder} />
      <Group justify="space-between" mt="sm">
        <Button
          variant="default"
          disabled={folder.every((path) => chosen.has(path))}
          onClick={() => setChosen(new Set([...chosen, ...folder]))}
          data-testid="add-folder"
        >
          {words.adding.wholeFolder}
        </Button>
        <Button disabled={chosen.size === 0} onClick={add} data-testid="add-chosen">
          {chosen.size === 0 ? words.buttons.add : words.adding.addMany(chosen.size)}
        </Button>
      </Group>
    </>
  )
}

export function AddSlidesDialog() {
  const opened = useStore((state) => state.ui.dialog === 'addSlides')
  return (
    <Modal opened={opened} onClose={close} title={words.adding.title} size="lg">
      <Choice />
    </Modal>
  )
}
