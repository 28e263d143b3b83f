/** Creates the TypeScript programs that find the uses of Obsidian's API. */
import path from 'node:path';
import ts from 'typescript';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** Packages whose types are part of Obsidian's; resolving any other package only takes time. */
const NEEDED = /^(obsidian|obsidian-test-mocks\/.*|@codemirror\/.*|moment|svelte.*)$/;

/**
 * Creates a TypeScript program over these files, with the project's compiler options.
 *
 * @param made contents of files that do not exist on disk
 * @param before a program whose parsed files are reused
 */
export function createProgram(
  files: readonly string[],
  { made = new Map(), before }: { made?: ReadonlyMap<string, string>; before?: ts.Program } = {},
): ts.Program {
  const options = { ...configuration().options, noUnusedLocals: false, noUnusedParameters: false };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => made.has(file) || fileExists(file);
  host.readFile = (file) => made.get(file) ?? readFile(file);
  host.getSourceFile = (file, ...rest) => {
    const text = made.get(file);
    if (text === undefined) return before?.getSourceFile(file) ?? getSourceFile(file, ...rest);
    return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  };
  const known = ts.createModuleResolutionCache(ROOT, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, from, redirected, settings) =>
    literals.map(({ text }) =>
      /^[.#]/.test(text) || NEEDED.test(text) || from.includes('node_modules')
        ? ts.resolveModuleName(text, from, settings, host, known, redirected)
        : { resolvedModule: undefined },
    );
  return ts.createProgram([...files], options, host);
}

/** The files in these folders that the project's configuration includes. */
export function sourcesIn(...folders: string[]): string[] {
  const within = folders.map((folder) => path.join(ROOT, folder) + path.sep);
  return configuration().fileNames.filter((file) =>
    within.some((folder) => path.normalize(file).startsWith(folder)),
  );
}

/** The scripts of Svelte components as TypeScript files; code in their markup is not included. */
export function componentScripts(folder: string): Map<string, string> {
  const files = ts.sys.readDirectory(path.join(ROOT, folder), ['.svelte']);
  return new Map(
    files.map((file) => {
      const parts = (ts.sys.readFile(file) ?? '').split(/(<script[^>]*>|<\/script>)/);
      // The markup becomes blank lines, so that line numbers match the component.
      const script = parts.map((part, index) =>
        parts[index - 1]?.startsWith('<script') ? part : part.replace(/[^\n]+/g, ''),
      );
      return [`${file}.ts`, script.join('')];
    }),
  );
}

function configuration(): ts.ParsedCommandLine {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = ts.getParsedCommandLineOfConfigFile(path.join(ROOT, 'tsconfig.json'), {}, host);
  if (!parsed) throw new Error('tsconfig.json could not be read.');
  return parsed;
}
