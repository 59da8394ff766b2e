// Files that import each other, directly or by others: none of them can be read, tested or moved by itself.
import { posix } from 'node:path'
import ts from 'typescript'
import type { SourceFile } from './rules'

/** Groups of such files below these folders, each sorted; types count, what is imported when it is needed does not. O(files + imports). */
export function findCircles(files: readonly SourceFile[], folders: readonly string[]): string[][] {
  const sources = files.filter(({ path }) => /\.tsx?$/.test(path) && folders.some((folder) => path.startsWith(folder)))
  const paths = new Set(sources.map(({ path }) => path))
  const imports = new Map(sources.map((file) => [file.path, importsOf(file, paths)]))
  return circlesOf(imports).map((circle) => circle.sort())
}

function importsOf({ path, text }: SourceFile, paths: ReadonlySet<string>): string[] {
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  return parsed.statements.flatMap((each) => {
    const from = ts.isImportDeclaration(each) || ts.isExportDeclaration(each) ? each.moduleSpecifier : undefined
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return []
    const bare = posix.join(posix.dirname(path), from.text)
    return [`${bare}.ts`, `${bare}.tsx`, `${bare}/index.ts`].filter((target) => paths.has(target))
  })
}

/** Tarjan's strongly connected components of more than one file, or of one that imports itself. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const isOnPath = new Set<string>()
  const visit = (file: string): void => {
    const at = index.size
    index.set(file, at)
    lowest.set(file, at)
    path.push(file)
    isOnPath.add(file)
    for (const next of imports.get(file) ?? []) {
      if (!index.has(next)) visit(next)
      if (isOnPath.has(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== at) return
    const circle = path.splice(path.lastIndexOf(file))
    for (const each of circle) isOnPath.delete(each)
    if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle)
  }
  for (const file of imports.keys()) if (!index.has(file)) visit(file)
  return circles
}
