import { describe, expect, it } from 'vitest';
import { resultText } from '#messages/result-text';
import { Caller, type CallerOptions } from '#tests/policy/caller';

const FILES = {
  'Plan.md': 'See [[Beans]] and [[Diary]].\n',
  'Beans.md': 'Beans are sown in May. [[Deep]]\n',
  'Deep.md': 'Deep.\n',
  'Open.md': 'What is open.\n',
  'Diary.md': 'Secret. #private\n',
};

async function told(options: CallerOptions, files: Record<string, string> = FILES) {
  const made = new Caller(files, options);
  const called = await made.call('get_context', {});
  if ('asks' in called) throw new Error('It asks.');
  return called.result;
}

it('get_context returns attachments, the open note and the notes that attachments link to', async () => {
  const settings = { contextDepth: 1 };
  const result = await told({ attached: ['Plan.md'], activeNote: 'Open.md', settings });
  expect(result.details).toEqual({ kind: 'read', paths: ['Plan.md', 'Open.md', 'Beans.md'] });
  expect(result.text).toContain('1: See [[Beans]]');
  expect(result.text).toContain('Open note: Open.md');
  expect(result.text).toContain('1: What is open.');
  expect(result.text).toContain(
    'Linked from what is attached, 1 link away: Beans.md (lines 1-1 of 1)\n1: Beans are sown in May.',
  );
  expect(result.text).not.toMatch(/Deep\.|Diary\.md|These link to/);
});

describe('Linked notes in get_context', () => {
  const CHAIN = {
    'A.md': '[[C]] [[B]]\n',
    'B.md': 'Text B. [[D]]\n',
    'C.md': 'Text C. [[A]] [[B]]\n',
    'D.md': 'Text D. [[E]]\n',
    'E.md': 'Text E. [[F]]\n',
    'F.md': 'Text F.\n',
  };
  const linkedIn = (text: string) =>
    [...text.matchAll(/(\d) links? away: (\w)\.md/g)].map(([, links, name]) => `${links}${name}`);

  it.each([
    [0, []],
    [1, ['1C', '1B']],
    [2, ['1C', '1B', '2D']],
    [3, ['1C', '1B', '2D', '3E']],
  ])('linked notes are included up to depth %i, nearest first', async (contextDepth, linked) => {
    const { text } = await told({ attached: ['A.md'], settings: { contextDepth } }, CHAIN);
    expect(linkedIn(text)).toEqual(linked);
    expect(text.match(/Text \w/g) ?? []).toHaveLength(linked.length);
  });

  it('linked notes of several attachments are ordered by distance', async () => {
    const files = {
      'A.md': '[[B]]\n',
      'B.md': '[[C]]\n',
      'C.md': 'c\n',
      'Y.md': '[[Z]] [[B]]\n',
      'Z.md': 'z\n',
    };
    const settings = { contextDepth: 2 };
    const { text } = await told({ attached: ['A.md', 'Y.md'], settings }, files);
    expect(linkedIn(text)).toEqual(['1B', '1Z', '2C']);
  });

  it('linked notes share the read limit that attachments leave, and the rest is listed by name', async () => {
    const files = {
      'A.md': '[[B]] [[C]] [[D]]\n',
      'B.md': `${'b'.repeat(500)}\n`,
      'C.md': `${'c\n'.repeat(400)}`,
      'D.md': 'Text D.\n',
    };
    const settings = { contextDepth: 1, readCharacters: 1_200 };
    const { text } = await told({ attached: ['A.md'], settings }, files);
    expect(text).toContain('b'.repeat(500));
    expect(text).toMatch(/1: c\n2: c\n/);
    expect(text).toContain('Continue with read_file {"path":"C.md"');
    expect(text).toContain('These link to: D.md');
    expect(text).not.toContain('Text D.');
    expect(text.length).toBeLessThan(1_700);
  });

  it('linked files that are not notes are left out', async () => {
    const files = { 'A.md': '[[B.canvas]] [[C.png]]\n', 'B.canvas': '{}', 'C.png': 'x' };
    const { text } = await told({ attached: ['A.md'], settings: { contextDepth: 1 } }, files);
    expect(linkedIn(text)).toEqual([]);
  });

  it('only the printed lines of a linked note count as shown for edits by line', async () => {
    const files = { 'A.md': '[[B]]\n', 'B.md': `one\n${'two\n'.repeat(300)}` };
    const settings = { contextDepth: 1, readCharacters: 700 };
    const made = new Caller(files, { attached: ['A.md'], settings });
    await made.call('get_context', {});
    const replace = (line: number) =>
      made.call('edit_file', {
        path: 'B.md',
        edits: [{ position: `replace:${line}`, content: 'new' }],
      });
    const overwrite = await made.call('write_file', { path: 'B.md', content: 'x' });
    expect(overwrite).toMatchObject({ result: { failed: true } });
    expect(await replace(250)).toMatchObject({ result: { failed: true } });
    expect(await replace(1)).toMatchObject({ result: { failed: false } });
    expect(made.notes.text('B.md')).toMatch(/^new\ntwo\n/);
  });
});

it('get_context returns a note once if it is both attached and open', async () => {
  const { text } = await told({ attached: ['Plan.md'], activeNote: 'Plan.md' });
  expect(text.match(/1: See/g)).toHaveLength(1);
  expect(text).toContain('Open note: Plan.md');
  expect(text).not.toContain('These link to');
});

it('get_context leaves out hidden notes even if they are attached or open', async () => {
  const { text } = await told({ attached: ['Diary.md'], activeNote: 'Diary.md' });
  expect(text).not.toMatch(/Diary|Secret/);
  expect(text).toContain('No note is open.');
});

it('get_context says that nothing is open or attached', async () => {
  const result = await told({});
  expect(result.text).toBe('No note is open.\n\nNothing is attached.');
  expect(resultText(result)).toBe('Nothing found.');
});

it('get_context stays within the limit of one read', async () => {
  const files = { 'A.md': `${'a'.repeat(900)}\n`, 'B.md': 'b\n' };
  const settings = { readCharacters: 1_000 };
  const { text } = await told({ attached: ['A.md', 'B.md'], settings }, files);
  expect(text.length).toBeLessThan(1_400);
  expect(text).toContain('B.md: its text does not fit here. Read it with read_file.');
});
