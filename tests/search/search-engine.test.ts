import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineStep, WAIT } from '#search/document-supply';
import { SearchEngine } from '#search/search-engine';
import { TEXT_RULES } from '#app/search-rules';
import { cases } from '#tests/cases';

const NOTES: Readonly<Record<string, string>> = {
  'a.md': 'foo\nbar',
  'b.md': 'nothing',
  'c.md': 'Foo foo\nx\ny\nz\nfoo',
  'd.md': 'foo',
  'secret.md': '#private foo',
};

type Contents = Readonly<Record<string, string | Uint8Array | null>>;

/** An engine with the texts of these notes. */
function engineOf(notes: Contents = NOTES, own: readonly string[] = [], maxHeldBytes?: number) {
  const engine = new SearchEngine(TEXT_RULES, maxHeldBytes);
  const paths = Object.keys(notes);
  for (const [at, path] of paths.entries()) {
    const written = notes[path]!;
    const content = typeof written === 'string' ? new TextEncoder().encode(written) : written;
    engine.declare({ number: at + 1, path, size: content?.length ?? 0, own });
    engine.supply(at + 1, content);
  }
  const numbers = (...wanted: readonly string[]) =>
    Uint32Array.from(wanted, (path) => paths.indexOf(path) + 1);
  return { engine, numbers, all: numbers(...paths) };
}

