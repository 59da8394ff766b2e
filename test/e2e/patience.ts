// How long a step of a journey may take before it counts as hanging, by what it waits for. A machine that does other things takes several times as
// long for everything, so each is far above what the step takes alone.

/** What is there already is shown, changed or looked up: a menu, a field, an object, a step of history. */
export const soon = { timeout: 20_000 }
/** A file is opened or written, a field is previewed. Steps that say nothing have this (playwright.config.ts). */
export const answered = { timeout: 60_000 }
/** A run goes to its end, or a program starts. */
export const patience = { timeout: 240_000 }
