/** Compares the kept listing, and the metadata of its notes, with a plain walk over the vault. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasTag, tagsWithParents } from '#text/tags';
import { excludedFolders } from '#policy/hidden-notes';
import { factsWithTexts } from '#policy/text-metadata';
import { VisibleMetadata } from '#policy/visible-metadata';
import {
  byNewest,
  seesPath,
  type PathRules,
  type VisibleListing,
  VisibleNotes,
} from '#policy/visible-notes';
import { ANY } from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';

const FOLDERS = ['', 'a/', 'a/b/', 'A/', 'Secret/', 'c/'];
const NAMES = ['One', 'two', 'TWO', 'Three'];
const TEXTS = [
  'plain',
  '#food/summer [[two]]',
  '#Food [[Nowhere]]',
  '#private [[One]]',
  '---\nstatus: open\ntags: [food, Private/x]\n---\n[[a/One]]',
  '- [ ] task [[Three|third]] #x',
];

const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => `${folder}${name}.md`);
const text = fc.constantFrom(...TEXTS);

type Event =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'type'; readonly path: string; readonly text: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'trash'; readonly path: string }
  | { readonly kind: 'exclude'; readonly folders: readonly string[] }
  | { readonly kind: 'hide'; readonly tag: string }
  | { readonly kind: 'check' };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom('write' as const, 'type' as const), path, text }),
  fc.record({
    kind: fc.constant('move' as const),
    path: fc.oneof(path, fc.constantFrom('a', 'a/b', 'Secret')),
    to: fc.oneof(path, fc.constantFrom('d', 'c/d', 'Secret/d')),
  }),
  fc.record({
    kind: fc.constant('trash' as const),
    path: fc.oneof(path, fc.constantFrom('a', 'c', 'a/b')),
  }),
  fc.record({
    kind: fc.constant('exclude' as const),
    folders: fc.constantFrom<readonly string[]>([], ['Secret'], ['a', 'Secret']),
  }),
  fc.record({ kind: fc.constant('hide' as const), tag: fc.constantFrom('', 'private', 'food') }),
  fc.constant({ kind: 'check' as const }),
);

/** A vault with its visible notes, and the settings that decide what is visible. */
class ListedVault {
  readonly notes = new MemoryNotes({ 'One.md': '#food', 'a/two.md': '[[One]] #private' }, now());
  readonly metadata = memoryMetadata(this.notes);
  readonly clock = { now: now(), pause: () => Promise.resolve() };
  readonly visible = new VisibleNotes(this.notes, this.clock);
  /** Of notes about which the index is wrong. */
  #texts = new Map<string, string>();
  #folders: readonly string[] = [];
  #tag = '';
  /** The listing of the check before, and what was visible then. */
  #before: [VisibleListing, readonly NoteEntry[]] | null = null;

  async happen(each: Event): Promise<void> {
    switch (each.kind) {
      case 'write':
        if (this.notes.get(each.path)?.kind !== 'folder') this.notes.put(each.path, each.text);
        break;
      case 'type':
        if (this.notes.get(each.path)?.kind === 'file') this.#texts.set(each.path, each.text);
        break;
      case 'move':
        if (!each.to.startsWith(`${each.path}/`)) await this.notes.move(each.path, each.to);
        break;
      case 'trash':
        await this.notes.trash(each.path);
        break;
      case 'exclude':
        this.#folders = each.folders;
        break;
      case 'hide':
        this.#tag = each.tag;
        break;
      case 'check':
        await this.check();
    }
  }

