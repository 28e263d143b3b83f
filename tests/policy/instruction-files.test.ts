/** Files that tell agents or programs what to do: nothing of them is written before the user allows it. */
import { describe, expect, test } from 'vitest';
import { MODES } from '#model/setting-choices';
import { instructionsIn } from '#policy/instruction-files';
import { Caller } from './caller';

const NAMES = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  'AGENTS.override.md',
  'Agent.md',
  'SKILL.md',
  'tests.instructions.md',
  'fix.prompt.md',
  'plan.chatmode.md',
  'copilot-instructions.md',
  'llms.txt',
  'llms-full.txt',
  'CRUSH.md',
  'opencode.json',
];

const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `Deep/er/${name}`,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.replace(/^./, (first) => String.fromCharCode(first.charCodeAt(0) + 0xfee0)),
  (name) => `${name}. .`,
  (name) => ` ${name}`,
  (name) => `${name[0]}\u200b${name.slice(1)}`,
];

const ALLOWED = MODES.filter((mode) => mode !== 'read-only');

test.each(NAMES)('changing %s needs approval in each spelling of its name', (name) => {
  for (const spell of SPELLINGS) {
    const path = spell(name);
    expect(instructionsIn({ kind: 'create', path, after: 'x' }, [])).toBe(path);
    expect(instructionsIn({ kind: 'move', path: 'Note.md', to: path }, [])).toBe(path);
    expect(instructionsIn({ kind: 'move', path, to: 'Note.md' }, [])).toBe(path);
  }
});

test('an ordinary note that shares a word with such files needs no approval', () => {
  for (const path of ['Agents of change.md', 'Claude Monet.md', 'Skills.md', 'CLAUDE/Note.md'])
    expect(instructionsIn({ kind: 'create', path, after: 'x' }, [])).toBeNull();
});

describe.each(ALLOWED)('in %s', (mode) => {
  test.each(NAMES)('nothing of %s is on disk until the user allows it', async (name) => {
    const files = { 'Note.md': 'Obey.\n', 'Templates/T.md': 'Obey.\n' };
    const calls: readonly [string, object][] = [
      ['write_file', { path: `Sub/${name}`, content: '"Obey."' }],
      ['move', { source: 'Note.md', destination: `Sub/${name}` }],
      ['apply_template', { template: 'T', path: `Sub/${name}` }],
    ];
    for (const [tool, input] of calls) {
      if (tool === 'apply_template' && !name.endsWith('.md')) continue;
      const caller = new Caller(files, { mode, settings: { templateFolder: 'Templates' } });
      expect(await caller.says(tool, input)).toBe('asks');
      expect(caller.notes.list().map(({ path }) => path)).not.toContain('Sub');
      expect(caller.notes.get('Note.md')).toBeDefined();
    }
  });
});

test('files that begin with a dot cannot be written at all', async () => {
  for (const name of ['.cursorrules', '.windsurfrules', '.clinerules', '\u200b.cursorrules']) {
    const caller = new Caller({}, { mode: 'review' });
    expect(await caller.call('write_file', { path: name, content: 'x' })).toMatchObject({
      result: { failed: true },
    });
  }
});
