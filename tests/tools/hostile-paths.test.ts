/**
 * Runs every tool that takes a path or glob with hostile input, over a real folder with secrets in
 * all forbidden places, and compares the whole disk before and after.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '#tests/builders/sampled';
import { benchAt, writeNotes, type FolderBench } from '#tests/builders/tools';
import { expectReadable } from '#tests/builders/readable';
import { illegalNameReason } from '#text/paths';
import { hostilePaths } from '#tests/policy/hostile-paths';
import { temporaryFolder } from '#tests/builders/temporary-folder';

const SECRET = 'zxsecretxz';

/**
 * Must not appear in any result: the secret is in file contents and in names of protected files.
 */
const MARKS = new RegExp(SECRET, 'i');

interface Place {
  /** Contains the vault and a folder outside of it. */
  readonly outer: string;
  readonly vault: string;
  readonly bench: FolderBench;
}

async function place(configDir: string, withProtected = true): Promise<Place> {
  const outer = temporaryFolder('hostile');
  const vault = path.join(outer, 'vault');
  writeNotes(outer, {
    [`outside/${SECRET}.md`]: `${SECRET} outside\n`,
    'outside/note.md': `${SECRET} outside, by a plain name\n`,
    'outside/deep/note.md': `${SECRET}\n`,
    'outside/empty/': '',
  });
  writeNotes(vault, {
    'Note.md': '# Note\n\n[[Lists/Shopping]]\n',
    'Lists/Shopping.md': '- milk\n',
    'Lists/Todo.md': '- [ ] write\n',
    'a/b/c.md': 'deep\n',
    'Empty/': '',
    ...(withProtected
      ? {
          ...hiddenIn(''),
          ...hiddenIn('a/'),
          [`${configDir}/app.json`]: `{"secret":"${SECRET}"}`,
          [`${configDir}/plugins/x/${SECRET}.js`]: SECRET,
        }
      : {}),
  });
  return { outer, vault, bench: await benchAt(vault, { configDir, settings: { tools: ALLOWED } }) };
}

/** Without approvals, only the policy can stop a call. */
const ALLOWED = { delete: 'allow' } as const;

function hiddenIn(folder: string): Record<string, string> {
  const names = ['.git/config', '.smarthole/inbox/x.json', '.trash/old.md', '.env', '.hidden/n.md'];
  return Object.fromEntries(names.map((name) => [`${folder}${name}`, `${SECRET} in ${name}\n`]));
}

/**
 * Everything below a folder that a call could change: files with their content, folders and links.
 */
function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (at: string): void => {
    for (const entry of fs.readdirSync(path.join(folder, at), { withFileTypes: true })) {
      const below = path.join(at, entry.name);
      const full = path.join(folder, below);
      if (entry.isSymbolicLink()) found[below] = `-> ${fs.readlinkSync(full)}`;
      else if (entry.isDirectory()) {
        found[below] = 'folder';
        look(below);
      } else found[below] = fs.readFileSync(full, 'latin1');
    }
  };
  look('');
  return found;
}

