// zod, set up before the first schema is made: every file of the contract takes it from here, as `import * as z`, so that a bundle has
// what is used of it alone (a third; its `z` object holds everything, texts of fifty languages included).
import { config } from 'zod'

// A Content-Security-Policy without 'unsafe-eval' would make zod's compiler probe fail noisily.
config({ jitless: true })

export * from 'zod'
