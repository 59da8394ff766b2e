#!/usr/bin/env node
// Starts the command line from its build, in a guarded process or with room in Node's thread pool, or says how to make a build.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const [program, helper] = ['cli.mjs', 'guard.cjs'].map((name) => join(__dirname, '..', '..', 'dist', name))
if (existsSync(program) && existsSync(helper)) {
  const { compiledBeside, guard, isGuarded, threadPool } = require(helper)
  const args = process.argv.slice(2)
  // What slides do to native code must end in words and an exit code: see app/cli/guard.ts.
  if (isGuarded(args)) guard(program, args)
  else {
    // The pool reads its size once, at its first use, and Node loads an ES module through the pool: only a CommonJS file comes before
    // that. On Windows a libuv without its pull request 4888 sees what was set before the start alone.
    process.env.UV_THREADPOOL_SIZE ??= threadPool.UV_THREADPOOL_SIZE
    // Node 22.8 and later; the guard tells its process in its environment.
    require('node:module').enableCompileCache?.(compiledBeside(program))
    import(pathToFileURL(program).href)
  }
} else {
  console.error('Morphoscope is not built: run "npm start" or "npm run build" first.')
  process.exitCode = 69
}
