#!/usr/bin/env node
// The entry's earlier name, which npx keeps a link to for a checkout where it was used before: starts morphoscope.cjs, and ends as it ends.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('morphoscope.cjs', import.meta.url))
// Not an import: this process has used its thread pool to load this file, see there.
const child = spawn(process.execPath, [entry, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 70
})
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
})
