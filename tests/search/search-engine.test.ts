import { describe, expect, it } from 'vitest';
import { type StepChars, SearchEngine } from '#search/search-engine';
import { TEXT_RULES } from '#app/search-rules';

const NOTES: Readonly<Record<string, string>> = {
  'a.md': 'foo\nbar',
  'b.md': 'nothing',
  'c.md': 'Foo foo\nx\ny\nz\nfoo',
  'd.md': 'foo',
  'secret.md': '#private foo',
};

function engineOf(notes: Readonly<Record<string, string | Uint8Array | null>> = NOTES) {
  const engine = new SearchEngine(TEXT_RULES);
  const paths = Object.keys(notes);
  for (const [at, path] of paths.entries()) engine.put(at + 1, path, notes[path]!);
  const numbers = (...wanted: readonly string[]) =>
    Uint32Array.from(wanted, (path) => paths.indexOf(path) + 1);
  return { engine, numbers, all: numbers(...paths) };
}

function result<Value>(steps: Iterator<StepChars, Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

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
        { id: 'd.md', matches: 1, excerpts: [[{ number: 1, text: 'foo', matchAt: 0 }]] },
        { id: 'c.md', matches: 3, excerpts: [[{ number: 1, text: 'Foo foo', matchAt: 0 }]] },
      ],
      unread: [],
    });
  });

  it('the search engine gives the same result with and without its filters', () => {
    const { engine, all } = engineOf();
    const search = (written: string) => result(engine.grep({ ...OPTIONS, among: all, written }));
    const patterns = ['foo', 'bar|nothing', 'quince', 'o{2}', 'foo\\nbar', '^z$'];
    const before = patterns.map(search);
    const steps = engine.prepare();
    while (!steps.next().done);
    expect(patterns.map(search)).toEqual(before);
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

  it('the search engine reads a note with its pending edits accepted', () => {
    const block =
      '```ai-edit\n{"id":"edit-0001","type":"add","after":"quince\\n"}\n```\n#ai_edit\n';
    const { engine, all } = engineOf({ 'a.md': new TextEncoder().encode(`apple\n${block}`) });
    const counts = ['quince', 'ai-edit'].map(
      (written) => result(engine.grep({ ...OPTIONS, among: all, written })).matches,
    );
    expect(counts).toEqual([1, 0]);
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