function result<Value>(steps: Iterator<EngineStep, Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const FOO = { number: 1, text: 'foo', matchAt: 0 };
const OPTIONS = { contextLines: 0, maxExcerpts: 2, excludedTag: 'private' };

describe('the search engine', () => {
  it('the search engine counts all matches and keeps the requested number of excerpts in order', () => {
    const { engine, numbers } = engineOf();
    const among = numbers('d.md', 'c.md', 'b.md', 'a.md');
    expect(result(engine.grep({ ...OPTIONS, among, written: 'foo' }))).toEqual({
      matches: 5,
      lines: 4,
      files: 3,
      searched: 4,
      found: [
        { id: 'd.md', matches: 1, lines: 1, excerpts: [[FOO]] },
        { id: 'c.md', matches: 3, lines: 2, excerpts: [[{ ...FOO, text: 'Foo foo' }]] },
        { id: 'a.md', matches: 1, lines: 1, excerpts: [] },
      ],
      unread: [],
    });
  });

  it('the search engine lists all documents with a match if only counts are asked for', () => {
    const { engine, all } = engineOf();
    const search = { ...OPTIONS, among: all, written: 'foo', onlyCounts: true };
    expect(result(engine.grep(search)).found).toEqual([
      { id: 'a.md', matches: 1, lines: 1, excerpts: [] },
      { id: 'c.md', matches: 3, lines: 2, excerpts: [] },
      { id: 'd.md', matches: 1, lines: 1, excerpts: [] },
    ]);
  });

  it('the search engine neither counts nor mentions a note that its tag hides', () => {
    const { engine, all } = engineOf();
    const search = { ...OPTIONS, among: all, written: 'foo' };
    expect(result(engine.grep(search))).toMatchObject({ files: 3, searched: 4 });
    expect(result(engine.grep({ ...search, excludedTag: '' }))).toMatchObject({ files: 4 });
    const words = { among: all, query: 'foo', limit: 9 };
    expect(result(engine.rank({ ...words, excludedTag: '' }))).toMatchObject({
      found: 4,
      count: 5,
    });
    expect(result(engine.rank({ ...words, excludedTag: 'private' }))).toMatchObject({
      found: 3,
      count: 4,
    });
  });

  it('the search engine reports progress within one long text', () => {
    const text = `${'a line of a long note\n'.repeat(300_000)}the end`;
    const { engine, all } = engineOf({ 'long.md': text });
    const search = { ...OPTIONS, among: all, excludedTag: '', written: 'line [a-z]+' };
    const steps = engine.grep(search);
    const handled: number[] = [];
    for (let step = steps.next(); !step.done; step = steps.next()) {
      if (typeof step.value === 'number' && step.value > 0) handled.push(step.value);
    }
    expect(handled.reduce((sum, count) => sum + count, 0)).toBe(text.length);
    expect(Math.max(...handled)).toBeLessThan(4_000_000);
  });

  it('the search engine reads a note with the edits of this device accepted, and no others', () => {
    const block = (id: string, after: string) =>
      `\`\`\`ai-edit\n{"id":"${id}","type":"add","after":"${after}\\n"}\n\`\`\`\n#ai_edit\n`;
    const text = `apple\n${block('edit-0001', 'quince')}\n${block('edit-0002', 'medlar')}`;
    const { engine, all } = engineOf({ 'a.md': new TextEncoder().encode(text) }, ['edit-0001']);
    const counts = ['quince', 'medlar', 'ai-edit'].map(
      (written) => result(engine.grep({ ...OPTIONS, among: all, written })).matches,
    );
    expect(counts).toEqual([1, 0, 0]);
  });

  it('the search engine reports what is not text', () => {
    const { engine, all } = engineOf({
      'latin.md': Uint8Array.of(0x67, 0xfc),
      'binary.txt': Uint8Array.of(0, 1),
      'gone.md': null,
      'a.md': 'foo',
    });
    expect(result(engine.grep({ ...OPTIONS, among: all, written: 'foo' }))).toMatchObject({
      searched: 1,
      unread: ['latin.md', 'binary.txt', 'gone.md'],
    });
  });

  it('the search engine forgets a removed and replaces a changed document', () => {
    const { engine, all } = engineOf();
    const words = { ...OPTIONS, among: all, query: 'foo', limit: 9 };
    expect(result(engine.rank(words)).found).toBe(3);
    engine.put(1, 'a.md', 'quince');
    engine.remove(4);
    expect(result(engine.grep({ ...OPTIONS, among: all, written: 'foo' })).files).toBe(1);
    expect(result(engine.rank(words)).best.map(({ id }) => id)).toEqual(['c.md']);
    expect(result(engine.rank({ ...words, query: 'quince' })).found).toBe(1);
  });
});

/** An engine whose texts are on a disk, from which it reads when it needs them. */
class EngineOnDisk {
  readonly engine: SearchEngine;
  readonly files: Map<string, string>;
  /** Paths that were read, in order. */
  readonly read: string[] = [];
  readonly #paths: string[] = [];

  constructor(
    files: Readonly<Record<string, string>>,
    maxHeldBytes?: number,
    maxNewChars?: number,
  ) {
    this.engine = new SearchEngine(TEXT_RULES, maxHeldBytes, maxNewChars);
    this.files = new Map(Object.entries(files));
    for (const path of this.files.keys()) this.declare(path);
  }

  /** Tells the engine of a new or changed file. */
  declare(path: string, size = this.files.get(path)!.length): void {
    const number = this.#paths.includes(path)
      ? this.#paths.indexOf(path)
      : this.#paths.push(path) - 1;
    this.engine.declare({ number, path, size, own: [] });
  }

  get scope() {
    return { among: Uint32Array.from(this.#paths.keys()), excludedTag: 'private' };
  }

  index(): void {
    this.run(this.engine.index(this.scope));
  }

  run<Value>(steps: Iterator<EngineStep, Value>): Value {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (typeof step.value === 'number') {
        if (step.value === WAIT)
          throw new Error('The engine waits for a text that it has not asked for.');
        continue;
      }
      for (const number of step.value) {
        const path = this.#paths[number]!;
        this.read.push(path);
        this.engine.supply(number, new TextEncoder().encode(this.files.get(path)));
      }
    }
  }

  matches(written: string): number {
    return this.run(this.engine.grep({ ...OPTIONS, ...this.scope, written })).matches;
  }

  rank(query: string) {
    return this.run(this.engine.rank({ ...this.scope, query, limit: 9 }));
  }

  ranked(query: string): string[] {
    const { best } = this.rank(query);
    return best.map(({ id, text }) => `${id}: ${text}`);
  }
}

const FRUIT = {
  'a.md': 'apple and quince',
  'b.md': 'pear',
  'c.md': 'apple',
  'hidden.md': '#private damson',
};

describe('the texts of the search engine', () => {
  it('the search engine reads each file once', () => {
    const disk = new EngineOnDisk(FRUIT);
    expect(disk.matches('apple')).toBe(2);
    expect(disk.ranked('pear')).toEqual(['b.md: pear']);
    expect(disk.matches('damson')).toBe(0);
    expect(disk.read.sort()).toEqual(Object.keys(FRUIT));
  });

  it('a search by words indexes some notes, counts the others, and the next searches go on', () => {
    const text = fc.array(fc.constantFrom('apple', 'pear', 'quince'), { maxLength: 5 });
    const note = fc.record({ text, size: fc.constantFrom(10, 900_000, 4_000_000, 9_000_000) });
    fc.assert(
      fc.property(
        fc.array(note, { maxLength: 30 }),
        fc.integer({ min: 1, max: 99 }),
        (all, max) => {
          const files = Object.fromEntries(
            all.map(({ text: words }, at) => [`${at}.md`, words.join(' ')]),
          );
          const disk = new EngineOnDisk(files, undefined, max);
          for (const [at, { size }] of all.entries()) disk.declare(`${at}.md`, size);
          const whole = new EngineOnDisk(files).rank('apple');
          let left = all.length + 1;
          let ranking = disk.rank('apple');
          for (; ranking.unindexed > 0; ranking = disk.rank('apple')) {
            expect(ranking.unindexed).toBeLessThan(left);
            expect(ranking.count + ranking.unindexed).toBe(all.length);
            left = ranking.unindexed;
          }
          expect(ranking).toEqual(whole);
          expect(disk.read.toSorted()).toEqual(Object.keys(files).toSorted());
        },
      ),
      cases,
    );
  });

  it('a search by words indexes no fewer notes because of long hidden ones', () => {
    for (const hidden of ['#private', `#private ${'damson '.repeat(99)}`]) {
      const files = { 'a.md': hidden, 'b.md': 'pear', 'c.md': 'apple', 'd.md': 'pear' };
      const ranking = new EngineOnDisk(files, undefined, 6).rank('pear');
      expect(ranking).toMatchObject({ found: 1, count: 2, unindexed: 1 });
    }
  });

  it('an indexed engine reads only files that may match, and no file to rank', () => {
    const disk = new EngineOnDisk(FRUIT);
    disk.index();
    disk.read.length = 0;
    expect([disk.matches('medlar'), disk.matches('damson')]).toEqual([0, 0]);
    expect(disk.read).toEqual([]);
    expect(disk.ranked('medlar')).toEqual([]);
    expect(disk.read).toEqual([]);
    expect(disk.matches('quince')).toBe(1);
    expect(disk.read).toEqual(['a.md']);
  });

  it('an indexed engine finds the same as one that is not', () => {
    const piece = fc.constantFrom(
      'foo',
      'Foo',
      'bar',
      'ba',
      'straße',
      'STRASSE',
      ' ',
      '\n',
      '\r\n',
    );
    const text = fc.array(fc.oneof(piece, fc.constant('#private ')), { maxLength: 12 });
    const notes = fc.array(text, { minLength: 1, maxLength: 6 });
    const written = fc.constantFrom(
      'foo',
      'bar ',
      'o\\n',
      'foo|bar',
      'fo+b',
      'ſtraße',
      '(?=foo)f',
      '.',
    );
    fc.assert(
      fc.property(notes, written, fc.boolean(), fc.nat(5), (texts, pattern, caseSensitive, at) => {
        const files = Object.fromEntries(texts.map((all, each) => [`${each}.md`, all.join('')]));
        const [plain, indexed] = [new EngineOnDisk(files), new EngineOnDisk(files)];
        indexed.index();
        for (const disk of [plain, indexed]) {
          if (!disk.files.has(`${at}.md`)) continue;
          disk.files.set(`${at}.md`, 'a foo');
          disk.declare(`${at}.md`);
        }
        const [one, other] = [plain, indexed].map((disk) =>
          disk.run(
            disk.engine.grep({ ...OPTIONS, ...disk.scope, written: pattern, caseSensitive }),
          ),
        );
        expect(other).toEqual(one);
        expect(indexed.ranked('foo bar')).toEqual(plain.ranked('foo bar'));
      }),
      { numRuns: cases.numRuns },
    );
  });

  it('the search engine reads a changed file again', () => {
    const disk = new EngineOnDisk(FRUIT);
    expect(disk.matches('apple')).toBe(2);
    expect(disk.ranked('medlar')).toEqual([]);
    disk.files.set('c.md', 'medlar');
    disk.declare('c.md');
    expect(disk.matches('apple')).toBe(1);
    expect(disk.ranked('medlar')).toEqual(['c.md: medlar']);
    expect(disk.read.filter((path) => path === 'c.md')).toHaveLength(2);
  });

  it('the search engine gives the same results if only few texts fit into memory', () => {
    const notes = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `${at}.md`,
        `note ${at} is ${at % 3 ? 'green' : 'red'}`,
      ]),
    );
    const [small, large] = [new EngineOnDisk(notes, 100), new EngineOnDisk(notes)];
    for (const written of ['red', 'note 3', 'absent', 'is (green|red)$']) {
      expect(small.matches(written)).toBe(large.matches(written));
    }
    for (const query of ['red', 'note 17', 'gren']) {
      expect(small.ranked(query)).toEqual(large.ranked(query));
    }
  });

  it('the search engine keeps a text that is not in its file, however little memory there is', () => {
    const disk = new EngineOnDisk(FRUIT, 1);
    disk.engine.put(0, 'a.md', 'an unsaved medlar');
    for (const count of [1, 1]) expect(disk.matches('medlar')).toBe(count);
    expect(disk.read).not.toContain('a.md');
  });

  it('the search engine ignores a second answer with another text for the same document', () => {
    const { engine, all } = engineOf({ 'a.md': 'quince' });
    const matches = (written: string) =>
      result(engine.grep({ ...OPTIONS, among: all, written })).matches;
    engine.supply(1, new TextEncoder().encode('medlar'));
    expect([matches('quince'), matches('medlar')]).toEqual([1, 0]);
  });
});
