// The engine's messages in German. The engine speaks English, for logs, files and the command line; the window shows this.

/**
 * A message of the engine, a warning or a note of a run or export, in German, with its values as they are. null: none of the templates fits,
 * and the English text is shown (with lang="en").
 */
export function german(message: string): string | null {
  void message
  return null
}