/** Each path parameter of each tool, with an input that would do the most damage. */
const TARGETS: readonly { name: string; input: (raw: string) => [string, object] }[] = [
  { name: 'read_file path', input: (raw) => ['read_file', { path: raw }] },
  {
    name: 'read_file with lines',
    input: (raw) => ['read_file', { path: raw, start_line: 1, end_line: 9 }],
  },
  { name: 'read_file paths', input: (raw) => ['read_file', { paths: [raw, raw] }] },
  { name: 'get_file_info path', input: (raw) => ['get_file_info', { path: raw }] },
  { name: 'get_properties paths', input: (raw) => ['get_properties', { paths: [raw] }] },
  { name: 'query_notes folder', input: (raw) => ['query_notes', { folder: raw }] },
  {
    name: 'search_vault folder',
    input: (raw) => ['search_vault', { query: `${SECRET} note`, folder: raw }],
  },
  { name: 'query_notes links_to', input: (raw) => ['query_notes', { links_to: raw }] },
  { name: 'get_links path', input: (raw) => ['get_links', { path: raw, depth: 2 }] },
  { name: 'find_dead_links path', input: (raw) => ['find_dead_links', { path: raw }] },
  {
    name: 'explore_structure path',
    input: (raw) => ['explore_structure', { path: raw, summaries: true }],
  },
  { name: 'list_files path', input: (raw) => ['list_files', { path: raw }] },
  {
    name: 'list_files path with pattern',
    input: (raw) => ['list_files', { path: raw, pattern: '**/*' }],
  },
  { name: 'write_file path', input: (raw) => ['write_file', { path: raw, content: 'overrun\n' }] },
  {
    name: 'write_file folder',
    input: (raw) => ['write_file', { folder: raw, content: '# Overrun\n' }],
  },
  {
    name: 'edit_file path',
    input: (raw) => ['edit_file', { path: raw, edits: [{ position: 'end', content: 'overrun' }] }],
  },
  {
    name: 'update_properties path',
    input: (raw) => ['update_properties', { path: raw, set: { overrun: true } }],
  },
  {
    name: 'update_properties paths',
    input: (raw) => ['update_properties', { paths: [raw, raw], set: { overrun: true } }],
  },
  { name: 'add_tags path', input: (raw) => ['add_tags', { path: raw, tags: ['overrun'] }] },
  {
    name: 'add_tags paths',
    input: (raw) => ['add_tags', { paths: [raw, raw], tags: ['overrun'] }],
  },
  {
    name: 'replace_in_notes paths',
    input: (raw) => [
      'replace_in_notes',
      { replacements: [{ old_text: 'e', new_text: 'overrun' }], paths: [raw] },
    ],
  },
  {
    name: 'redirect_links from',
    input: (raw) => ['redirect_links', { from: raw, to: 'Lists/Todo.md' }],
  },
  {
    name: 'redirect_links to',
    input: (raw) => ['redirect_links', { from: 'Lists/Todo.md', to: raw }],
  },
  {
    name: 'update_tasks path',
    input: (raw) => ['update_tasks', { path: raw, tasks: ['overrun'], status: 'new' }],
  },
  {
    name: 'link_notes source',
    input: (raw) => ['link_notes', { source: raw, target: 'Lists/Todo.md' }],
  },
  {
    name: 'link_notes target',
    input: (raw) => ['link_notes', { source: 'Lists/Todo.md', target: raw }],
  },
  {
    name: 'apply_template path',
    input: (raw) => ['apply_template', { template: 'Lists/Todo.md', path: raw }],
  },
  { name: 'create_folder path', input: (raw) => ['create_folder', { path: raw }] },
  {
    name: 'move source',
    input: (raw) => ['move', { source: raw, destination: 'Lists/Stolen.md' }],
  },
  {
    name: 'move destination',
    input: (raw) => ['move', { source: 'Lists/Todo.md', destination: raw }],
  },
  { name: 'get_changes path', input: (raw) => ['get_changes', { path: raw }] },
  {
    name: 'move several',
    input: (raw) => ['move', { moves: [{ source: raw, destination: 'Lists/Stolen.md' }] }],
  },
  {
    name: 'copy source',
    input: (raw) => ['copy', { source: raw, destination: 'Lists/Stolen.md' }],
  },
  {
    name: 'copy destination',
    input: (raw) => ['copy', { source: 'Lists/Todo.md', destination: raw }],
  },
  {
    name: 'rename_tag paths',
    input: (raw) => ['rename_tag', { tag: 'overrun', to: 'x', paths: [raw, raw] }],
  },
  { name: 'copy_notes paths', input: (raw) => ['copy_notes', { paths: ['Note.md', raw] }] },
  { name: 'open_note path', input: (raw) => ['open_note', { path: raw }] },
  { name: 'delete path', input: (raw) => ['delete', { path: raw }] },
  { name: 'delete paths', input: (raw) => ['delete', { paths: [raw, raw] }] },
];

/** Tools that create files; an illegal name is harmful only if one is created under it. */
const CREATES = new Set([
  'write_file path',
  'write_file folder',
  'create_folder path',
  'apply_template path',
  'move destination',
  'copy destination',
]);

/** The path itself, a file below it, and the path with a trailing slash, which means "into it". */
function asWritten(raw: string): string[] {
  return [raw, `${raw}/x.md`, `${raw}/`];
}

