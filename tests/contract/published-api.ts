/**
 * Finds the members of Obsidian's published types that source code uses, with the TypeScript
 * checker.
 */
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './sources';

const PUBLISHED = '/node_modules/obsidian/obsidian.d.ts';

export interface ApiUse {
  /** `Vault.process`, `setIcon`, or, with an event name, `Vault.on('create')`. */
  readonly name: string;
  /** Null for a member that the published types do not declare. */
  readonly published: ts.Declaration | null;
  /** File and line of the use. */
  readonly place: string;
}

/** Returns a function that lists the API uses in a node of the program. */
export function apiReader(program: ts.Program): (node: ts.Node) => ApiUse[] {
  const checker = program.getTypeChecker();
  const names = declaredNames(program);

  function published(symbol: ts.Symbol | undefined): ts.Declaration | null {
    const found =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declarations = found?.declarations ?? [];
    // A member that the language or the DOM also declares does not count as Obsidian's.
    if (!declarations.every((each) => isPublished(each.getSourceFile()))) return null;
    return declarations[0] ?? null;
  }

  return (root) => {
    const uses: ApiUse[] = [];
    const use = (symbol: ts.Symbol | undefined, node: ts.Node, suffix = ''): void => {
      const declaration = published(symbol);
      if (!declaration || ts.isTypeParameterDeclaration(declaration)) return;
      if (ts.isParameter(declaration)) return;
      uses.push({
        name: nameOf(declaration) + suffix,
        published: declaration,
        place: placeOf(node),
      });
    };
    const useUnpublished = (owner: ts.Type, member: ts.Symbol, node: ts.Node): void => {
      const name = `${owner.symbol.name}.${member.name}`;
      uses.push({ name, published: null, place: placeOf(node) });
    };

    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && names.has(node.text)) visitName(node);
      else if (ts.isElementAccessExpression(node)) visitKey(node);
      else if (ts.isObjectBindingPattern(node)) visitPattern(node);
      else if (ts.isObjectLiteralExpression(node)) visitLiteral(node);
      else if (ts.isClassLike(node)) visitClass(node);
      else if (ts.isInterfaceDeclaration(node)) visitInterface(node);
      else if (ts.isAsExpression(node)) visitCast(node);
      ts.forEachChild(node, visit);
    };

    const visitName = (node: ts.Identifier): void => {
      const { parent } = node;
      if (ts.isImportSpecifier(parent) || isType(node)) return;
      const symbol = ts.isShorthandPropertyAssignment(parent)
        ? checker.getShorthandAssignmentValueSymbol(parent)
        : checker.getSymbolAtLocation(node);
      const event = ts.isPropertyAccessExpression(parent) ? eventOf(parent) : '';
      use(symbol, node, event);
    };

    const visitKey = ({ argumentExpression: key }: ts.ElementAccessExpression): void => {
      if (ts.isStringLiteralLike(key)) use(checker.getSymbolAtLocation(key), key);
    };

    /** `vault.on('create', …)` and `vault.on('delete', …)` count as different uses. */
    const eventOf = ({ parent, name }: ts.PropertyAccessExpression): string => {
      if (name.text !== 'on' || !ts.isCallExpression(parent)) return '';
      const [event] = parent.arguments;
      return event && ts.isStringLiteral(event) ? `('${event.text}')` : '';
    };

    const visitPattern = (node: ts.ObjectBindingPattern): void => {
      const type = checker.getTypeAtLocation(node);
      for (const element of node.elements) {
        use(type.getProperty((element.propertyName ?? element.name).getText()), element);
      }
    };

    /** Visits an object passed to Obsidian, such as a command, a setting or a menu position. */
    const visitLiteral = (node: ts.ObjectLiteralExpression): void => {
      const wanted = checker.getContextualType(node);
      if (!wanted) return;
      const own = checker.getTypeAtLocation(node);
      const parts = (wanted.isUnion() ? wanted.types : [wanted]).filter((part) =>
        node.properties.every(
          (property) => !property.name || couldBe(own, part, property.name.getText()),
        ),
      );
      for (const property of node.properties) {
        const name = property.name?.getText();
        if (name === undefined) continue;
        for (const part of parts) use(part.getProperty(name), property);
      }
    };

    /** Whether the object's property of this name fits this member of the expected union. */
    const couldBe = (own: ts.Type, part: ts.Type, name: string): boolean => {
      const [given, wanted] = [own.getProperty(name), part.getProperty(name)];
      if (!given || !wanted) return false;
      const type = checker.getTypeOfSymbol(wanted);
      return checker.isTypeAssignableTo(checker.getTypeOfSymbol(given), type);
    };

    /** Records the inherited members that our class overrides or implements. */
    const visitClass = (node: ts.ClassLikeDeclaration): void => {
      const type = checker.getTypeAtLocation(node);
      for (const base of type.getBaseTypes() ?? []) {
        for (const { name } of node.members) {
          if (name && ts.isIdentifier(name)) use(base.getProperty(name.text), name);
        }
      }
    };

    /** Records the members that our interface adds to one of Obsidian's types. */
    const visitInterface = (node: ts.InterfaceDeclaration): void => {
      const type = checker.getTypeAtLocation(node);
      for (const base of type.getBaseTypes() ?? []) {
        if (!published(base.symbol)) continue;
        for (const { symbol } of node.members as unknown as { symbol: ts.Symbol }[]) {
          if (!base.getProperty(symbol.name)) useUnpublished(base, symbol, node);
        }
      }
    };

    /**
     * Records the members that a cast adds. A cast to `any` or `unknown` counts as one unpublished
     * use.
     */
    const visitCast = (node: ts.AsExpression): void => {
      let { expression } = node;
      while (ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression)) {
        ({ expression } = expression);
      }
      const from = checker.getTypeAtLocation(expression);
      const to = checker.getTypeAtLocation(node);
      if (!published(from.symbol) || ts.isAsExpression(node.parent)) return;
      if (to.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) {
        const name = `${from.symbol.name} as ${node.type.getText()}`;
        uses.push({ name, published: null, place: placeOf(node) });
        return;
      }
      for (const member of to.getProperties()) {
        if (!from.getProperty(member.name)) useUnpublished(from, member, node);
      }
    };

    visit(root);
    return uses;
  };
}

function isPublished(file: ts.SourceFile): boolean {
  return file.fileName.endsWith(PUBLISHED);
}

/** Every identifier in the published types. Only these are looked up, because look-ups are slow. */
function declaredNames(program: ts.Program): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (isPublished(file)) visit(file);
  return names;
}

/** Whether the name is only a type, which needs nothing from the host. */
function isType({ parent }: ts.Identifier): boolean {
  if (!ts.isExpressionWithTypeArguments(parent)) return ts.isTypeNode(parent);
  return ts.isInterfaceDeclaration(parent.parent.parent);
}

function nameOf(declaration: ts.Declaration): string {
  const own = (declaration as ts.NamedDeclaration).name?.getText() ?? '';
  const owner = ownerOf(declaration);
  return owner ? `${owner.name?.getText()}.${own}` : own;
}

export function ownerOf(
  declaration: ts.Declaration,
): ts.ClassDeclaration | ts.InterfaceDeclaration | null {
  const { parent } = declaration;
  return ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent) ? parent : null;
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${path.relative(ROOT, file.fileName)}:${line + 1}`;
}
