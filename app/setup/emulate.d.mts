// The types of emulate.mjs, for its test.
export function whyNoEmulation(folder?: string, machine?: { platform: string; arch: string }): string | null
