// A field of a CSV file.

/** Text as a field. A spreadsheet runs what begins with = + - @ as a formula: an apostrophe in front makes it text. */
export function csvText(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
