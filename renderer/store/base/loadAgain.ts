// The page loads itself again: nothing ends with it, as the engine has slides, runs and the document, so nobody is asked.

let comes = false
/** The page is left for itself. */
export const comesAgain = (): boolean => comes

export function loadAgain(): void {
  comes = true
  location.reload()
}
