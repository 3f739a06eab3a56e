import ts from 'typescript';

/** A change of one declaration, found by its name, independent of formatting and position. */
export interface Patch {
  readonly file: string;
  /** `function`, `variable`, `Class` or `Class.method`; default: the whole file. */
  readonly symbol?: string;
  readonly edit: Edit;
}

/** The pieces of a declaration that are replaced, each with its new text. */
export type Edit = (declaration: ts.Node) => readonly Replacement[];

interface Replacement {
  readonly node: ts.Node;
  readonly text: string;
}

/** The source with the changed declaration. Throws if the declaration or the part to change is missing. */
export function transform(source: string, { file, symbol, edit }: Patch): string {
  const sourceFile = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const declaration = symbol === undefined ? sourceFile : declarationOf(sourceFile, symbol.split('.'));
  if (!declaration) throw new Error(`${file} declares no ${symbol}`);
  const replacements = [...edit(declaration)].sort((a, b) => b.node.getStart() - a.node.getStart());
  if (replacements.length === 0)
    throw new Error(`${symbol === undefined ? file : `${symbol} in ${file}`} has nothing to change`);
  return replacements.reduce(
    (text, { node, text: replacement }) => text.slice(0, node.getStart()) + replacement + text.slice(node.getEnd()),
    source,
  );
}

/** Sets the values of the properties of this name in object literals; `undefined` takes the property out. */
export const setProperty =
  (name: string, value: (old: string) => string | undefined): Edit =>
  (declaration) =>
    nodesIn(declaration, ts.isObjectLiteralElementLike)
      .filter((property) => property.name?.getText() === name)
      .flatMap((property) => {
        const old = ts.isPropertyAssignment(property) ? property.initializer.getText() : name;
        const next = value(old);
        if (next === old) return [];
        return [{ node: property, text: next === undefined ? '...{}' : `${name}: ${next}` }];
      });

/** Adds members before the others of each object literal that has a property of this name. */
export const addBeside =
  (name: string, members: string): Edit =>
  (declaration) =>
    nodesIn(declaration, ts.isObjectLiteralElementLike)
      .filter((property) => property.name?.getText() === name)
      .map((property) => ({ node: property, text: `${members}, ${property.getText()}` }));

/** Replaces the calls of a function or method of this name. */
export const replaceCalls =
  (name: string, call: (old: ts.CallExpression) => string): Edit =>
  (declaration) =>
    nodesIn(declaration, ts.isCallExpression)
      .filter(({ expression }) =>
        ts.isPropertyAccessExpression(expression) ? expression.name.text === name : expression.getText() === name,
      )
      .map((old) => ({ node: old, text: call(old) }))
      .filter(({ node, text }) => text !== node.getText());

/** Replaces what a function returns last. */
export const returnInstead =
  (value: (old: string) => string): Edit =>
  (declaration) => {
    const last = nodesIn(declaration, ts.isReturnStatement).at(-1);
    return last?.expression ? [{ node: last.expression, text: value(last.expression.getText()) }] : [];
  };

/** Adds a method to a class. */
export const addMethod =
  (method: string): Edit =>
  (declaration) => {
    const [first] = nodesIn(declaration, ts.isMethodDeclaration);
    return first ? [{ node: first, text: `${method}\n\n  ${first.getText()}` }] : [];
  };

/** Several edits of one declaration, which must not overlap. Nothing is changed where one of them has nothing to change. */
export const all =
  (...edits: readonly Edit[]): Edit =>
  (declaration) => {
    const found = edits.map((edit) => edit(declaration));
    return found.every(({ length }) => length > 0) ? found.flat() : [];
  };

function declarationOf(node: ts.Node, [name, ...path]: readonly string[]): ts.Node | undefined {
  const found = nodesIn(node, isNamed).find((one) => one !== node && one.name.getText() === name);
  return found && path.length > 0 ? declarationOf(found, path) : found;
}

const isNamed = (node: ts.Node): node is ts.NamedDeclaration & { readonly name: ts.DeclarationName } =>
  ts.isClassDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isVariableDeclaration(node);

function nodesIn<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (one: ts.Node): void => {
    if (is(one)) found.push(one);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}
