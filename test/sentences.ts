// The sentences of a page of Markdown, and how many words each has.

export const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Of prose, list items and cells of tables; a link counts as its words, code in a line as one, which may begin a sentence. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/^```[^]*?^```/gm, '\n\n')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`\n]*`/g, 'code')
    .replace(/<[^>]*>/g, '')
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) |\n#+ |\|/)
    .flatMap((part) => part.replace(/\s+/g, ' ').split(/(?<=[.:;!?])\s+(?=\p{Lu}|$)|(?<=[.!?])\s+(?=code\b)/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsIn(sentence) > 1)
}
