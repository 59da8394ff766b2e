// The messages of the engine that tests expect, as they stand there.
import ts from 'typescript'
import type { Source } from './messageSources'

/** Whole texts: those that begin and end as a sentence does, wherever a test has them but in its title. */
export function expectedIn({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text)
    else if (ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `VALUE${literal.text}`).join(''))
    const isTitled = ts.isCallExpression(node) && /^(test|it|describe)\b/.test(node.expression.getText(file))
    if (!isTitled) ts.forEachChild(node, visit)
    else node.arguments.slice(1).forEach(visit)
  }
  visit(file)
  return found.filter(
    (each) => /^([\p{Lu}“]|VALUE|expected )[^\n]* [^\n]*\p{L}\.$/u.test(each) || /^expected .* but received \S/.test(each),
  )
}
