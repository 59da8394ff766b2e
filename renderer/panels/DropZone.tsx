// Dropped slides: the desktop knows a file's path; a browser does not, and says so.
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { api } from '../api'
import { tell } from '../store/notify'
import { openSlide } from '../store/slideActions'
import { patch } from '../store/store'

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
    const file = event.dataTransfer.files[0]
    if (!file) return
    const path = api().pathOfFile(file)
    if (path !== null && path !== '') return void openSlide(path)
    tell('A browser does not tell where a dropped file lies. Choose it from the server’s folders instead.', file.name)
    patch('ui', { dialog: 'open' })
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
          <b>Drop to open</b>
        </div>
      )}
    </div>
  )
}
