// Says that a long step goes on: its time, how far it is, and how long it usually takes. Knows no step by itself.

/** On a terminal the line is written anew each second; a log gets a line in this time, the first of a step sooner. */
const logEveryMs = 30_000
const firstAfterMs = 3000

export function duration(ms) {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** What a build says of its way: Ninja's [12/340], make's [ 12%]. The last of a text counts; null: none. */
export function fractionOf(text) {
  const marks = [...text.matchAll(/^\[\s*(\d+)(?:\/(\d+)\]|%\])/gm)]
  const last = marks.at(-1)
  if (!last) return null
  const [done, all] = [Number(last[1]), Number(last[2] ?? 100)]
  return { done, all, label: last[2] === undefined ? `${done}%` : `[${done}/${all}]` }
}

/** What is left, from what is done: said once a tenth is done, before that it would be a guess. */
export function leftMs(elapsedMs, { done, all }) {
  return done * 10 < all ? null : (elapsedMs / done) * (all - done)
}

export function lineOf({ name, usual, begun, fraction, even = true }, now) {
  const elapsed = now - begun
  const left = fraction && even ? leftMs(elapsed, fraction) : null
  const words = [name, ...(fraction ? [fraction.label] : []), duration(elapsed)]
  if (left !== null) words.push(left < 1000 ? '(almost done)' : `(about ${duration(Math.ceil(left / 10_000) * 10_000)} left)`)
  else if (usual) words.push(`(usually ${usual})`)
  return words.join(' ')
}

const going = new Set()
let timer
let shown = false
let saidAt = 0
let out = process.stdout

/** Takes the line away before another is written. */
export function clearProgress() {
  if (shown) out.write('\r\u001b[K')
  shown = false
}

function show() {
  if (going.size === 0) return
  const now = Date.now()
  const text = `[morphoscope] ${[...going].map((step) => lineOf(step, now)).join(' · ')}`
  if (out.isTTY) {
    out.write(`\r${text.slice(0, Math.max(20, (out.columns || 80) - 1))}\u001b[K`)
    shown = true
  } else if (now - saidAt >= logEveryMs || [...going].some((step) => !step.said && now - step.begun >= firstAfterMs)) {
    saidAt = now
    for (const step of going) step.said = true
    out.write(`${text}\n`)
  }
}

/**
 * A step begins, which usually takes as long as `usual` says ('2 to 5 min'). Returns { hear, end }: `hear` takes what the step's program
 * prints, for how far it is. `even` false: its last parts take far longer than its first, so that what is left cannot be told from these.
 */
export function working(name, usual, { even = true } = {}) {
  const step = { name, usual, begun: Date.now(), fraction: null, even, said: false }
  if (going.size === 0) saidAt = Date.now()
  going.add(step)
  timer ??= setInterval(show, 1000)
  // What is to be waited for keeps the process, not its progress.
  timer.unref()
  return {
    hear(text) {
      step.fraction = fractionOf(text) ?? step.fraction
    },
    end() {
      going.delete(step)
      clearProgress()
      if (going.size > 0) return show()
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** For tests: another place to write to. */
export function writeProgressTo(stream) {
  out = stream
}
