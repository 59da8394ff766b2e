// What Morphoscope is made of: its own licence, and each bundled part with the text of its licence, which a click opens.
import { Loader, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { licenceText, noun, partsWith, type Licences } from '../../../app/contract'
import { licences, partLine } from '../../store/commands/licences'
import { words } from '../../words'

interface EntryProps {
  name: string
  line: string
  text: () => string
}

/** The text is written when it is first opened: all of them are half a megabyte. */
function Entry({ name, line, text }: EntryProps) {
  const [read, setRead] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && setRead(true)}>
      <summary>
        <b>{name}</b> <span>{line}</span>
      </summary>
      {read && (
        <pre tabIndex={0} aria-label={words.licences.of(name)}>
          {text()}
        </pre>
      )}
    </details>
  )
}

function Parts({ all }: { all: Licences }) {
  const [query, setQuery] = useState('')
  const parts = partsWith(all, query)
  return (
    <div className="licences" data-testid="licences">
      <p>{words.licences.intro(all.program.version, all.components.length)}</p>
      <Entry name={words.program.name} line={all.program.license ?? ''} text={() => licenceText(all, all.program)} />
      <TextInput
        label={words.licences.find}
        placeholder={words.licences.placeholder}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        data-testid="licences-find"
        my="sm"
      />
      <p role="status">
        {parts.length} {noun(parts.length, 'part')}
      </p>
      {parts.map((part) => (
        <Entry
          key={`${part.name} ${part.version} ${part.license}`}
          name={`${part.name} ${part.version}`.trim()}
          line={partLine(part)}
          text={() => licenceText(all, part)}
        />
      ))}
    </div>
  )
}

export function LicenceList() {
  const [all, setAll] = useState<Licences | null>(null)
  const [failure, setFailure] = useState('')
  useEffect(() => {
    licences().then(setAll, (error: unknown) => setFailure(String(error)))
  }, [])
  if (failure !== '') return <p role="alert">{words.licences.unreadable(failure)}</p>
  return all === null ? <Loader size="sm" /> : <Parts all={all} />
}
