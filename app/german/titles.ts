// Titles of app/contract that the window shows, by the English one: measurements, statistics, stains, units, classes, timings.

/** By the English title, as app/contract has it. */
export const titles: Readonly<Record<string, string>> = {}

/** The German title, also of one that is put together ("Hematoxylin mean", "Membrane: DAB"). null: there is none, as for a user's own name. */
export function germanTitle(title: string): string | null {
  return Object.hasOwn(titles, title) ? titles[title]! : null
}
