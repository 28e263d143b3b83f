/** Compares the host's types with Obsidian's published types, member by member. */
import path from 'node:path';
import ts from 'typescript';
import * as standIn from '#workbench/obsidian/module';
import { ownerOf, type ApiUse } from './published-api';
import { publishedSubset } from './published-subset';
import { createProgram } from './sources';

/**
 * The classes whose instances the plugin receives, where they differ from the class of that name in
 * the host's module.
 */
const HOST_CLASSES: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  App: [['#workbench/obsidian/app', 'WorkbenchApp']],
  Vault: [['#workbench/obsidian/vault', 'FolderVault']],
  DataAdapter: [['#workbench/obsidian/adapter', 'DiskAdapter']],
  FileSystemAdapter: [['#workbench/obsidian/adapter', 'DiskAdapter']],
  FileManager: [['#workbench/obsidian/file-manager', 'FolderFileManager']],
  MetadataCache: [['#workbench/obsidian/metadata/metadata-cache', 'FolderMetadataCache']],
  SecretStorage: [
    ['#workbench/obsidian/secrets', 'HostSecrets'],
    ['#workbench/page/settings/secret', 'PageSecrets'],
  ],
  Workspace: [
    ['#workbench/obsidian/workspace', 'HostWorkspace'],
    ['#workbench/page/workspace/shell-workspace', 'ShellWorkspace'],
  ],
  WorkspaceLeaf: [
    ['#workbench/obsidian/leaf', 'HostLeaf'],
    ['#workbench/page/workspace/shell-leaf', 'ShellLeaf'],
  ],
  Editor: [['#workbench/page/editor/cm-editor', 'CmEditor']],
};

/** Names of used classes and functions that the host's module does not export. */
export function missingExports(uses: readonly ApiUse[]): string[] {
  return uses
    .filter(
      ({ published }) => published && (isFunction(published) || ts.isClassDeclaration(published)),
    )
    .map(({ name }) => name)
    .filter((name) => !(name in standIn));
}

export interface TypeComparison {
  /** Number of functions and members compared. */
  readonly count: number;
  /** TypeScript's error messages for the types that do not fit. */
  readonly misfits: readonly string[];
}

/** @param made contents of files in the program that do not exist on disk */
export function compareTypes(
  program: ts.Program,
  uses: readonly ApiUse[],
  made: ReadonlyMap<string, string>,
): TypeComparison {
  const members = uses.filter(isComparable);
  const lines = [...uses.flatMap(probeFunction), ...members.flatMap(probeMember)];
  const [subset, probe] = ['made-subset', 'made-probe'].map((name) =>
    path.join(import.meta.dirname, `${name}.ts`),
  ) as [string, string];
  const texts = new Map([
    ...made,
    [subset, publishedSubset(program, members)],
    [probe, lines.join('\n')],
  ]);
  const checked = createProgram([probe], { made: texts, before: program });
  const misfits = [subset, probe].flatMap((file) => problemsIn(checked, file));
  return { count: lines.length, misfits };
}

function isFunction(declaration: ts.Declaration): boolean {
  return ts.isFunctionDeclaration(declaration) && ownerOf(declaration) === null;
}

/**
 * Members whose types cannot be compared with a subset of the published ones; contract questions
 * cover them.
 */
const NOT_COMPARED = new Set([
  // These take whole classes, but only subsets of classes are compared.
  'Workspace.getActiveViewOfType',
  'Plugin.addSettingTab',
  // Optional in the mocks' types; a leaf of the host always has a view.
  'WorkspaceLeaf.view',
]);

/**
 * False for protected members, which only the app calls, and for events, which the mocks declare
 * with one signature for all.
 */
function isComparable({ name, published }: ApiUse): boolean {
  if (!published || classesFor(published).length === 0) return false;
  const isProtected = ts.getCombinedModifierFlags(published) & ts.ModifierFlags.Protected;
  return !isProtected && !name.includes('(') && !NOT_COMPARED.has(name);
}

/**
 * The host's classes for the owner of a member, as type expressions; empty for plain data and DOM
 * types.
 */
function classesFor(member: ts.Declaration): string[] {
  const owner = ownerOf(member)?.name?.text;
  if (owner === undefined) return [];
  const given = HOST_CLASSES[owner]?.map(([file, name]) => `import('${file}').${name}`);
  return given ?? (owner in standIn ? [`${MODULE}.${owner}`] : []);
}

const MODULE = `import('#workbench/obsidian/module')`;

function probeFunction({ name, published }: ApiUse): string[] {
  if (!published || !isFunction(published)) return [];
  return [
    `export const of_${name}: typeof import('obsidian').${name} = null! as typeof ${MODULE}.${name};`,
  ];
}

function probeMember({ name, published }: ApiUse): string[] {
  const [owner, member] = name.replace(/\(.*/, '').split('.');
  const of = parametersOf(published!);
  return classesFor(published!).map(
    (type, index) =>
      `export const ${name.replace(/\W/g, '_')}_${index}: Pick<import('./made-subset').${owner}${of}, '${member}'> = null! as Pick<${type}${of}, '${member}'>;`,
  );
}

/** Type arguments for a generic owner: `any` for each parameter. */
function parametersOf(member: ts.Declaration): string {
  const owner = ownerOf(member);
  const count = owner && 'typeParameters' in owner ? (owner.typeParameters?.length ?? 0) : 0;
  return count === 0 ? '' : `<${Array.from({ length: count }, () => 'any').join(', ')}>`;
}

function problemsIn(checked: ts.Program, file: string): string[] {
  const source = checked.getSourceFile(file);
  if (!source) throw new Error(`${file} was not made.`);
  const problems = [
    ...checked.getSyntacticDiagnostics(source),
    ...checked.getSemanticDiagnostics(source),
  ];
  return problems.map(({ messageText, start = 0 }) => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    const [text] = source.text.split('\n').slice(line);
    return `${text}\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
