import { describe, expect, test } from 'vitest';
import { sourcesOf, noteChange } from '#components/message/turn-facts.ts';
import { segmentsOf } from '#components/message/turn-segments.ts';
import type { Turn } from '#model/conversation';
import { reduceAll } from '#model/reducer';
import type { ChangeNote } from '#model/message';
import { Script } from '#workbench/gallery/script';

function turnOf(script: Script): Turn {
  const turn = reduceAll(script.id, script.events).turns.at(-1);
  if (!turn) throw new Error('There is no turn.');
  return turn;
}

describe('sources of an answer', () => {
  const read = (script: Script, ...paths: string[]) =>
    script.call('read_file', {}, 'Text', { details: { kind: 'read', paths } });
  const change = (path: string, to?: string): ChangeNote => ({
    ...{ change: `change-${path}` as ChangeNote['change'], kind: 'write', path },
    ...{ added: 1, removed: 0, ...(to ? { to } : {}) },
  });

  test('sources list each note once, in the order they were first read', () => {
    const script = new Script('a').ask('View').step();
    read(read(script, 'B.md', 'A.md'), 'A.md', 'C.md').done('');
    expect(sourcesOf(turnOf(script))).toEqual(
      ['B.md', 'A.md', 'C.md'].map((path) => ({ kind: 'note', path })),
    );
  });

  test('sources leave out changed notes, before and after a move', () => {
    const script = new Script('a').ask('View').step();
    read(script, 'A.md', 'B.md', 'C.md', 'D.md');
    script.call('move', {}, 'Done', {
      details: { kind: 'changes', changes: [change('A.md'), change('B.md', 'C.md')] },
    });
    expect(sourcesOf(turnOf(script.done('')))).toEqual([{ kind: 'note', path: 'D.md' }]);
  });
});

test('sources list web pages after notes, read ones first', () => {
  const page = (name: string) => ({ url: `https://example.com/${name}`, title: name });
  const script = new Script('a').ask('View').step();
  const sources = (tool: string, ...names: string[]) =>
    script.call(tool, {}, 'Text', { details: { kind: 'sources', sources: names.map(page) } });
  sources('web_search', 'one', 'two');
  sources('read_webpage', 'two');
  script.call('read_file', {}, 'Text', { details: { kind: 'read', paths: ['A.md'] } });
  expect(sourcesOf(turnOf(script.done('')))).toEqual([
    { kind: 'note', path: 'A.md' },
    { kind: 'page', ...page('two') },
    { kind: 'page', ...page('one') },
  ]);
});

describe('the open note of a message', () => {
  const open = (activeNote: string | null) => ({ activeNote });
  test.each([
    [undefined, open('A.md'), null],
    [open('A.md'), open('A.md'), null],
    [open(null), open(null), null],
    [open('A.md'), open('B.md'), { note: 'B.md' }],
    [open('A.md'), open(null), { note: null }],
    [open(null), open('A.md'), { note: 'A.md' }],
  ])('the change from %j to %j is marked', (before, now, change) => {
    expect(noteChange(before, now)).toEqual(change);
  });
});

describe('two questions of one step', () => {
  function asked(...resolutions: [string, 'click' | 'typed'][]): (string | null)[] {
    const script = new Script('a').ask('Plan it').step();
    const open = resolutions.map((_, at) => {
      const text = `Question ${at}?`;
      return script.hold('ask_user', { question: text }, {
        ...{ kind: 'question', text, choices: [], allowFreeText: true },
      } as const);
    });
    resolutions.forEach(([text, via], at) => {
      const waiting = open[at];
      if (waiting) script.wait(1).resolve(waiting, { kind: 'answer', text, via });
    });
    return segmentsOf(turnOf(script)).flatMap((segment) =>
      segment.kind === 'asked' ? [segment.answer?.text ?? null] : [],
    );
  }

  test('one message that answers both questions follows each of them', () => {
    expect(asked(['On Monday', 'typed'], ['On Monday', 'typed'])).toEqual([
      'On Monday',
      'On Monday',
    ]);
  });

  test('questions answered by clicks each have their own answer', () => {
    expect(asked(['Yes', 'click'], ['Yes', 'click'])).toEqual(['Yes', 'Yes']);
  });

  test('a question answered by a click and one answered by a message show both', () => {
    expect(asked(['Yes', 'click'], ['Yes', 'typed'])).toEqual(['Yes', 'Yes']);
  });
});
