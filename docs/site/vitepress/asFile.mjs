// A page of the site can be opened as a file too. A browser runs no modules of files, so the page stays as it was rendered; its addresses begin
// at a server's root, and a script of its own makes them begin at the site's folder.

/** Where an address of a server is, seen from a page: `up` is the way to the site's folder. */
export const besides = (up, address) =>
  address.replace(/^\/(?!\/)([^#?]*)/, (_, path) => up + (path === '' || path.endsWith('/') ? `${path}index.html` : path))

/** `page`: its place in the site, with .md. What a server shows is left as it is: its scripts count on that. */
export function scriptFor(page) {
  const up = '../'.repeat(page.split('/').length - 1) || './'
  return `if (location.protocol === 'file:') {
  const besides = ${besides}
  document.documentElement.classList.add('as-file')
  const lead = () => {
    for (const name of ['href', 'src'])
      for (const each of document.querySelectorAll('[' + name + '^="/"]')) each.setAttribute(name, besides('${up}', each.getAttribute(name)))
  }
  lead()
  addEventListener('DOMContentLoaded', lead)
}`
}
