// A small table as CSV, for windows and the command line.

const quoted = (value: string | number): string => {
  const text = String(value)
  // What a spreadsheet would run gets an apostrophe, as in objects.csv.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** RFC 4180. */
export const csvRows = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
