// What a run says of its own doubts, in words.

export function cutWarning(objects: number, haloPx: number): string[] {
  if (objects === 0) return []
  const which = objects === 1 ? '1 object reaches' : `${objects} objects reach`
  return [
    `${which} farther than the ${haloPx} px around a tile that are computed with it, and may be cut there or split: its size and shape are uncertain.`,
  ]
}

export function unreadableWarning({ tiles, of, reason }: { tiles: number; of: number; reason: string | undefined }): string[] {
  if (reason === undefined) return []
  return [`${tiles} of ${of} tiles could not be read in full and are marked on the overlay: ${reason}`]
}
