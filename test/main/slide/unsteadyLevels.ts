// In a process of its own, with failReads.c preloaded: opens slides whose pieces fail so many times each. Prints a line of JSON.
import { openNative } from '../../../main/slide/slides'

export interface OpenedLevels {
  readonly levels: number
  readonly uncertainPixels: string | null
}

const [paths, times] = [process.argv.slice(3), process.argv[2]!.split(',')]
const found: OpenedLevels[][] = []
for (const path of paths) {
  const opened: OpenedLevels[] = []
  for (const [at, each] of times.entries()) {
    Object.assign(process.env, { FAIL_SEED: String(at + 1), FAIL_SHARE: '1000', FAIL_TIMES: each })
    const slide = await openNative(path)
    const { levels, uncertainPixels } = slide.info()
    opened.push({ levels: levels.length, uncertainPixels: uncertainPixels ?? null })
    slide.close()
  }
  found.push(opened)
}
process.stdout.write(JSON.stringify(found))
