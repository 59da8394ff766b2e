// What a text of JSON will take in memory, told before it is parsed: a short text can hold very many lists.

/** Bytes, about: the text, and what each list is beside it. O(length). */
export function weightOf(json: string): number {
  let lists = 0
  for (let at = json.indexOf('['); at >= 0; at = json.indexOf('[', at + 1)) lists += 1
  return json.length + 32 * lists
}
