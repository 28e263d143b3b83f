import { createRequire } from 'node:module';
import fc from 'fast-check';
import type * as Whole from 'minimatch';
import { describe, expect, it } from 'vitest';
import { compileFileGlob, compileGlob } from '#search/globs';

/** The published package; the build leaves out unused parts. */
const whole = createRequire(import.meta.url)('minimatch') as typeof Whole;

function glob(written: string): (path: string) => boolean {
  const compiled = compileGlob(written);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.glob.matches;
}

describe('a glob', () => {
  it.each([
    ['*.md', 'Note.md'],
    ['*.md', 'Deep/Folder/Note.MD'],
    ['NOTE.md', 'a/note.md'],
    ['Note', 'a/b/Note'],
    ['no?e.md', 'a/Note.md'],
    ['[mn]ote.md', 'Note.md'],
    ['[!x]ote.md', 'Note.md'],
    ['[a-z]ote.md', 'Note.md'],
    ['*.{md,txt}', 'a/x.txt'],
    ['{a,b}/*.md', 'A/x.md'],
    ['{Daily,*.md}', 'x/y.md'],
    ['Projects/**', 'projects/a/b.md'],
    ['Projects/', 'Projects/a/b.md'],
    ['Projects\\Sub*.md', 'Projects/Subject.md'],
    ['**/*.md', 'Note.md'],
    ['**/*.md', 'a/b/Note.md'],
    ['a/**/z.md', 'a/z.md'],
    ['a/**/z.md', 'a/b/c/z.md'],
    ['/*.md', 'Note.md'],
    ['./*.md', 'Note.md'],
    ['/', 'a/b.md'],
    ['Report*(final).md', 'Report 3 (final).md'],
    ['+(a).md', '+(a).md'],
    ['Notes (old)/*', 'Notes (old)/a.md'],
    ['!important.md', 'a/!important.md'],
    ['#tag.md', '#tag.md'],
    ['Cafe\u0301*', 'Café au lait.md'],
    ['*.md', '.hidden.md'],
    ['\\[a\\].md', '[a].md'],
    ['Folder\\Note.md', 'Folder/Note.md'],
    ['[]a].md', 'a.md'],
    ['img-{08..11}.png', 'img-09.png'],
    ['part-{a..e..2}.md', 'part-c.md'],
    ['{Daily,Weekly}/', 'Weekly/a/b.md'],
    ['{a}.md', '{a}.md'],
    ['a{b,c{d,e}}.md', 'ace.md'],
  ])('%j matches %j', (written, path) => {
    expect(glob(written)(path)).toBe(true);
  });

  it.each([
    ['*.md', 'Note.txt'],
    ['/*.md', 'a/Note.md'],
    ['./*.md', 'a/Note.md'],
    ['Projects/*', 'Projects/a/b.md'],
    ['Projects/*', 'x/Projects/a.md'],
    ['Note', 'Note/x.md'],
    ['[!n]ote.md', 'Note.md'],
    ['@(a).md', 'a.md'],
    ['{a,b}.md', 'c.md'],
    ['img-{08..11}.png', 'img-9.png'],
    ['part-{a..e..2}.md', 'part-b.md'],
    ['a?c', 'a/c'],
  ])('%j does not match %j', (written, path) => {
    expect(glob(written)(path)).toBe(false);
  });

  it.each([
    ['', /is empty/],
    ['[abc', /`\[` that is never closed/],
    ['{a,b', /`\{` that is never closed/],
    ['{a,{b,c}', /`\{` that is never closed/],
    ['../*.md', /climbs/],
    ['a/../b', /climbs/],
    ['a\0', /NUL/],
    ['{a,b}'.repeat(30), /more than 256 patterns/],
    ['{1..100000}', /more than 256 patterns/],
    ['{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b}', /more than 256 patterns/],
    ['*'.repeat(600), /longer than 500/],
    ['!(x).md', /go in braces/],
    ['*.@(png|jpg)', /go in braces/],
    ['+(a|aa)'.repeat(20), /go in braces/],
  ])('%j is refused: %s', (written, reason) => {
    const compiled = compileGlob(written);
    expect(compiled.ok).toBe(false);
    if (!compiled.ok) expect(compiled.reason).toMatch(reason);
  });

  it.each([
    ['*a'.repeat(200) + 'b', 'a'.repeat(4_000)],
    ['*(*(*(a)))b', 'a'.repeat(200)],
    [`${'**/'.repeat(100)}b`, 'a/'.repeat(400) + 'a'],
    [`${'**/a/'.repeat(40)}b`, 'a/'.repeat(400) + 'a'],
  ])('a hostile glob is answered in time: %j', (written, path) => {
    expect(glob(written)(path)).toBe(false);
  });

  it('a glob has the same alternatives as in other implementations', () => {
    const pieces = ['a', '.md', '*', '?', '{a,b}', '{b,c{d,a}}', '{1..3}', '{03..1}', '{c..a..2}'];
    const globs = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''))
      .filter((written) => compileGlob(written).ok);
    const names = fc.string({ unit: fc.constantFrom(...'abcd0123.m'), minLength: 1, maxLength: 6 });
    const rules = { nocase: true, dot: true, nonegate: true, nocomment: true, noext: true };
    let matched = 0;
    const property = fc.property(globs, fc.array(names, { minLength: 10 }), (written, all) => {
      const likely = [...all, ...whole.braceExpand(written)];
      const own = likely.filter(glob(written));
      expect(own).toEqual(likely.filter((name) => whole.minimatch(name, written, rules)));
      matched += own.length;
    });
    fc.assert(property, { numRuns: 500 });
    expect(matched).toBeGreaterThan(100);
  });
});

describe('a glob over files', () => {
  const matches = (written: string, path: string): boolean => {
    const compiled = compileFileGlob(written);
    if (!compiled.ok) throw new Error(compiled.reason);
    return compiled.glob.matches(path);
  };

  it.each([
    ['Lists', 'Lists/a.md'],
    ['lists/', 'Lists/Deep/a.md'],
    ['Lists/Sub', 'lists/sub/a.md'],
    ['/Lists', 'Lists/a.md'],
    ['Lists\\Sub\\', 'Lists/Sub/a.md'],
    ['Lists', 'Archive/Lists/a.md'],
    ['{Lists,Journal}', 'Journal/2026/a.md'],
    ['*/Sub', 'Lists/Sub/Deep/a.md'],
    ['Shopping.md', 'Lists/Shopping.md'],
    ['Lists/*', 'Lists/a.md'],
  ])('%j matches the file %j', (written, path) => {
    expect(matches(written, path)).toBe(true);
  });

  it.each([
    ['Lists', 'Lists.md'],
    ['Lists/*', 'Lists/Sub/a.md'],
    ['/Lists', 'Archive/Lists/a.md'],
    ['Lists/Sub', 'Lists/Subject/a.md'],
    ['Lists', 'MyLists/a.md'],
  ])('%j does not match the file %j', (written, path) => {
    expect(matches(written, path)).toBe(false);
  });

  it('a glob over files is refused like any other', () => {
    expect(compileFileGlob('[a')).toMatchObject({ ok: false });
    expect(compileFileGlob('../Lists')).toMatchObject({ ok: false });
  });
});
