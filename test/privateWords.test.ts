// The judge of the texts that users see: none has the program's old private words. Literals of code that have no space are names, not texts.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const privateWords =
  /\b(harvest\w*|gather(ed|ing|s)?|finality|crowds?|guests?|in his hands|hands of|doubts?|foresee\w*|mend rims|rims?|for keeps|let go of|lies at its place|nested nodes|weight of darkness|cut off)\b/i

interface Text {
  readonly place: string
  readonly words: string
}

function textsOfTypeScript(path: string, text: string): Text[] {
  const found: Text[] = []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : undefined)
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isJsxText(node))
      found.push({ place: `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`, words: node.text.trim() })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A line each: of C++ its string literals, else all of it. */
function textsOfLines(path: string, text: string): Text[] {
  const isCpp = /\.(cpp|hpp|cu|cuh)$/.test(path)
  return text.split('\n').flatMap((line, i) => {
    const place = `${path}:${i + 1}`
    if (!isCpp) return [{ place, words: line }]
    if (/^\s*(#include|\/\/)/.test(line)) return []
    return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, words]) => ({ place, words: words! }))
  })
}

const isCode = /\.(tsx?|mjs|cjs)$/
const isRead = /\.(tsx?|mjs|cjs|cpp|hpp|cu|cuh)$|^assets\/recipes\/.*\.json$|^(docs|assets\/guide)\/.*\.md$|^README\.md$/

/** What git tracks; without git the folders. */
function paths(): string[] {
  const folders = ['app', 'main', 'renderer', 'native', 'cuda', 'assets', 'docs']
  try {
    const args = ['ls-files', '-co', '--exclude-standard', '-z', 'README.md', ...folders]
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\0')
  } catch {
    const below = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`) // oxfmt-ignore
    return ['README.md', ...folders.flatMap(below)]
  }
}

test('no text of the page, the desktop, the command line, an error, the guide or a recipe has a private word', () => {
  const files = paths()
    .filter((path) => isRead.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  expect(files.length).toBeGreaterThan(800)
  // Comments and names may have them still: such a file is taken apart.
  const texts = files
    .filter(({ text }) => privateWords.test(text))
    .flatMap(({ path, text }) => (isCode.test(path) ? textsOfTypeScript : textsOfLines)(path, text))
    .filter(({ words }) => /\S\s+\S/.test(words))
  expect(texts.filter(({ words }) => privateWords.test(words)).map(({ place, words }) => `${place}: ${words}`)).toEqual([])
})

test('a private word would be found, in a text and in a template, not in a name', () => {
  const source = "const a = 'hands of'; const b = `the ${a} was cut off`; const c = { guests: a, rim: 'rim' }"
  const found = textsOfTypeScript('a.ts', source).filter(({ words }) => /\S\s+\S/.test(words) && privateWords.test(words))
  expect(found.map(({ words }) => words)).toEqual(['hands of', 'was cut off'])
  expect(textsOfLines('a.cpp', '  fail("a tile of the crowd");  // crowd').map(({ words }) => words)).toEqual([
    'a tile of the crowd',
  ])
})
