// The mark: a cell with its nucleus, as outlines of a segmentation.
import { words } from '../words'

export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" role="img" aria-label={words.program.name}>
      <path
        d="M16 4.5c6.5 0 11.5 4.5 11.5 10.7 0 6.9-4.9 12.3-11.9 12.3C9.3 27.5 4.5 23 4.5 16.5 4.5 9.5 9.4 4.5 16 4.5Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
      />
      <path
        d="M13.4 11.6c3.6-1.3 7.2.6 7.3 4.2.1 3.4-2.7 5.4-5.7 5-3-.4-4.7-2.4-4.6-4.9.1-2 1.2-3.6 3-4.3Z"
        fill="currentColor"
      />
    </svg>
  )
}
