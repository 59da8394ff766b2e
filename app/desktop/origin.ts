// The one origin that the window may show, and the check that a message or a navigation comes from it.
export const scheme = 'morphoscope'
export const host = 'app'
export const origin = `${scheme}://${host}`
export const pageUrl = `${origin}/index.html`

/** URL.origin is 'null' for schemes that the URL standard does not know, so the parts are compared. */
export function isOwnUrl(url: string): boolean {
  try {
    const { protocol, host: found } = new URL(url)
    return protocol === `${scheme}:` && found === host
  } catch {
    return false
  }
}

/** The app's own document, whatever it is asked for: no other of the origin's files is a page. */
export const isPageUrl = (url: string): boolean => isOwnUrl(url) && ['/', '/index.html'].includes(new URL(url).pathname)
