// What of a page cannot be read: text that is cut, lies outside the window, or lies over another control; a colour that has no name.
import type { Page } from '@playwright/test'

/** The window's smallest size and the common ones. */
export const sizes = [
  [900, 600],
  [1100, 700],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const

/** One line a fault. What has a title may be cut: all of it can be read there. */
export function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const visible = (element: Element): boolean => {
      const box = element.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1) return false
      for (let e: Element | null = element; e; e = e.parentElement) {
        const style = getComputedStyle(e)
        if (style.visibility === 'hidden' || style.display === 'none' || Number(style.opacity) === 0) return false
      }
      return true
    }
    /** Only the topmost layer is looked at: what lies under a dialog is not read. */
    const dialog = [...document.querySelectorAll('[role="dialog"]')].find(visible)
    const root = dialog ?? document.body
    const textBox = (element: Element): DOMRect => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect()
    }
    const leaves = [...root.querySelectorAll('*')].filter(
      (e) =>
        e.children.length === 0 &&
        e.textContent.trim() !== '' &&
        !e.closest('[aria-hidden="true"], [inert], [title], option, script, style, svg'),
    )
    for (const leaf of leaves.filter(visible)) {
      const box = textBox(leaf)
      const name = `“${leaf.textContent.trim().slice(0, 40)}” (${leaf.className || leaf.tagName})`
      let scrolls = false
      for (let e: Element | null = leaf; e && e !== document.documentElement; e = e.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(e)
        const clip = e.getBoundingClientRect()
        const hidden = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        if (hidden(overflowX) && (box.right > clip.right + 1 || box.left < clip.left - 1))
          found.push(`${name} is cut at its side`)
        if (/auto|scroll/.test(overflowY)) scrolls = true
        if (!scrolls && hidden(overflowY) && (box.bottom > clip.bottom + 2 || box.top < clip.top - 2))
          found.push(`${name} is cut in height`)
      }
      if (!scrolls && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1))
        found.push(`${name} is outside the window`)
    }
    // A spot of colour alone, as of a class: a title for the eye, a label for the ear, or the words of the control that it is in.
    const spots = [...root.querySelectorAll<HTMLElement>('[style*="background"], [style*="border-color"]')]
      .filter((e) => visible(e) && e.textContent.trim() === '' && Math.max(e.offsetWidth, e.offsetHeight) <= 30)
      .filter((e) => !e.closest('[title], [aria-label]:is(button, label, [role="img"]), .overview'))
    found.push(...spots.map((e) => `the colour of “${e.parentElement?.textContent.trim().slice(0, 30)}” has no name`))
    const controls = [
      ...root.querySelectorAll('button, input, select, a, [role="slider"], .status-item, .progress-line > span'),
    ].filter(
      (e) => visible(e) && !e.closest('[aria-hidden="true"], [inert]') && !(e instanceof HTMLInputElement && e.type === 'range'),
    )
    for (const [i, a] of controls.entries()) {
      for (const b of controls.slice(i + 1)) {
        if (a.contains(b) || b.contains(a) || a.parentElement === b.parentElement?.parentElement) continue
        // What scrolls lies under what stays.
        if (a.closest('.panel-scroll') !== b.closest('.panel-scroll')) continue
        const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()]
        const x = Math.min(p.right, q.right) - Math.max(p.left, q.left)
        const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)
        const label = (e: Element) => e.getAttribute('aria-label') ?? e.textContent.trim().slice(0, 30)
        if (x > 3 && y > 3) found.push(`“${label(a)}” and “${label(b)}” overlap`)
      }
    }
    return [...new Set(found)]
  })
}
