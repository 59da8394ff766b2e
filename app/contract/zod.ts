// zod, set up before the first schema is made: every file of the contract takes it from here.
import { z } from 'zod'

// A Content-Security-Policy without 'unsafe-eval' would make zod's compiler probe fail noisily.
z.config({ jitless: true })

export { z }
