// The types of lanes.mjs, for its test.
export function inLanes(tasks: readonly (() => Promise<void>)[], lanes: number): Promise<void>
