// What of a page cannot be read: text that is cut, lies outside the window, or lies under a control; a colour that has no name.
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** The window's smallest size and the common ones. */
export const sizes = [
  [900, 600],
  [1100, 700],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const

/**
 * One line a fault. What has a title may be cut: all of it can be read there. What an ancestor has scrolled away is looked at as far as it
 * is seen. Of a window with an open menu, list or dialog that layer alone is looked at: it covers the page on purpose.
 */
export function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      readonly left: number
      readonly top: number
      readonly right: number
      readonly bottom: number
    }
    const found: string[] = []
    const visible = (element: Element): boolean => {
      const box = element.getBoundingClientRect()
      return box.width > 1 && box.height > 1 && isShown(element)
    }
    /** Text whose place has no width left is a fault; what is a pixel alone is for screen readers. */
    const isMeant = (element: Element): boolean => {
      const box = element.getBoundingClientRect()
      return (box.width > 1 || box.height > 1) && isShown(element)
    }
    const isShown = (element: Element): boolean => {
      for (let e: Element | null = element; e; e = e.parentElement) {
        const style = getComputedStyle(e)
        if (style.visibility === 'hidden' || style.display === 'none' || Number(style.opacity) === 0) return false
      }
      return true
    }
    const scrolls = (overflow: string): boolean => /auto|scroll/.test(overflow)
    const hides = (overflow: string): boolean => /hidden|clip/.test(overflow)
    /** The ancestors that clip what lies in an element: not those that its containing block lies outside of. */
    const clippers = (element: Element): Element[] => {
      const all: Element[] = []
      let { position } = getComputedStyle(element)
      for (let e = element.parentElement; e && e !== document.documentElement; e = e.parentElement) {
        const style = getComputedStyle(e)
        const contains = style.transform !== 'none' || style.filter !== 'none' || /paint|strict|content/.test(style.contain)
        if (!contains && (position === 'fixed' || (position === 'absolute' && style.position === 'static'))) continue
        if (style.overflowX !== 'visible' || style.overflowY !== 'visible') all.push(e)
        position = style.position
      }
      return all
    }
    const within = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    })
    /** What is seen of a box of an element: all that clips it leaves, in the window. */
    const seenOf = (element: Element, box: Box): Box =>
      clippers(element)
        .map((clipper): Box => clipper.getBoundingClientRect())
        .reduce(within, within(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }))
    /** What stays in its place while that around it scrolls: its header, as a rule. */
    const staysIn = (element: Element): Element | null => {
      for (let e: Element | null = element; e; e = e.parentElement) if (getComputedStyle(e).position === 'sticky') return e
      return null
    }
    const scrollerOf = (element: Element): Element | undefined =>
      clippers(element).find((e) => scrolls(getComputedStyle(e).overflowX) || scrolls(getComputedStyle(e).overflowY))

    // The layer on top: the last that was opened, and not the list inside of a dialog.
    const layers = [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].filter(visible)
    const root = layers.filter((e) => !layers.some((other) => other !== e && other.contains(e))).at(-1) ?? document.body

    const quiet = '[aria-hidden="true"], [inert]'
    const texts: { element: Element; box: Box; words: string }[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!
      const words = node.textContent!.trim()
      if (words === '' || element.closest(`${quiet}, option, script, style, svg`) || !isMeant(element)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width > 1 && box.height > 1) texts.push({ element, box, words })
    }
    for (const { element, box, words } of texts) {
      if (element.closest('[title]')) continue
      const name = `“${words.slice(0, 40)}” (${element.className || element.tagName})`
      // Of what scrolls no more is asked farther out: it can be brought into sight.
      const scrolled = { x: false, y: false }
      for (const e of [element, ...clippers(element)]) {
        const { overflowX, overflowY } = getComputedStyle(e)
        const clip = e.getBoundingClientRect()
        scrolled.x ||= scrolls(overflowX)
        scrolled.y ||= scrolls(overflowY)
        if (!scrolled.x && hides(overflowX) && (box.right > clip.right + 1 || box.left < clip.left - 1))
          found.push(`${name} is cut at its side`)
        if (!scrolled.y && hides(overflowY) && (box.bottom > clip.bottom + 2 || box.top < clip.top - 2))
          found.push(`${name} is cut in height`)
      }
      if (!scrolled.x && (box.right > innerWidth + 1 || box.left < -1)) found.push(`${name} is outside the window`)
      if (!scrolled.y && (box.bottom > innerHeight + 1 || box.top < -1)) found.push(`${name} is outside the window`)
    }
    // Tables alone may be wider than their place: everything else wraps.
    for (const e of [...root.querySelectorAll('*')].filter((each) => scrolls(getComputedStyle(each).overflowX))) {
      const isTable = e.querySelector('table, [role="grid"], [role="table"]') ?? e.closest('table, [role="grid"], [role="table"]')
      if (e.scrollWidth > e.clientWidth + 1 && !isTable && !e.matches('input, textarea, pre') && visible(e))
        found.push(`“${e.textContent.trim().slice(0, 40)}” (${e.className || e.tagName}) scrolls sideways`)
    }

    // A spot of colour alone, as of a class: a title for the eye, a label for the ear, or the words of the control that it is in.
    const spots = [...root.querySelectorAll<HTMLElement>('[style*="background"], [style*="border-color"]')]
      .filter((e) => visible(e) && e.textContent.trim() === '' && Math.max(e.offsetWidth, e.offsetHeight) <= 30)
      .filter((e) => !e.closest('[title], [aria-label]:is(button, label, [role="img"]), .overview'))
    found.push(...spots.map((e) => `the colour of “${e.parentElement?.textContent.trim().slice(0, 30)}” has no name`))

    const labelOf = (e: Element) => e.getAttribute('aria-label') ?? e.textContent.trim().slice(0, 30)
    const controls = [...root.querySelectorAll('button, input, select, a, [role="slider"], .status-item, .progress-line > span')]
      .filter((e) => visible(e) && !e.closest(quiet) && !(e instanceof HTMLInputElement && e.type === 'range'))
      .map((element) => ({ element, seen: seenOf(element, element.getBoundingClientRect()), label: labelOf(element) }))
    const read = texts.map(({ element, box, words }) => ({ element, seen: seenOf(element, box), label: words.slice(0, 30) }))
    for (const [i, a] of controls.entries()) {
      for (const b of [...controls.slice(i + 1), ...read]) {
        const both = within(a.seen, b.seen)
        if (both.right - both.left <= 3 || both.bottom - both.top <= 3) continue
        const [p, q] = [a.element, b.element]
        if (p.contains(q) || q.contains(p) || p.parentElement === q.parentElement?.parentElement) continue
        // What scrolls lies under what stays.
        if (staysIn(p) !== staysIn(q) && scrollerOf(p) === scrollerOf(q)) continue
        found.push(`“${a.label}” and “${b.label}” overlap`)
      }
    }
    return [...new Set(found)]
  })
}

