/** Notes that the host has not indexed yet, among them one that its text hides. */
import { describe, expect, test } from 'vitest';
import { Caller } from './caller';

const PRIVATE = '---\ntags: [private]\n---\nThe secret of the pond.\n';

/** More notes than may be read for one answer. */
const MANY = 2_001;

function many(): Record<string, string> {
  const paths = Array.from({ length: MANY }, (_, at) => [`New/${at}.md`, 'A pond.'] as const);
  return { ...Object.fromEntries(paths), 'New/Diary.md': PRIVATE, 'Old.md': 'An old pond.' };
}

function caller(files: Record<string, string>, indexed: readonly string[]) {
  const made = new Caller(files);
  for (const path of Object.keys(files)) {
    if (!indexed.includes(path)) made.metadata.unindexed.add(path);
  }
  return made;
}

describe('a note that only its text hides, since the host reads no tag in it', () => {
  test.each([
    ['get_file_info', { path: 'Diary.md' }],
    ['get_links', { path: 'Diary.md' }],
    ['open_note', { path: 'Diary.md' }],
    ['read_file', { path: 'Diary' }],
    ['move', { source: 'diary.md', destination: 'Shown.md' }],
    ['delete', { path: 'Diary.md' }],
  ])('%s answers as for a note that does not exist', async (name, input) => {
    const damaged = {
      'Diary.md': '---\n"tags: private\n---\n[[Clinic]]\n',
      'Pond.md': 'A pond.\n',
    };
    const found = await new Caller(damaged).says(name, input);
    const { 'Diary.md': _, ...others } = damaged;
    expect(found).toBe(await new Caller(others).says(name, input));
    expect(found).toContain('does not exist');
  });
});

describe('a note that is not indexed yet', () => {
  const files = {
    'Pond.md': 'A pond for [[Diary]].',
    'Diary.md': PRIVATE,
    'Inline.md': 'A text #private/health about the pond',
    'Old.md': 'An old pond.',
  };

  test.each([
    ['list_files', {}],
    ['explore_structure', {}],
    ['search_files', { pattern: 'pond' }],
    ['search_vault', { query: 'pond' }],
    ['query_notes', { modified: { to: '2999-12-31' } }],
    ['query_notes', { tags: ['private'] }],
    ['find_dead_links', {}],
    ['get_file_info', { path: 'Pond.md' }],
  ])('%s does not name it if its text hides it', async (name, input) => {
    const found = await caller(files, ['Old.md']).says(name, input);
    expect(found).not.toContain('not valid');
    expect(found).not.toContain('Diary.md');
    expect(found).not.toContain('Inline');
    expect(found).not.toContain('indexing');
  });

  test('a note that is not indexed yet is listed if its text does not hide it', async () => {
    const found = await caller(files, ['Old.md']).says('list_files', {});
    expect(found).toContain('2 files');
    expect(found).toContain('Pond.md');
    expect(found).toContain('Old.md');
  });

  test('a note that hides itself in its text can be neither moved nor overwritten', async () => {
    const agent = caller(files, ['Old.md']);
    for (const [name, input] of [
      ['move', { source: 'Diary.md', destination: 'Shown.md' }],
      ['write_file', { path: 'Diary.md', content: 'x' }],
    ] as const) {
      expect(await agent.says(name, input)).not.toContain('not valid');
    }
    expect(agent.notes.text('Diary.md')).toBe(PRIVATE);
  });

  test('a folder with a note that hides itself in its text is not moved', async () => {
    const agent = caller({ 'A/Diary.md': PRIVATE, 'A/B.md': 'b' }, []);
    expect(await agent.says('move', { source: 'A', destination: 'B' })).toContain(
      'not possible here',
    );
    expect(agent.notes.text('A/Diary.md')).toBe(PRIVATE);
  });
});

describe('a vault that is being indexed', () => {
  test('more new notes than can be read are held back until they are indexed, and the result says so', async () => {
    const agent = caller(many(), ['Old.md']);
    const found = await agent.says('list_files', {});
    expect(found).toContain('1 file ');
    expect(found).toContain('Old.md');
    expect(found).not.toMatch(/New\/.*md/);
    expect(found).toContain('still indexing the vault: 2,002 notes may be missing here.');
    agent.metadata.unindexed.clear();
    const later = await agent.says('list_files', { pattern: '**/*.md' });
    expect(later).toContain('2,002 files');
    expect(later).not.toContain('Diary');
    expect(later).not.toContain('indexing');
  });

  test('notes that are held back are not read', async () => {
    const agent = caller(many(), ['Old.md']);
    const read: string[] = [];
    const { notes } = agent;
    const reading = notes.read.bind(notes);
    notes.read = async (path) => {
      read.push(path);
      return reading(path);
    };
    await agent.says('list_files', {});
    expect(read).toEqual([]);
  });

  test('a note that is held back can be read by its path, unless its text hides it', async () => {
    const agent = caller(many(), ['Old.md']);
    expect(await agent.says('read_file', { path: 'New/7.md' })).toContain('A pond.');
    expect(await agent.says('read_file', { path: 'New/Diary.md' })).not.toContain('secret');
  });

  test('no note is held back if no tag hides notes', async () => {
    const agent = caller(many(), ['Old.md']);
    agent.settings = { ...agent.settings, excludedTag: '' };
    expect(await agent.says('list_files', {})).toContain('2,003 files');
  });
});
