export function besides(up: string, address: string): string
export function scriptFor(page: string): string