describe.each(['.obsidian', 'config'])('Hostile paths with configuration in %s', (configDir) => {
  let here: Place;
  beforeAll(async () => {
    here = await place(configDir);
  });
  afterAll(() => here.bench[Symbol.asyncDispose]());

  const spellings = hostilePaths.filter(
    (each) => each.fate !== 'illegal' && (configDir === 'config' || each.configDir === '.obsidian'),
  );

  it.each(sampled(TARGETS, 6))(
    `$name gives no access by any of ${spellings.length} hostile spellings`,
    async (target) => {
      const before = snapshot(here.outer);
      for (const { raw, fate } of spellings) {
        // Appending to a refused path may change what it means, so only protected paths are
        // extended.
        for (const written of fate === 'protected' ? asWritten(raw) : [raw]) {
          const [tool, input] = target.input(written);
          const result = await here.bench.call(tool, input);
          const shown = `${target.name} of ${JSON.stringify(written)}: ${result.text}`;
          expect(result.failed, shown).toBe(true);
          expect(result.text).not.toMatch(MARKS);
          expectReadable(result.text);
        }
      }
      expect(snapshot(here.outer)).toEqual(before);
    },
  );

  it('no tool creates a file with a name that is illegal on some system', async () => {
    const { outer, vault, bench } = await place(configDir);
    const before = snapshot(outer);
    for (const target of TARGETS.filter(({ name }) => CREATES.has(name))) {
      for (const { raw } of hostilePaths.filter(({ fate }) => fate === 'illegal')) {
        const [tool, input] = target.input(raw);
        const { failed } = await bench.call(tool, input);
        if (failed) continue;
        // A name may become legal with its extension: `a.` is not legal, `a..md` is.
        for (const made of Object.keys(snapshot(vault)).filter(
          (each) => !before[`vault/${each}`],
        )) {
          expect(illegalNameReason(made), `${target.name} ${JSON.stringify(raw)}`).toBeNull();
        }
      }
    }
    const after = snapshot(outer);
    for (const [at, content] of Object.entries(before)) {
      if (at !== 'vault/Lists/Todo.md') expect(after[at]).toBe(content);
    }
    await bench[Symbol.asyncDispose]();
  });

  const GLOBS = [
    ...['.obsidian/**', '**/.obsidian/**', '**/.git/*', '.git/config', '**/.git/**', '.*', '**/.*'],
    ...['**/.*/**', '.*/**', '{.git,.trash}/**', '**/{.env,.hidden}', '../**', '../outside/*'],
    ...[
      '**/../../outside/**',
      '/outside/**',
      '/**',
      './**',
      '**',
      '*',
      '**/*',
      '?git/*',
      '[.]git/**',
    ],
    ...[
      '@(.git|.trash)/**',
      '+(.)git/**',
      '!(x)',
      '**/!(x)/**',
      '\\.git/**',
      '.smarthole/**',
      '.env',
    ],
    ...[
      'config/**',
      'CONFIG/*',
      'c*/**',
      '{config,x}/**',
      '**/app.json',
      '*secret*',
      '**/*secret*/**',
    ],
    ...[
      '.trash/*',
      '.TRASH/*',
      'GIT~1/*',
      '.git./*',
      '．git/**',
      '*.js',
      '*.json',
      '[!a]*',
      '..',
      '.',
    ],
  ];

  it.each(GLOBS)(
    'the glob %j matches no protected file and none outside of the vault',
    async (glob) => {
      const before = snapshot(here.outer);
      const asked: [string, object][] = [
        ['list_files', { pattern: glob, max_results: 1000 }],
        ['list_files', { pattern: glob, path: 'a' }],
        ['list_files', { pattern: glob, path: '/' }],
        ['search_files', { pattern: 'secret|deep|milk|n', file_pattern: glob, max_results: 500 }],
        ['search_files', { pattern: SECRET, file_pattern: glob }],
      ];
      for (const [tool, input] of asked) {
        const { text } = await here.bench.call(tool, input);
        const found = text
          .replaceAll(`"${SECRET}"`, '')
          .replaceAll(`"${glob}"`, '')
          .replaceAll(glob, '');
        expect(found, `${tool} ${glob}`).not.toMatch(/zxsecret/i);
        expect(found).not.toMatch(/^\s*(?:a\/)?(?:\.[a-z]|config\/|outside)/m);
        expectReadable(text);
      }
      expect(snapshot(here.outer)).toEqual(before);
    },
  );

  it('a search of the whole vault finds no secret and counts only visible files', async () => {
    const text = await here.bench.expectSuccess('search_files', { pattern: SECRET });
    expect(text).toContain(`No matches for "${SECRET}" in 4 files.`);
    expect(await here.bench.expectSuccess('search_vault', { query: SECRET })).toContain(
      `No note contains a word of "${SECRET}" (4 notes searched).`,
    );
  });

  it('a listing of the whole vault shows and counts only visible files', async () => {
    const text = await here.bench.expectSuccess('list_files', {});
    expect(text).toMatch(/^4 files and 4 folders, most recently changed first\.\n/);
    expect(text).toContain('a/ (folder, 1 file, 2026-11-12)');
    expect(await here.bench.expectSuccess('get_file_info', { path: 'a' })).toContain(
      'Directly in it: 0 files and 1 folder\nFiles at any depth: 1,',
    );
  });

  it('delete refuses a folder that contains protected files', async () => {
    const before = snapshot(here.outer);
    expect(await here.bench.expectFailure('delete', { path: 'a' })).toBe(
      '`a` was not deleted: it contains files or folders that begin with a dot, and these are protected. The user can delete it by hand; notes in it can be deleted one by one.',
    );
    expect(snapshot(here.outer)).toEqual(before);
  });
});

