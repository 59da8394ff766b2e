// The command line in this process: what it prints, and its exit code.
import { main } from '../../../app/cli/cli'

export async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = []
  const err: string[] = []
  const terminal = {
    print: (text: string) => void out.push(text),
    note: (text: string) => void err.push(text),
    progress: () => undefined,
    endProgress: () => undefined,
  }
  const code = await main(args, terminal, new AbortController().signal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
