// Text of foreign origin as one plain line: what steers a terminal, or turns the reading direction round, is shown instead of obeyed.

// Controls (C0, DEL, C1), line and paragraph separators, and the marks that reorder or hide text.
const steering = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Also right inside JSON text, where it is the escape for the same character. */
export function plainText(text: string): string {
  return text.replace(steering, escaped)
}

/** Lines and columns stay. */
export function plainLines(text: string): string {
  return text.replace(steering, (character) => (character === '\n' || character === '\t' ? character : escaped(character)))
}
