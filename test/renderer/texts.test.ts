// The window's texts stand in renderer/words alone: no other file of the page has one of its own, and no text is there that nobody shows.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { areas } from '../../renderer/words/english'

const root = join(import.meta.dirname, '..', '..', 'renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('words/') && !/\.d\.ts$|^vite\.config/.test(name))

/** Units after numbers, and a command that is the same in every language. */
const untranslated = /^(px|nm|µm|mm|ms|s|min|h|µm²|mm²|Mpx|Mpx\/s|µm\/px|[KMGT]iB|n|OD|morphoscope run --recipe NAME)$/
/** Of elements: what a person reads or hears. */
const readAttributes =
  /^(label|title|aria-label|aria-valuetext|valueText|placeholder|description|tip|alt|message|help|action|none|thumb(From|To)?Label)$/
/** Of objects that become buttons, questions and notices. */
const readProperties = /^(label|title|aria-label|text|detail|message|help|yes|no|group|note|what|said)$/
/** Their first arguments are shown. */
const tellers = /^(tell|tellStep|tellWithSteps|tellError|inTurn)$/
/** Never shown: names of classes, shapes, ids, fonts, and errors that a person sees in a report at most. */
const hiddenAttributes =
  /^(className|data-.*|testId|d|style|role|id|key|type|size|variant|accept|transform|viewBox|.*[Aa]lign.*)$/
const hiddenFiles: Readonly<Record<string, string>> = {
  'store/commands/keys.ts': 'Names of keys as the browser has them, and selectors.',
  'store/runs/timelineFile.ts': 'Markup of a picture and heads of columns.',
}

interface Source {
  readonly path: string
  readonly file: ts.SourceFile
}
const parse = (path: string, text: string): Source => ({
  path,
  file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS),
})
const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
/** Without the values in it. */
const textOf = (node: ts.StringLiteralLike | ts.TemplateExpression): string =>
  ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ')
    : node.text
const hasWord = (text: string): boolean =>
  text.split(/[\s·:,;()]+/u).some((part) => /\p{L}/u.test(part) && !untranslated.test(part)) && !untranslated.test(text.trim())
/** A font, a head of a request, a prefix of names of licences. */
const isForMachines = (text: string): boolean => /sans-serif$|^Bearer |^LicenseRef-$/.test(text)
/** A sentence, or a word that begins one. */
const isSentence = (text: string): boolean => /^\s*\p{Lu}\p{Ll}+/u.test(text) || /\p{Ll}{2,}[,:;]? \p{L}{2,}/u.test(text)

/** Where a text goes: up through what chooses or joins it. */
function holderOf(node: ts.Node): ts.Node {
  let { parent } = node
  while (
    ts.isParenthesizedExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isBinaryExpression(parent) && /^(\+|\?\?|\|\||&&)$/.test(parent.operatorToken.getText())) ||
    (ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent)) ||
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent)
  )
    parent = parent.parent
  return parent
}

function isShown(node: ts.StringLiteralLike | ts.TemplateExpression): boolean {
  const text = textOf(node)
  const holder = holderOf(node)
  if (ts.isJsxAttribute(holder)) return readAttributes.test(holder.name.getText()) && hasWord(text)
  if (ts.isJsxExpression(holder)) return hasWord(text)
  if (ts.isPropertyAssignment(holder) && holder.name !== node && readProperties.test(holder.name.getText().replaceAll("'", '')))
    return hasWord(text)
  if (ts.isCallExpression(holder) && tellers.test(holder.expression.getText())) return hasWord(text)
  return isSentence(text) && hasWord(text) && !isForMachines(text)
}

function isHidden(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return true
  // A key of a table.
  if (ts.isComputedPropertyName(node)) return true
  if (ts.isJsxAttribute(node)) return hiddenAttributes.test(node.name.getText())
  if (ts.isNewExpression(node)) return /Error$|TileGone$/.test(node.expression.getText())
  // What is compared or looked for is not shown.
  if (ts.isBinaryExpression(node)) return /^[!=]==$/.test(node.operatorToken.getText())
  if (ts.isCallExpression(node))
    return /(closest|querySelector(All)?|matchMedia|startsWith|includes)$/.test(node.expression.getText())
  if (ts.isAsExpression(node))
    return ts.isArrayLiteralExpression(node.expression) && node.type.getText() === 'const' && isNames(node.expression)
  return false
}
/** A list of ids. */
const isNames = (list: ts.ArrayLiteralExpression): boolean =>
  list.elements.every((each) => ts.isStringLiteral(each) && /^\w+$/.test(each.text))

