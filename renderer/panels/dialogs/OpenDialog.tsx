// Opens a slide from the folders that the server allows: the browser's file dialog.
import { Button, Group, Modal, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { openSlide } from '../../store/slide/slideActions'
import { patch, useStore } from '../../store/store'
import { entryProblem, NumberEntry, mppRange } from '../../widgets/NumberEntry'
import { words } from '../../words'
import { ServerFiles } from '../start/ServerFiles'

export function OpenDialog() {
  const opened = useStore((state) => state.ui.dialog === 'open')
  const recents = useStore((state) => state.slide.recents)
  const [path, setPath] = useState('')
  const [mpp, setMpp] = useState<number | null>(null)
  const usable = entryProblem(mpp, { ...mppRange, optional: true }) === null
  const open = (chosen: string) => usable && void openSlide(chosen, mpp ?? undefined)
  return (
    <Modal opened={opened} onClose={() => patch('ui', { dialog: null })} title={words.buttons.openSlide} size="lg">
      <ServerFiles onPath={open} />
      {recents.length > 0 && (
        <div className="files-recent">
          <IconHistory size={14} aria-hidden />
          {recents.slice(0, 4).map((recent) => (
            <Button key={recent.path} size="compact-xs" variant="default" onClick={() => open(recent.path)} title={recent.path}>
              {recent.name}
            </Button>
          ))}
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (path.trim() !== '') open(path.trim())
        }}
      >
        <Group align="flex-end" gap="xs" mt="sm" wrap="nowrap">
          <TextInput
            className="grow"
            size="xs"
            label={words.openDialog.path}
            placeholder={words.openDialog.pathExample}
            value={path}
            onChange={(event) => setPath(event.currentTarget.value)}
            data-testid="open-path"
          />
          <NumberEntry
            width={130}
            label={words.openDialog.mpp}
            placeholder={words.openDialog.mppFromFile}
            {...mppRange}
            optional
            step={0.01}
            value={mpp}
            onChange={setMpp}
          />
          <Button type="submit" disabled={path.trim() === '' || !usable} data-testid="open-path-go">
            {words.buttons.open}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
