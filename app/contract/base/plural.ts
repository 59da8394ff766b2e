// Counts as they are spoken: "1 object", "2 objects". The one place that says which form a word has.

/** The word for so many. `many`: where that is not the word with an s. */
export const noun = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)
/** "1 tile", "1200 tiles": plain digits, as the command line has them. */
export const counted = (count: number, one: string, many?: string): string => `${count} ${noun(count, one, many)}`
