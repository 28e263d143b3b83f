import ts from 'typescript';
import { ownerOf, type ApiUse } from './published-api';

type Owner = ts.ClassDeclaration | ts.InterfaceDeclaration;

/** Prints a module with the published types, reduced to the used members. */
export function publishedSubset(program: ts.Program, uses: readonly ApiUse[]): string {
  const checker = program.getTypeChecker();
  const members = new Map<Owner, Set<ts.Declaration>>();
  for (const { published } of uses) {
    const owner = published && ownerOf(published);
    if (!owner) continue;
    members.set(owner, (members.get(owner) ?? new Set()).add(published));
  }

  const written = new Map<ts.Declaration, string>();
  const write = (declaration: ts.Declaration): void => {
    if (written.has(declaration)) return;
    // Registered before its text is made, because types refer to each other in cycles.
    written.set(declaration, '');
    if (isOwner(declaration)) written.set(declaration, cutDown(declaration));
    else if (ts.isTypeAliasDeclaration(declaration)) {
      writeNamedIn(declaration);
      written.set(declaration, declaration.getText());
    } else if (ts.isImportSpecifier(declaration)) {
      const { moduleSpecifier } = declaration.parent.parent.parent;
      const from = moduleSpecifier.getText();
      written.set(declaration, `import type { ${declaration.getText()} } from ${from};`);
    }
  };

  const cutDown = (owner: Owner): string => {
    const { name, typeParameters = [], heritageClauses = [] } = owner;
    const parents = heritageClauses
      .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
      .flatMap(({ types }) => [...types]);
    const kept = [...(members.get(owner) ?? [])];
    for (const each of [...typeParameters, ...parents, ...kept]) writeNamedIn(each);
    const generics = listed(typeParameters, '<', '>');
    const lines = kept.map((each) => `${each.getText().replace(MODIFIERS, '')}\n`);
    return `export interface ${name?.text}${generics}${listed(parents, ' extends ')} {\n${lines.join('')}}`;
  };

  /** Also writes the declarations that this node refers to. */
  const writeNamedIn = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const declaration = symbol?.declarations?.[0];
    if (declaration?.getSourceFile() === node.getSourceFile()) write(declaration);
    ts.forEachChild(node, writeNamedIn);
  };

  for (const owner of members.keys()) write(owner);
  return [...written.values()].join('\n');
}

const MODIFIERS = /^(?:(?:public|abstract|declare|override)\s+)+/;

function isOwner(declaration: ts.Declaration): declaration is Owner {
  return ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
}

function listed(nodes: readonly ts.Node[], before: string, after = ''): string {
  if (nodes.length === 0) return '';
  return before + nodes.map((each) => each.getText()).join(', ') + after;
}
