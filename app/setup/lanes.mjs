// Lets steps that keep one core busy run some at a time: which they are, test.mjs says.

/** Each lane takes the next task that none has begun; longest first ends soonest. Rejects as a task does, after what runs beside it. */
export async function inLanes(tasks, lanes) {
  const waiting = [...tasks]
  const lane = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task()
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}
