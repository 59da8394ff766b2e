// Takes dropped files: the desktop knows where they lie; a browser does not.
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { droppedOf, takeDropped } from '../store/commands/dropActions'
import { words } from '../words'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

export function DropZone({ children }: { readonly children: ReactNode }) {
  const [over, setOver] = useState(false)
  /** Entering a child leaves its parent: only the balance says whether the pointer left the window. */
  const depth = useRef(0)
  const leave = () => {
    depth.current = 0
    setOver(false)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    leave()
    // Asked now: the list is empty once the event is over.
    void takeDropped([...event.dataTransfer.files].map(droppedOf))
  }
  return (
    <div
      className="drop-zone"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
        depth.current++
        setOver(true)
      }}
      onDragLeave={() => {
        if (--depth.current <= 0) leave()
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {over && (
        <div className="drop-here" aria-hidden>
          <b>{words.drop.toOpen}</b>
        </div>
      )}
    </div>
  )
}