/** As sentences: texts of a file that a person reads. */
function findTexts({ path, file }: Source): string[] {
  const found: string[] = []
  const say = (node: ts.Node, text: string) =>
    found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text.trim().replace(/\s+/g, ' ')}`)
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return
    if (ts.isElementAccessExpression(node)) return visit(node.expression)
    if (ts.isJsxText(node) && hasWord(node.text)) say(node, node.text)
    if (isText(node) && isShown(node)) say(node, textOf(node))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** "program.name", "errors.headlines": what is taken of `words`, as deep as it is named. */
function takenIn({ file }: Source): string[] {
  const taken: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'words') {
      const names: string[] = []
      let at: ts.Node = node
      for (let { parent } = node; ; at = parent, { parent } = parent) {
        if (ts.isPropertyAccessExpression(parent) && parent.expression === at) names.push(parent.name.text)
        else if (
          ts.isElementAccessExpression(parent) &&
          parent.expression === at &&
          ts.isStringLiteral(parent.argumentExpression)
        )
          names.push(parent.argumentExpression.text)
        else break
      }
      if (names.length > 0) taken.push(names.join('/'))
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return taken
}

/** The path of each text. */
const pathsOf = (texts: object, path: readonly string[] = []): string[] =>
  Object.entries(texts as Record<string, unknown>).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? pathsOf(value, [...path, name])
      : [[...path, name].join('/')],
  )

const sources = files.map((path) => parse(path, readFileSync(join(root, path), 'utf8')))

test('no file of the page but those of renderer/words has a text', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.filter(({ path }) => !(path in hiddenFiles)).flatMap(findTexts)).toEqual([])
})

test('a file that is left out has its reason still', () => {
  const left = Object.keys(hiddenFiles).filter((path) => {
    const source = sources.find((each) => each.path === path)
    return source === undefined || findTexts(source).length === 0
  })
  expect(left).toEqual([])
})

test('every text is taken by some file, and no topic is in two areas', () => {
  const taken = new Set(sources.flatMap(takenIn))
  const isTaken = (path: string): boolean => {
    const parts = path.split('/')
    return parts.some((_, i) => taken.has(parts.slice(0, i + 1).join('/')))
  }
  const topics = Object.values(areas).flatMap((area) => Object.keys(area))
  expect(topics.filter((topic, i) => topics.indexOf(topic) !== i)).toEqual([])
  const paths = Object.values(areas).flatMap((area) => pathsOf(area))
  expect(paths.length).toBeGreaterThan(800)
  expect(paths.filter((path) => !isTaken(path))).toEqual([])
})

describe('a planted text is found', () => {
  test.each([
    ['in an element', '<b>Brush</b>'],
    ['in a part of a sentence', '<p>from {name}</p>'],
    ['as a label', '<IconButton label="close" />'],
    ['as a choice', '<Button title={on ? `Hide ${name}` : other} />'],
    ['as the text of an element', "<span>{busy ? 'busy' : null}</span>"],
    ['in a table', "const rows = [{ value: 'a', label: 'first' }]"],
    ['in a notice', "tell('done', about)"],
    ['what a notice is about', "tellError(error, 'slides')"],
    ['in a function', 'const said = (n: number) => `${n} objects found`'],
    ['as a title', "const title = on ? 'Preview' : name"],
  ])('%s: %s', (_, source) => {
    expect(findTexts(parse('panels/Planted.tsx', source))).toHaveLength(1)
  })
  test.each([
    ['a class', '<b className={on ? "run chosen" : "run off"} />'],
    ['an id', "patch('ui', { dialog: 'longRun', tool: 'pan' })"],
    ['a key', "if (event.key === 'Enter') go()"],
    ['a unit', '<b>{width} px</b>'],
    ['an error of the program', "throw new Error('expected a canvas but there is none')"],
    ['a text of words', '<IconButton label={words.buttons.close} />'],
  ])('%s is none: %s', (_, source) => {
    expect(findTexts(parse('panels/Planted.tsx', source))).toEqual([])
  })
})
