// Asks for a path where the shell has no file dialog.
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { words } from '../words'

interface Props {
  readonly opened: boolean
  readonly title: string
  readonly label: string
  readonly action: string
  readonly placeholder: string
  readonly onClose: () => void
  readonly onPath: (path: string) => void
}

export function PathDialog({ opened, title, label, action, placeholder, onClose, onPath }: Props) {
  const [path, setPath] = useState('')
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (path.trim() === '') return
          onPath(path.trim())
          onClose()
        }}
      >
        <TextInput
          label={label}
          placeholder={placeholder}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          data-autofocus
          data-testid="path-input"
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {words.buttons.cancel}
          </Button>
          <Button type="submit" disabled={path.trim() === ''}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
