/** Compares the notes by their keys with a plain walk over what Obsidian knows at that time. */
import fc from 'fast-check';
import { getAllTags, type App, type TFile } from 'obsidian';
import { expect, test } from 'vitest';
import { obsidianMetadata } from '#obsidian/vault/obsidian-metadata';
import type { NoteKey } from '#ports/metadata';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { openHost } from '#tests/builders/workbench-host';

const PATHS = ['One.md', 'ΟΣ.md', 'two.md', 'a/One.md', 'a/Three.md', 'a/b/two.md', 'pic.png'];
const FOLDERS = ['a', 'a/b', 'c'];
const TEXTS = [
  'plain',
  '#food/summer [[two]] [[One|first]]',
  '#Food [[Nowhere]] ![[pic.png]]',
  '---\nStatus: open\ntags: [food, Private/x]\nup: "[[Three]]"\n---\n[[a/One]]',
  '- [ ] task [[Three]] #x',
  '- [x] done\n- [X] done, too\n- [ ] open\n- [/] begun',
];

const path = fc.constantFrom(...PATHS);
const event = fc.oneof(
  fc.record({ kind: fc.constant('write'), path, to: fc.constantFrom(...TEXTS) }),
  fc.record({
    kind: fc.constant('move'),
    path: fc.oneof(path, fc.constantFrom(...FOLDERS)),
    to: fc.oneof(path, fc.constantFrom(...FOLDERS)),
  }),
  fc.record({
    kind: fc.constant('delete'),
    path: fc.oneof(path, fc.constantFrom(...FOLDERS)),
    to: fc.constant(''),
  }),
  // Lets Obsidian go on indexing for a while.
  fc.record({ kind: fc.constant('wait'), path: fc.constant(''), to: fc.constantFrom('', '', '5') }),
  fc.record({ kind: fc.constant('check'), path: fc.constant(''), to: fc.constant('') }),
);

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

async function happen({ kind, path: from, to }: Event, { vault }: App): Promise<void> {
  const file = vault.getAbstractFileByPath(from);
  switch (kind) {
    case 'write': {
      const note = vault.getFileByPath(from);
      if (note) await vault.modify(note, to);
      else if (!file && vault.getFolderByPath(from.replace(/\/?[^/]*$/, '') || '/'))
        await vault.create(from, to);
      break;
    }
    case 'move': {
      const isFree = !vault.getAbstractFileByPath(to) && !to.startsWith(`${from}/`);
      const isSameKind = to.includes('.') === from.includes('.');
      const folder = vault.getFolderByPath(to.replace(/\/?[^/]*$/, '') || '/');
      if (file && isFree && isSameKind && folder) await vault.rename(file, to);
      break;
    }
    case 'delete':
      if (file) await vault.delete(file, true);
      break;
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, Number(to)));
  }
}

/** The keys of a note, in whatever spelling. */
function walked({ vault, metadataCache }: App, kind: NoteKey): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of vault.getFiles()) {
    const cache = metadataCache.getFileCache(file) ?? {};
    const tags = (getAllTags(cache) ?? []).flatMap((tag) => {
      const parts = tag.split('/');
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    });
    const hasAny = (list: readonly unknown[]) => (list.length > 0 ? [''] : []);
    const marks = (cache.listItems ?? []).flatMap(({ task }) => task ?? []);
    const keys = {
      tag: tags.map((tag) => tag.slice(1).toLowerCase()),
      tagName: [...hasAny(tags), ...tags],
      target: Object.keys(metadataCache.resolvedLinks[file.path] ?? {}),
      brokenLink: hasAny(Object.keys(metadataCache.unresolvedLinks[file.path] ?? {})),
      property: Object.keys(cache.frontmatter ?? {}).map((name) => name.toLowerCase()),
      task: [...hasAny(marks), ...marks],
    }[kind];
    for (const key of new Set(keys)) found.set(key, [...(found.get(key) ?? []), file.path]);
  }
  return found;
}

const KINDS: readonly NoteKey[] = ['tag', 'tagName', 'target', 'brokenLink', 'property', 'task'];

test(
  'the notes by key equal a walk over them at any time while notes change and Obsidian indexes',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 25 }), async (events) => {
        const files = { 'One.md': '#food [[two]]', 'a/b/two.md': '[[One]]', 'c/': '' };
        await using host = await openHost(files);
        const clock = { now: () => performance.now(), pause: () => Promise.resolve() };
        const metadata = obsidianMetadata(host.app, clock);
        const check = async () => {
          for (const kind of KINDS) {
            const known = await metadata.notesBy(kind);
            const sorted = (each: Iterable<string>) => [...each].sort();
            const plain = walked(host.app, kind);
            expect([kind, new Map([...known].map(([key, paths]) => [key, sorted(paths)]))]).toEqual(
              [kind, new Map([...plain].map(([key, paths]) => [key, sorted(paths)]))],
            );
          }
        };
        const checkNames = async () => {
          const pathsOf = await metadata.linkNames();
          const files = host.app.vault.getFiles();
          for (const name of files.flatMap(({ name: full, basename }) => [full, basename])) {
            const isNamed = (each: TFile) =>
              [each.name, each.basename].some((own) => own.toLowerCase() === name.toLowerCase());
            const plain = files.filter(isNamed).map((each) => each.path);
            expect([...pathsOf(name.toLowerCase())].sort()).toEqual(plain.sort());
          }
        };
        for (const each of events) {
          if (each.kind === 'check') await check();
          else await happen(each, host.app);
        }
        await check();
        await checkNames();
        metadata.close();
        expect(host.errors).toEqual([]);
      }),
      cases,
    );
  },
  CASES_TIMEOUT_MS,
);
