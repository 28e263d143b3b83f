import { expect, it } from 'vitest';
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

it('gives what is attached, the open note, and what attached notes link to', async () => {
  const settings = { contextDepth: 1 };
  const result = await told({ attached: ['Plan.md'], activeNote: 'Open.md', settings });
  expect(result.details).toEqual({ kind: 'read', paths: ['Plan.md', 'Open.md'] });
  expect(result.text).toContain('1: See [[Beans]]');
  expect(result.text).toContain('Open is Open.md.');
  expect(result.text).toContain('1: What is open.');
  expect(result.text).toContain('These link to: Beans.md');
  expect(result.text).not.toMatch(/sown|Deep\.md|Diary\.md/);
});

it('gives a note once that is attached and open', async () => {
  const { text } = await told({ attached: ['Plan.md'], activeNote: 'Plan.md' });
  expect(text.match(/1: See/g)).toHaveLength(1);
  expect(text).toContain('Open is Plan.md.');
  expect(text).not.toContain('These link to');
});

it('says nothing of what is hidden, also where it is attached or open', async () => {
  const { text } = await told({ attached: ['Diary.md'], activeNote: 'Diary.md' });
  expect(text).not.toMatch(/Diary|Secret/);
  expect(text).toContain('No note is open.');
});

it('says so where there is nothing', async () => {
  expect(await told({})).toEqual({
    text: 'No note is open.\n\nNothing is attached.',
    failed: false,
  });
});

it('keeps to the limits of one read', async () => {
  const files = { 'A.md': `${'a'.repeat(900)}\n`, 'B.md': 'b\n' };
  const settings = { readCharacters: 1_000 };
  const { text } = await told({ attached: ['A.md', 'B.md'], settings }, files);
  expect(text.length).toBeLessThan(1_400);
  expect(text).toContain('B.md: no room is left for its text here. read_file gives it.');
});