  async check(): Promise<void> {
    const rules: PathRules = {
      configDir: '.obsidian',
      folders: excludedFolders(this.#folders),
      escaping: await this.notes.escaping(),
    };
    const tagged = this.#tag === '' ? new Set<string>() : await this.metadata.tagged(this.#tag);
    const listing = await this.visible.under(rules, tagged);
    const visible = this.notes
      .list()
      .filter((each) => seesPath(each.path, rules, tagged.has(each.path)));
    this.#checkListing(listing, visible);
    if (this.#before) this.#checkListing(...this.#before);
    this.#before = [listing, visible];
    const files = visible.filter(({ kind }) => kind === 'file');
    const all = this.notes.list().filter((each) => each.kind === 'file' && tagged.has(each.path));
    const searchable = all.filter((each) => seesPath(each.path, rules, false));
    expect(listing.searchable).toEqual([...files, ...searchable].sort(byNewest));
    const paths = files.filter(isNote).map((each) => each.path);
    await this.#checkMetadata(listing, paths);
  }

  #checkListing(listing: VisibleListing, visible: readonly NoteEntry[]): void {
    const files = visible.filter(({ kind }) => kind === 'file');
    const folders = visible.filter(({ kind }) => kind === 'folder');
    expect(sorted(listing.entries)).toEqual(sorted(visible));
    expect(sorted(listing.folders)).toEqual(sorted(folders));
    expect(listing.newestFirst).toEqual([...files].sort(byNewest));
    expect(listing.notes).toEqual(listing.newestFirst.filter(isNote));
    for (const entry of visible) {
      expect(listing.get(entry.path)).toEqual(entry);
      expect(sorted(listing.spelledLike(entry.path.toUpperCase()))).toEqual(
        sorted(visible.filter((each) => each.path.toLowerCase() === entry.path.toLowerCase())),
      );
    }
    for (const folder of [{ path: '' }, ...folders]) {
      const inside = folder.path === '' ? '' : `${folder.path}/`;
      const below = files.filter((each) => each.path.startsWith(inside));
      expect(listing.tree.at(folder.path)?.totals).toEqual({
        files: below.length,
        notes: below.filter(isNote).length,
        folders: folders.filter((each) => each.path !== folder.path && each.path.startsWith(inside))
          .length,
        bytes: below.reduce((sum, { size }) => sum + size, 0),
        modified: Math.max(0, ...below.map(({ modified }) => modified)),
      });
    }
  }

  async #checkMetadata(listing: VisibleListing, paths: readonly string[]): Promise<void> {
    const { clock } = this;
    const texts = new Map([...this.#texts].filter(([path]) => listing.has(path)));
    this.#texts = texts;
    const metadata = new VisibleMetadata({ metadata: this.metadata, texts, listing, clock });
    const facts = factsWithTexts(this.metadata, texts);
    const having = (holds: (each: string) => boolean) => paths.filter(holds).sort();
    const { uses, notes } = await metadata.tags();
    expect(new Set(uses.keys())).toEqual(
      new Set(paths.flatMap((each) => [...tagsWithParents(facts.tagsOf(each)).keys()])),
    );
    for (const [key, use] of uses) {
      const tagged = having((each) => hasTag(facts.tagsOf(each), key));
      expect(use.notes).toBe(tagged.length);
      expect([...(await metadata.notesWith('tag', key))].sort()).toEqual(tagged);
    }
    expect(notes).toBe(having((each) => facts.tagsOf(each).length > 0).length);
    for (const name of ['status', 'tags', 'none']) {
      expect([...(await metadata.notesWith('property', name))].sort()).toEqual(
        having((each) => Object.hasOwn(facts.propertiesOf(each), name)),
      );
    }
    expect([...(await metadata.notesWith('task', ANY))].sort()).toEqual(
      having((each) => facts.taskMarks(each).length > 0),
    );
    for (const mark of [' ', 'x']) {
      expect([...(await metadata.notesWithTasks((each) => each === mark))].sort()).toEqual(
        having((each) => facts.taskMarks(each).includes(mark)),
      );
    }
    const sources = await metadata.linkSources();
    const mayBeDead = await metadata.mayHaveDeadLinks();
    for (const { path, kind } of this.notes.list()) {
      const isSeen = listing.has(path);
      const isInside = (each: string) => each === path || each.startsWith(`${path}/`);
      const into = (each: string) =>
        Object.entries(facts.linksFrom(each)).flatMap(([target, count]) =>
          listing.has(target) && isInside(target) ? count : [],
        );
      const linking = having((each) => into(each).length > 0);
      if (kind === 'file') expect(sources.of(path)).toEqual(linking);
      const counts = linking
        .filter((each) => !isInside(each))
        .map((each) => [each, sum(into(each))]);
      expect([...(await metadata.backlinks({ path, kind }))]).toEqual(counts);
      const dead = (facts.of(path)?.links ?? []).filter(
        ({ to }) => to === null || !listing.has(to),
      );
      expect(metadata.deadLinksIn(path).length > 0).toBe(isSeen && dead.length > 0);
      if (isSeen && dead.length > 0) expect(mayBeDead).toContain(path);
    }
    expect([...mayBeDead].filter((each) => !listing.has(each))).toEqual([]);
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function now(): () => number {
  let time = 1_000;
  return () => (time += 1);
}

function isNote(entry: NoteEntry): boolean {
  return entry.path.endsWith('.md');
}

function sorted(entries: readonly NoteEntry[]): readonly NoteEntry[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

test('the visible listing equals a walk over the vault after any events and changes of settings, and later ones leave it as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const vault = new ListedVault();
      for (const each of events) await vault.happen(each);
      await vault.check();
    }),
    { numRuns: 300 },
  );
});
