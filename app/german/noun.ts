// Counts as German speaks them: "1 Objekt", "2 Objekte".

/** The word for so many. */
export const noun = (count: number, one: string, many: string): string => (count === 1 ? one : many)