/** The faults of the page while one of its elements looks so: the check is tried by what it must find. */
export async function faultsWith(page: Page, testId: string, look: Readonly<Record<string, string>>): Promise<string[]> {
  const element = page.getByTestId(testId)
  const before = await element.getAttribute('style')
  await element.evaluate((e, style) => void Object.assign((e as HTMLElement).style, style), look)
  const found = await faults(page)
  await element.evaluate((e, style) => (style === null ? e.removeAttribute('style') : e.setAttribute('style', style)), before)
  return found
}

/** What of the main window is found once it is broken: a button over another, a label that is cut, and one beyond the window's edge. */
export async function plantedFaults(page: Page): Promise<string[][]> {
  return [
    await faultsWith(page, 'segment-visible', { transform: 'translateY(40px)' }),
    await faultsWith(page, 'run-whole', { width: '60px', flex: 'none' }),
    await faultsWith(page, 'run-whole', { position: 'fixed', right: '-60px' }),
  ]
}

/** Of those each names what it is. */
export const foundWhenPlanted: readonly unknown[] = [
  /“Segment visible field.*” and “(Rectangle|Whole slide)” overlap/,
  /“Whole slide” .* is cut at its side/,
  /“Whole slide” .* is outside the window/,
].map((pattern) => expect.arrayContaining([expect.stringMatching(pattern)]) as unknown)
