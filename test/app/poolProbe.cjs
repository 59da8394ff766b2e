// Preloaded into a program (node --require): says whether Node's pool holds one thread more than there are FIFOs in POOL_PROBE.
const { closeSync, open, openSync, readdirSync, stat, writeSync } = require('node:fs')
const { join } = require('node:path')

const folder = process.env.POOL_PROBE
const fifos = readdirSync(folder).map((name) => join(folder, name))
// Long, because only a pool that is too small waits for it.
const patienceMs = 60_000

// The program has done its work by then, and every thread of the pool is free.
process.once('beforeExit', () => {
  // The command line ends itself a second after its work, and such an end would wait for the threads that are held.
  const { exit } = process
  process.exit = () => undefined
  let held = true
  const end = (verdict) => {
    if (!held) return
    held = false
    process.exit = exit
    clearTimeout(late)
    writeSync(2, `pool probe: ${verdict}\n`)
    // Each thread waits for somebody who may write.
    for (const fifo of fifos) openSync(fifo, 'r+')
  }
  const late = setTimeout(end, patienceMs, 'full')
  for (const fifo of fifos) {
    open(fifo, 'r', (error, descriptor) => {
      if (error || held) end(`${fifo} held no thread: ${error ?? 'it has a writer'}`)
      if (!error) closeSync(descriptor)
    })
  }
  stat(folder, (error) => end(error ? String(error) : 'room'))
})
