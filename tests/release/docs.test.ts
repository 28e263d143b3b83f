import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#model/settings';
import { ALL_TOOLS } from '#tools/all-tools';
import { COMMANDS, documentedCommands, documents } from '../../.ci/docs-commands.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Run by npm, as part of another script. */
const INTERNAL = new Set(['version']);

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

interface Target {
  readonly href: string;
  readonly isImage: boolean;
}

function targetsOf(file: string): Target[] {
  const targets: Target[] = [];
  void marked.walkTokens(marked.lexer(read(file)), ({ type, ...token }) => {
    if ((type === 'link' || type === 'image') && 'href' in token) {
      targets.push({ href: String(token.href), isImage: type === 'image' });
    }
  });
  return targets;
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

test.each(documents())('every link of %s leads to a file and a heading that exist', (file) => {
  const dead = targetsOf(file)
    .map(({ href }) => href)
    .filter((href) => !/^https?:/.test(href))
    .filter((href) => {
      const [to = '', anchor] = href.split('#');
      const target = to === '' ? file : path.posix.join(path.posix.dirname(file), to);
      if (!existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
  expect(dead).toEqual([]);
});

test('the documents show every picture of docs/images, and no other', () => {
  const shown = documents().flatMap((file) =>
    targetsOf(file)
      .filter(({ isImage }) => isImage)
      .map(({ href }) => path.posix.join(path.posix.dirname(file), href)),
  );
  const kept = readdirSync(path.join(ROOT, 'docs/images')).map((name) => `docs/images/${name}`);
  expect([...new Set(shown)].sort()).toEqual(kept.sort());
});

test('npm run docs-commands knows every command of the documents, and no other', () => {
  expect(documentedCommands().sort()).toEqual(COMMANDS.map(({ command }) => command).sort());
});

test('every script of package.json is in a document', () => {
  const named = new Set(
    documentedCommands().flatMap((command) =>
      [...command.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, script = '']) => script),
    ),
  );
  const missing = Object.keys(scripts).filter((name) => !named.has(name) && !INTERNAL.has(name));
  expect(missing).toEqual([]);
});

test('every function that the architecture names is in its file', () => {
  const steps = [
    ...read('docs/architecture.md').matchAll(/^(?:\d+\.|-) `([\w/.-]+\.(?:ts|svelte))`: (.*)/gm),
  ];
  expect(steps.length).toBeGreaterThan(40);
  const missing = steps.flatMap(([, file = '', text = '']) => {
    const source = read(file);
    const names = [...text.matchAll(/`([a-z]\w+)`/g)].map(([, name = '']) => name);
    return names.filter((name) => !source.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('docs/performance.md lists every benchmark', () => {
  const groups = readdirSync(path.join(ROOT, 'tests/bench')).filter((name) => name.endsWith('.ts'));
  const section =
    read('docs/performance.md').split('## The benchmarks')[1]?.split('\n## ')[0] ?? '';
  const listed = [...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => `${name}.ts`);
  expect(listed.sort()).toEqual(groups.sort());
});

test('docs/settings.md lists every setting', () => {
  const named = new Set(
    [...read('docs/settings.md').matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name),
  );
  expect(Object.keys(DEFAULT_SETTINGS).filter((name) => !named.has(name))).toEqual([]);
});

test('docs/guide.md lists every tool', () => {
  const table = read('docs/guide.md').split('## What the agent can do')[1]?.split('\n## ')[0] ?? '';
  const named = new Set([...table.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(ALL_TOOLS.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});
