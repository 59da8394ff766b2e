// The guide: chapters at the left, one of them with its picture and its commands at the right. Loaded when it is first opened.
import { useRef, useState, type KeyboardEvent } from 'react'
import { keysOf } from '../../store/base/commandKeys'
import { chapters, guidePicture } from '../../store/commands/guide'
import { words } from '../../words'

export function Guide() {
  const [at, setAt] = useState(0)
  const page = useRef<HTMLDivElement>(null)
  const tabs = useRef<HTMLDivElement>(null)
  const all = chapters()
  const chapter = all[at]!
  const go = (next: number): void => {
    setAt(next)
    page.current?.scrollTo({ top: 0 })
  }
  const onKey = (event: KeyboardEvent): void => {
    const last = all.length - 1
    const next = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at - 1), Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    go(next)
    tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  const picture = guidePicture(chapter.id)
  return (
    <div className="guide" data-testid="guide">
      <div
        ref={tabs}
        className="guide-chapters"
        role="tablist"
        aria-orientation="vertical"
        aria-label={words.guide.chapters}
        onKeyDown={onKey}
      >
        {all.map(({ id, title }, i) => (
          <button
            key={id}
            id={`guide-tab-${id}`}
            type="button"
            role="tab"
            aria-selected={i === at}
            aria-controls="guide-page"
            tabIndex={i === at ? 0 : -1}
            onClick={() => go(i)}
            data-testid={`guide-${id}`}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        ref={page}
        id="guide-page"
        className="guide-page"
        role="tabpanel"
        aria-labelledby={`guide-tab-${chapter.id}`}
        tabIndex={0}
        data-testid="guide-page"
      >
        <h3>{chapter.title}</h3>
        {picture !== undefined && <img key={chapter.id} src={picture} alt={chapter.alt} />}
        {chapter.marks.length > 0 && (
          <ol className="guide-marks">
            {chapter.marks.map(({ testId, words: text }) => (
              <li key={testId}>{text}</li>
            ))}
          </ol>
        )}
        {chapter.words.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {chapter.rows.length > 0 && (
          <dl className="guide-commands">
            {chapter.rows.map(({ command, label, keys }) => (
              <div key={command}>
                <dt>
                  {keys.length > 0 ? (
                    keys.map((key) => <kbd key={key}>{key}</kbd>)
                  ) : (
                    <span className="dim">{keysOf('palette')[0]}</span>
                  )}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  )
}
