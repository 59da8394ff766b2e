// The texts in the engine's sources that a person may meet: each a template, whose values are {}.
import ts from 'typescript'

export interface Source {
  readonly path: string
  readonly text: string
}
export interface Template {
  readonly place: string
  readonly text: string
}

/** Words apart by a space, and so no name, key or address. */
const isProse = (text: string): boolean =>
  /\p{Ll}{2,}[,:;.]? [\p{L}{“"(<]|^[\p{L}{][^\n]* \p{Ll}{2,}/u.test(text) &&
  !/^[<{#.&]*<|^PRAGMA|^SELECT|^INSERT|^UPDATE|^DELETE FROM|^CASE /.test(text)

/** What takes a text that no window shows: logs, programs of the database, questions about a text. */
const asides = /(^|\.)(log|#log|describe|prepare|exec|includes|startsWith|endsWith|test|replace|split|join|get)$/
/** Cancelled work is never shown as a failure. */
const silent = new Set(['CancelledError', 'TooTangled'])

/** Of a TypeScript file. */
export function templatesIn({ path, text }: Source): Template[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Template[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isCallExpression(node) && asides.test(node.expression.getText(file))) {
      // What is done with its result may still be a message: messages.push(text.replace(…)).
      visit(node.expression)
      return
    }
    if (ts.isNewExpression(node) && silent.has(node.expression.getText(file))) return
    const whole = textOf(node)
    if (whole !== null && isProse(whole)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      found.push({ place: `${path}:${line + 1}`, text: whole })
    }
    if (ts.isBinaryExpression(node) && whole !== null) return operands(node).forEach((each) => ts.forEachChild(each, visit))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const operands = (node: ts.Expression): ts.Expression[] =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
    ? [...operands(node.left), ...operands(node.right)]
    : [node]

/** null: it is no text. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const parts = operands(node).map((each) => textOf(each))
  return parts.some((part) => part !== null) ? parts.map((part) => part ?? '{}').join('') : null
}

const literal = /"((?:[^"\\\n]|\\.)*)"/g
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', "'": "'", '0': '\0' }
const unescaped = (text: string): string =>
  text
    .replace(/((?:\\x[0-9A-Fa-f]{2})+)/g, (bytes) => Buffer.from(bytes.replaceAll('\\x', ''), 'hex').toString('utf8'))
    .replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)

/** Of a C++ file: literals that stand side by side or are joined by + are one text. */
export function nativeTemplatesIn({ path, text }: Source): Template[] {
  const code = text
    // Comments and what the compiler alone reads, with as many lines.
    .replace(/^\s*#.*$/gm, '')
    .replace(/^\s*static_assert\([\s\S]*?\);/gm, (lines) => lines.replace(/[^\n]/g, ''))
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*/g, (part) => (part.startsWith('"') ? part : ''))
  const literals = [...code.matchAll(literal)].map((found) => ({
    from: found.index,
    to: found.index + found[0].length,
    text: unescaped(found[1]!),
  }))
  const found: Template[] = []
  for (let i = 0; i < literals.length;) {
    const first = literals[i]!
    let whole = before(code, first.from) + first.text
    let last = first
    let k = i + 1
    for (; k < literals.length; k++) {
      const next = literals[k]!
      const between = code.slice(last.to, next.from)
      if (/^\s*$/.test(between)) whole += next.text
      else if (isJoin(between)) whole += /^\s*\)?\s*\+\s*(std::string\(\s*)?$/.test(between) ? next.text : `{}${next.text}`
      else break
      last = next
    }
    if (/^\s*\)?\s*\+/.test(code.slice(last.to, last.to + 200))) whole += '{}'
    const line = code.slice(0, first.from).split('\n').length
    if (isProse(whole)) found.push({ place: `${path}:${line}`, text: whole })
    i = k
  }
  return found
}

/** "+ value +" between two literals, without a choice or an end of the expression. */
function isJoin(between: string): boolean {
  if (!/^\s*\)?\s*\+/.test(between) || !/\+\s*(std::string\(\s*)?$/.test(between)) return false
  let depth = 0
  for (const letter of between.replace(/^\s*\)/, '').replace(/std::string\(\s*$/, '')) {
    if (letter === '(' || letter === '[' || letter === '{') depth++
    if (letter === ')' || letter === ']' || letter === '}') depth--
    if (depth < 0 || (depth === 0 && /[;?:,]/.test(letter) && !between.includes('::'))) return false
  }
  return depth === 0
}

/** {}: a value is joined before the literal. */
const before = (code: string, at: number): string =>
  /[\w)\]]\s*\+\s*(std::string\(\s*)?$/.test(code.slice(Math.max(0, at - 60), at)) ? '{}' : ''
