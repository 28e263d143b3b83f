/** Holds the stand-in's types against those that Obsidian publishes, member by member. */
import path from 'node:path';
import ts from 'typescript';
import * as standIn from '#workbench/obsidian/module';
import { ownerOf, type ApiUse } from './published-api';
import { subsetOf } from './published-subset';
import { programOf } from './sources';

/** Whose instances the plugin is given, where it is not the class of the same name in the stand-in's module. */
const STAND_INS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
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

/** Classes and functions that the module of the stand-in lacks. */
export function missingExports(uses: readonly ApiUse[]): string[] {
  return uses
    .filter(
      ({ published }) => published && (isFunction(published) || ts.isClassDeclaration(published)),
    )
    .map(({ name }) => name)
    .filter((name) => !(name in standIn));
}

export interface Compared {
  /** How many members were held against their published types. */
  readonly count: number;
  /** What does not fit, in TypeScript's words. */
  readonly misfits: readonly string[];
}

/** @param made texts of files that the program has and the disk has not */
export function compareTypes(
  program: ts.Program,
  uses: readonly ApiUse[],
  made: ReadonlyMap<string, string>,
): Compared {
  const members = uses.filter(isComparable);
  const lines = [...uses.flatMap(probeFunction), ...members.flatMap(probeMember)];
  const [subset, probe] = ['made-subset', 'made-probe'].map((name) =>
    path.join(import.meta.dirname, `${name}.ts`),
  ) as [string, string];
  const texts = new Map([...made, [subset, subsetOf(program, members)], [probe, lines.join('\n')]]);
  const checked = programOf([probe], { made: texts, before: program });
  const misfits = [subset, probe].flatMap((file) => problemsIn(checked, file));
  return { count: lines.length, misfits };
}

function isFunction(declaration: ts.Declaration): boolean {
  return ts.isFunctionDeclaration(declaration) && ownerOf(declaration) === null;
}

/** Where the stand-in's types can't be held against a part of the published ones; questions do that. */
const NOT_COMPARED = new Set([
  // Takes classes whole, where a part of them is compared.
  'Workspace.getActiveViewOfType',
  'Plugin.addSettingTab',
  // In the mocks' types it may be absent; a leaf of the stand-in always holds one.
  'WorkspaceLeaf.view',
]);

/** Not what only the app calls, nor events, which the mocks declare by one form for all. */
function isComparable({ name, published }: ApiUse): boolean {
  if (!published || classesFor(published).length === 0) return false;
  const isProtected = ts.getCombinedModifierFlags(published) & ts.ModifierFlags.Protected;
  return !isProtected && !name.includes('(') && !NOT_COMPARED.has(name);
}

/** The stand-in's classes for the owner of a member, as types; none where it is plain data or the DOM's. */
function classesFor(member: ts.Declaration): string[] {
  const owner = ownerOf(member)?.name?.text;
  if (owner === undefined) return [];
  const given = STAND_INS[owner]?.map(([file, name]) => `import('${file}').${name}`);
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

/** A generic class is compared for anything. */
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
