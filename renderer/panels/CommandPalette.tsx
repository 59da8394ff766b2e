// Every command, recipe and value by a few letters of its name, with its key: for who does not know where it is.
import { Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { paletteRows, type PaletteRow } from '../store/commands/paletteRows'
import { patch, useStore } from '../store/store'
import { words } from '../words'

const close = (): void => patch('ui', { dialog: null })

function run(row: PaletteRow): void {
  close()
  row.act()
}

function Palette() {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const found = paletteRows(query)
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => {
    // Some browsers answer a promise, which would be no clean-up.
    void list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, query])
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) setAt((chosen + step + found.length) % found.length)
    else if (event.key === 'Enter' && found[chosen]) run(found[chosen])
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        aria-label={words.palette.title}
        placeholder={words.palette.placeholder}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found[chosen] ? `palette-${found[chosen].id}` : undefined}
        data-autofocus
        data-testid="palette-query"
      />
      <ul ref={list} id="palette-list" className="palette" role="listbox" aria-label={words.palette.commands}>
        {found.map((row, i) => (
          <li
            key={row.id}
            id={`palette-${row.id}`}
            role="option"
            aria-selected={i === chosen}
            onPointerMove={() => setAt(i)}
            onClick={() => run(row)}
            data-testid={`palette-${row.id}`}
          >
            <span className="grow">{row.label}</span>
            <span className="dim">{row.group}</span>
            <span className="palette-keys">{row.key !== null && <kbd>{row.key}</kbd>}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="dim">{words.palette.nothing}</p>}
    </>
  )
}

export function CommandPalette() {
  const opened = useStore((state) => state.ui.dialog === 'palette')
  return (
    <Modal.Root opened={opened} onClose={close} size="lg">
      <Modal.Overlay />
      {/* Without a head of its own, which would be a second banner of the page. */}
      <Modal.Content aria-label={words.palette.title}>
        {/* Anew each time. */}
        <Modal.Body pt="md">{opened && <Palette />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
