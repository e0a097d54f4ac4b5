// A file of src/, parsed → the texts in it that a person would read in English whatever the language is: those that stand
// where something is shown, and in no call of src/translation.ts.

import ts from 'typescript';

/** Attributes and facts whose value is read. */
const NAMES = new Set([
  'aria-label', 'aria-description', 'ariaLabel', 'title', 'placeholder', 'alt', 'label', 'caption', 'displayName',
]);
/** Functions that show one of their arguments, by its place. */
const CALLS = { text: 1, say: 0, button: 0, words: 0, table: 0, deed: 0, arrow: 1, listed: 1, Refusal: 0 };
/** The first two arguments of `h` are no children. */
const CHILDREN = 2;

/** With its parents; `file` says whether it may have JSX. */
export const parsed = (code, file = 'any.tsx') => ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);

export function untranslated(parsed) {
  const found = [];
  const visit = (node) => {
    found.push(...shown(node).filter((text) => /[A-Za-z]{2}/.test(text)));
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** What a node shows. */
function shown(node) {
  if (ts.isJsxText(node)) {
    return [node.text];
  }
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) {
    return texts(node.expression);
  }
  if (ts.isJsxAttribute(node) && NAMES.has(node.name.getText())) {
    return texts(node.initializer);
  }
  if (ts.isPropertyAssignment(node) && NAMES.has(node.name.text)) {
    return texts(node.initializer).filter((text) => !KEYWORDS.has(text));
  }
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const { expression, arguments: given = [] } = node;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.text;
    if (name === 'h') {
      return given.slice(CHILDREN).flatMap(texts);
    }
    if (name === 'attribute') {
      return NAMES.has(given[1]?.text) ? texts(given[2]) : [];
    }
    return Object.hasOwn(CALLS, name ?? '') ? texts(given[CALLS[name]]) : [];
  }
  return [];
}

/** Of a way in a diagram, as it is written in the file. */
const KEYWORDS = new Set(['timeout']);
const JOINS = new Set([
  ts.SyntaxKind.PlusToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** The literals that a value can be, or has in it. */
function texts(node) {
  if (node === undefined) {
    return [];
  }
  if (ts.isStringLiteralLike(node)) {
    return [node.text];
  }
  if (ts.isTemplateExpression(node)) {
    return [[node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ')];
  }
  if (ts.isConditionalExpression(node)) {
    return [...texts(node.whenTrue), ...texts(node.whenFalse)];
  }
  if (ts.isBinaryExpression(node)) {
    return JOINS.has(node.operatorToken.kind) ? [...texts(node.left), ...texts(node.right)] : [];
  }
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isJsxExpression(node)
    ? texts(node.expression)
    : [];
}
