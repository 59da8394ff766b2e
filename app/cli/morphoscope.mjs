#!/usr/bin/env node
// Starts the command line from its build, or says how to make one.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const program = join(resolve(dirname(fileURLToPath(import.meta.url)), '..', '..'), 'dist', 'cli.mjs')
if (existsSync(program)) await import(pathToFileURL(program).href)
else {
  console.error('Morphoscope is not built: run "npm start" or "npm run build" first.')
  process.exitCode = 69
}
