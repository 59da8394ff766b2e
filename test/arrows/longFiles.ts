// Which files may pass 400 lines, and why: a file that has no such reason has a second reason to change, which is to be found.
import type { SourceFile } from './rules'

const limit = 400

/** Each is one list or table that would be read worse in pieces; the tests are many cases of one thing. */
export const longFiles: Readonly<Record<string, string>> = {
  'test/app/serve/server.test.ts': 'The requests that a server must refuse, one after the other.',
  'test/gpu/cases_geodesic.cpp': 'The cases of one family, which share their inputs.',
  'test/main/engine.test.ts': 'One engine, called as a shell calls it.',
  'test/native/addon.test.ts': 'The calls of the addon, each with what it must refuse.',
  'test/native/operations/test_op_call.cpp': 'Every operation by name, with what it must refuse.',
  'test/native/operations/test_properties.cpp': 'The laws that hold between operations.',
  'test/native/runtime/test_workspace_need.cpp': 'What each operation says that it needs, against what it takes.',
}

/** As sentences: long files without a reason, and reasons without a long file. */
export function findLongFiles(files: readonly SourceFile[], known: Readonly<Record<string, string>>): string[] {
  const lines = new Map(
    files
      .filter(({ path }) => /\.(tsx?|mjs|[ch]pp|cuh?)$/.test(path))
      .map(({ path, text }) => [path, text.split('\n').length - 1]),
  )
  const grown = [...lines].filter(([path, count]) => count > limit && !(path in known))
  return [
    ...grown.map(
      ([path, count]) => `${path}: ${count} lines, and test/arrows/longFiles.ts knows no reason for more than ${limit}`,
    ),
    ...Object.keys(known).flatMap((path) => {
      const count = lines.get(path)
      if (count === undefined) return [`${path}: is not there any more, and test/arrows/longFiles.ts still excuses it`]
      return count > limit ? [] : [`${path}: is short again (${count} lines), and test/arrows/longFiles.ts still excuses it`]
    }),
  ]
}
