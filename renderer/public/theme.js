// Which theme the window has, before anything of it is painted: what store/base/theme.ts keeps, else the system's. A file, as the page's policy runs no script that stands in it.
/* global document, localStorage, matchMedia */
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('morphoscope.theme')
  } catch {
    // Storage can be blocked: the system's theme then.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
