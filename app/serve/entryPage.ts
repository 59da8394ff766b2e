// The two small pages before the app: one that changes the address's token for a key in the page's storage, and one that says why not.
import { randomBytes } from 'node:crypto'

/** Where the page keeps its key; the renderer reads it there (renderer/api.ts). */
export const keyItem = 'morphoscope-key'

export interface EntryPage {
  html: string
  /** In place of script-src 'self'. */
  scriptSource: string
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

function page(text: string, script: string): EntryPage {
  const nonce = randomBytes(16).toString('base64')
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Morphoscope</title><p>${escaped(text)}</p><script nonce="${nonce}">${script}</script></html>\n`
  return { html, scriptSource: `'nonce-${nonce}'` }
}

/** A path like //host must not lead away. */
const ownPath = (pathname: string): string => JSON.stringify(`/${pathname.replace(/^[/\\]+/, '')}`).replace(/</g, '\\u003c')

/** `pathname` without the token: it leaves the address bar and the history. */
export function welcomePage(key: string, pathname: string): EntryPage {
  return page(
    'Morphoscope keeps its key in this browser, and this browser does not let it. Allow this address to store data, and open a new address.',
    `localStorage.setItem('${keyItem}', ${JSON.stringify(key)}); location.replace(${ownPath(pathname)})`,
  )
}

/** A browser that came in before comes in again by its key, also by an address that was used. */
export function refusalPage(message: string, pathname: string): EntryPage {
  return page(message, `if (localStorage.getItem('${keyItem}')) location.replace(${ownPath(pathname)})`)
}