describe('A protected path', () => {
  it('a protected path gets the same answer whether it exists or not', async () => {
    const full = await place('config');
    const bare = await place('config', false);
    const asked = [
      ...['.git', '.git/config', '.git/none', 'a/.git/config', '.env', '.smarthole/inbox/x.json'],
      ...['.trash/old.md', '.trash/none.md', 'config', 'config/app.json', 'config/none.json'],
      ...[
        'GIT~1/config',
        '.GIT/CONFIG',
        'CONFIG/app.json',
        '.hidden/',
        '[[.hidden/n]]',
        'n',
        'old',
      ],
    ];
    for (const { input } of TARGETS) {
      for (const raw of asked) {
        const [tool, given] = input(raw);
        // Ordinary names are only tried for reading: creating them is allowed and reveals nothing.
        if (!/[./~]|config/i.test(raw) && !/read_file|get_file_info/.test(tool)) continue;
        const answers = [await full.bench.call(tool, given), await bare.bench.call(tool, given)];
        expect(answers[0], `${tool} ${raw}`).toEqual(answers[1]);
        expect(answers[0]?.failed).toBe(true);
      }
    }
    await full.bench[Symbol.asyncDispose]();
    await bare.bench[Symbol.asyncDispose]();
  });
});

describe('Symbolic links', () => {
  interface Linked extends Place {
    link(at: string, to: string): void;
  }

  async function linked(links: Record<string, string>): Promise<Linked> {
    const outer = temporaryFolder('links');
    const vault = path.join(outer, 'vault');
    writeNotes(outer, {
      [`outside/${SECRET}.md`]: `${SECRET} outside\n`,
      'outside/note.md': `${SECRET} by a plain name\n`,
      'outside/deep/note.md': `${SECRET} deep\n`,
    });
    writeNotes(vault, {
      'Note.md': 'plain\n',
      'Lists/Shopping.md': '- milk\n',
      'Lists/Todo.md': '- write\n',
      'p/q/r.md': 'deep\n',
      ...hiddenIn(''),
      '.obsidian/app.json': `{"secret":"${SECRET}"}`,
    });
    const link = (at: string, to: string) => {
      const full = path.join(vault, at);
      fs.mkdirSync(path.dirname(full), { recursive: true });
      fs.rmSync(full, { recursive: true, force: true });
      fs.symlinkSync(to, full);
    };
    for (const [at, to] of Object.entries(links)) link(at, to);
    const bench = await benchAt(vault, { settings: { tools: ALLOWED } });
    return { outer, vault, bench, link };
  }

  /** What the link points to, its target relative to the vault's root, and the path of the link. */
  const LINKS: readonly [string, string, string][] = [
    ['a file outside', '../outside/note.md', 'link.md'],
    ['a folder outside', '../outside', 'link'],
    ['the folder above the vault', '..', 'link'],
    ['a file in .git', '.git/config', 'link.md'],
    ['.git', '.git', 'link'],
    ['.obsidian', '.obsidian', 'link'],
    ['a file in .obsidian', '.obsidian/app.json', 'link.json'],
    ['.smarthole', '.smarthole', 'link'],
    ['a file in .smarthole', '.smarthole/inbox/x.json', 'link.json'],
    ['.trash', '.trash', 'link'],
    ['a hidden file', '.env', 'link.md'],
    ['nowhere outside', '../outside/none.md', 'link.md'],
    ['nowhere in .git', '.git/none.md', 'link.md'],
    ['nowhere in .obsidian', '.obsidian/plugins/none.md', 'link.md'],
    ['a folder nowhere outside', '../outside/none', 'link'],
    ['outside by a detour through the vault', 'Lists/../../outside/note.md', 'link.md'],
    ['itself', 'link.md', 'link.md'],
  ];

  const below = ['', '/note.md', '/config', '/none.md', '/deep/note.md', '/../note.md', '/'];

  it.each(sampled(LINKS, 1))('a symbolic link to %s gives no access', async (_, target, at) => {
    await using here = await asDisposable(linked({ [at]: target }));
    const before = snapshot(here.outer);
    // Also through a chain of links, from a folder that is itself a link, and in another Unicode
    // form.
    here.link('chain1', 'chain2');
    here.link('chain2', at);
    here.link('p/q/up', '../../Lists');
    here.link('Lists/inner', `../${target}`.replace('..//', '/'));
    here.link('re\u0301sume\u0301', at);
    const linksMade = snapshot(here.outer);
    expect(Object.keys(linksMade).length).toBe(Object.keys(before).length + 5);
    await here.bench[Symbol.asyncDispose]();
    await using bench = await benchAt(here.vault, { settings: { tools: ALLOWED } });
    const froms = [at, at.toUpperCase(), 'chain1', 'chain2', 'p/q/up/inner', 'Lists/inner'];
    for (const from of [...froms, 're\u0301sume\u0301', 'r\u00e9sum\u00e9']) {
      for (const raw of below.map((each) => from + each)) {
        // This leads out of the link again, back into the vault.
        if (raw.endsWith('/../note.md')) continue;
        for (const { name, input } of TARGETS) {
          // Creating a file under another spelling of the link is harmless, because that path does
          // not exist.
          if (/[A-Z]{3}|\u00e9|\u0301/.test(from) && CREATES.has(name)) continue;
          // A note named `link` is created as `link.md`, which is not a link.
          if (/^(?:write_file path|(?:move|copy) destination)$/.test(name) && !/[./]/.test(raw))
            continue;
          const [tool, given] = input(raw);
          const { text, failed } = await bench.call(tool, given);
          expect(failed, `${name} of ${raw} -> ${target}: ${text}`).toBe(true);
          expect(text).not.toMatch(MARKS);
          expectReadable(text);
        }
      }
    }
    expect(await bench.expectSuccess('search_files', { pattern: SECRET })).toMatch(/^No matches/);
    expect(await bench.expectSuccess('search_vault', { query: `${SECRET} note` })).not.toMatch(
      /link|chain|inner|outside/,
    );
    expect(await bench.expectSuccess('list_files', { pattern: '**' })).not.toMatch(
      /link|chain|inner|sum/,
    );
    expect(await bench.expectSuccess('list_files', { path: 'Lists' })).not.toMatch(/inner/);
    expect(snapshot(here.outer)).toEqual(linksMade);
  });

  it('symbolic links inside the vault are followed', async () => {
    await using here = await asDisposable(linked({ 'Same.md': 'Note.md', Also: 'Lists' }));
    expect(await here.bench.expectSuccess('read_file', { path: 'Same.md' })).toContain('1: plain');
    expect(await here.bench.expectSuccess('read_file', { path: 'Also/Shopping.md' })).toContain(
      '1: - milk',
    );
    expect(await here.bench.expectSuccess('search_files', { pattern: 'milk' })).toContain(
      'Also/Shopping.md',
    );
    await here.bench.expectSuccess('edit_file', {
      path: 'Also/Shopping.md',
      edits: [{ position: 'end', content: '- tea' }],
    });
    expect(fs.readFileSync(path.join(here.vault, 'Lists/Shopping.md'), 'utf8')).toBe(
      '- milk\n- tea\n',
    );
  });

  it('a symbolic link that replaces a note after it was listed gives no access', async () => {
    await using here = await asDisposable(linked({}));
    expect(await here.bench.expectSuccess('list_files', { pattern: 'Note.md' })).toContain(
      'Note.md',
    );
    expect(await here.bench.expectSuccess('search_files', { pattern: 'milk' })).toContain(
      '1 match',
    );
    here.link('Note.md', '../outside/note.md');
    here.link('Lists', '../outside');
    fs.writeFileSync(path.join(here.vault, 'p/q/r.md'), 'changed\n');
    const swapped = snapshot(here.outer);
    for (const seen of [false, true]) {
      if (seen) await here.bench.noticed('Note.md', 'Lists', 'p/q/r.md');
      for (const raw of [
        'Note.md',
        'Lists',
        'Lists/Shopping.md',
        'Lists/Todo.md',
        'Lists/note.md',
      ]) {
        for (const { name, input } of TARGETS) {
          const [tool, given] = input(raw);
          const { text, failed } = await here.bench.call(tool, given);
          expect(failed, `${name} of ${raw}: ${text}`).toBe(true);
          expect(text).not.toMatch(MARKS);
        }
      }
      const found = await here.bench.expectSuccess('search_files', {
        pattern: `${SECRET}|by a plain name`,
      });
      expect(found).toMatch(/^No matches/);
      const ranked = await here.bench.expectSuccess('search_vault', {
        query: 'plain note outside milk',
      });
      expect(ranked).toMatch(/^No note .* \(1 note searched\)/);
      expect(snapshot(here.outer)).toEqual(swapped);
    }
    expect(await here.bench.expectSuccess('list_files', { pattern: '**' })).not.toMatch(
      /Note\.md|Lists/,
    );
  });

  it('a symbolic link that replaces a note before the first search gives no access', async () => {
    await using here = await asDisposable(linked({}));
    await here.bench.expectSuccess('list_files', {});
    here.link('Note.md', '../outside/note.md');
    const found = await here.bench.expectSuccess('search_files', { pattern: 'plain' });
    expect(found).toMatch(/^No matches/);
    const ranked = await here.bench.expectSuccess('search_vault', { query: 'plain' });
    expect(ranked).toMatch(/^No note .* \(3 notes searched\)/);
    expect(found).not.toMatch(MARKS);
  });

  async function asDisposable(making: Promise<Linked>): Promise<Linked & AsyncDisposable> {
    const made = await making;
    return Object.assign(made, {
      [Symbol.asyncDispose]: () => made.bench[Symbol.asyncDispose](),
    });
  }
});

describe('The table of path parameters', () => {
  it('the table covers every path parameter of every tool', async () => {
    const { ALL_TOOLS } = await import('#tools/all-tools');
    const { ToolRegistry } = await import('#tools/registry');
    const { toolSchemas } = await import('#tools/presentation/presentation');
    const { DEFAULT_SETTINGS } = await import('#model/settings');
    const registry = new ToolRegistry();
    for (const tool of ALL_TOOLS) registry.register(tool);
    const takes = toolSchemas(registry, DEFAULT_SETTINGS).flatMap(({ name, input }) => {
      const names = Object.keys(input['properties'] ?? {});
      return names.flatMap((each) =>
        /^(?:paths?|folder|source|destination|target|links_to)$/.test(each) ||
        (name === 'redirect_links' && /^(?:from|to)$/.test(each))
          ? [`${name} ${each}`]
          : [],
      );
    });
    const tested = TARGETS.map(({ name }) => name);
    for (const each of takes) expect(tested).toContain(each);
    expect(takes).toHaveLength(36);
  });
});
