/** Reads which names of Obsidian's API each contract question uses from its source. */
import ts from 'typescript';
import type { ApiUse } from './published-api';

/**
 * The API names that each question in the file uses, including those used by the file's helpers it
 * refers to.
 */
export function usesByQuestion(
  file: ts.SourceFile,
  read: (node: ts.Node) => ApiUse[],
): [name: string, names: Set<string>][] {
  const declared = new Map(
    file.statements.flatMap((each) => namesOf(each).map((name) => [name, each])),
  );
  const found: [string, Set<string>][] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isObjectLiteralExpression(node) ? questionName(node) : null;
    if (name === null) return ts.forEachChild(node, visit);
    const nodes = reachable(node, declared);
    found.push([name, new Set(nodes.flatMap((each) => read(each).map((use) => use.name)))]);
  };
  for (const statement of file.statements) if (isListOfQuestions(statement)) visit(statement);
  return found;
}

function isListOfQuestions(statement: ts.Statement): boolean {
  return (
    ts.isVariableStatement(statement) && namesOf(statement).some((name) => /Questions$/.test(name))
  );
}

function questionName(node: ts.ObjectLiteralExpression): string | null {
  const [first] = node.properties;
  const isName = first && ts.isPropertyAssignment(first) && first.name.getText() === 'name';
  return isName && node.parent.parent.kind === ts.SyntaxKind.VariableDeclaration
    ? (first.initializer as ts.StringLiteral).text
    : null;
}

/** The node and every declaration of its file that it refers to, directly or indirectly. */
function reachable(start: ts.Node, declared: ReadonlyMap<string, ts.Statement>): ts.Node[] {
  const found = new Set([start]);
  const visit = (node: ts.Node): void => {
    const named = ts.isIdentifier(node) ? declared.get(node.text) : undefined;
    if (named && !found.has(named)) {
      found.add(named);
      visit(named);
    }
    ts.forEachChild(node, visit);
  };
  visit(start);
  return [...found];
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}
