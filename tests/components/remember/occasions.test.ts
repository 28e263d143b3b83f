import { describe, expect, test } from 'vitest';
import { findCorrections } from '#components/remember/find-corrections.ts';
import { lastingWish } from '#text/lasting-wish';
import type { UserAction } from '#model/conversation';
import type { DecidedEdit } from '#model/event';
import { reduceAll } from '#model/reducer';
import { Script } from '#workbench/gallery/script';

describe('a message that states a lasting wish', () => {
  test.each([
    ['From now on, write dates as 2026-03-02.', 'Write dates as 2026-03-02.'],
    ['Add milk. From now on put it under its shop! Thanks.', 'Put it under its shop!'],
    ['Please answer in one line from now on', 'Please answer in one line from now on'],
    ['please from here on: no tables', 'No tables'],
    ['Ab jetzt bitte auf Deutsch.', 'Bitte auf Deutsch.'],
    ['Schreibe in Zukunft kürzer.', 'Schreibe in Zukunft kürzer.'],
    ['Désormais, réponds en français.', 'Réponds en français.'],
    ['A partir de ahora usa listas.', 'Usa listas.'],
    ['Voortaan korter.', 'Korter.'],
    ['Впредь пиши короче.', 'Пиши короче.'],
    ['今後は短く書いてください。', '短く書いてください。'],
    ['从现在开始，用中文回答。', '用中文回答。'],
    ['Always put tasks at the top of a list.', 'Always put tasks at the top of a list.'],
    ['Add eggs. Never use emojis, please.', 'Never use emojis, please.'],
    ['Can you write in English from now on?', 'Can you write in English from now on?'],
    ['Use version 1.2 from now on. Nothing else.', 'Use version 1.2 from now on.'],
  ])('"%s" is a lasting wish', (text, rule) => {
    expect(lastingWish(text)).toBe(rule);
  });

  test.each([
    'Add milk to my shopping list',
    'What did I write about my infuture project?',
    'How will the trains run in the future?',
    'Never mind.',
    'I always forget the milk.',
    'From now one more.',
    'Should I always put tasks at the top from now on?',
    'what will happen from now on',
    'Always in the same list?',
    `From now on ${'very '.repeat(80)}long`,
    '',
  ])('"%s" is not a lasting wish', (text) => {
    expect(lastingWish(text)).toBe('');
  });
});

describe('corrections by the user', () => {
  const turnOf = (script: Script) => {
    const [turn] = reduceAll(script.id, script.events).turns;
    if (!turn) throw new Error('There is no turn.');
    return turn;
  };
  const plain = turnOf(new Script('a').ask('Add milk').step().say('Done.').done('Done.'));
  const decided = (choice: DecidedEdit['choice'], proposed: string, after?: string): UserAction =>
    ({
      ...{ type: 'edits-decide', path: 'A.md', change: 'change-1', problems: [] },
      decisions: [{ proposal: 'p', choice, before: '', proposed, ...(after ? { after } : {}) }],
    }) as unknown as UserAction;

  test.each([
    ['- [ ] milk', '- [ ] oat milk', 'Add “oat”.'],
    ['due 3 March', 'due 2026-03-03', 'Write “2026-03-03” rather than “3 March”.'],
    ['Great news: done.', 'Done.', 'Write “Done” rather than “Great news: done”.'],
    ['very good', 'good', 'Leave out “very”.'],
  ])('%s, amended to %s, is a correction', (proposed, after, draft) => {
    expect(findCorrections(plain, [decided('amend', proposed, after)])).toEqual([
      { id: 'change-1', draft },
    ]);
  });

  test('accepted and rejected edits are not corrections', () => {
    const acts = [decided('accept', 'milk'), decided('reject', 'eggs')];
    expect(findCorrections(plain, acts)).toEqual([]);
  });

  test('a denial is a correction only if it has a reason', () => {
    const denied = (reason?: string) => {
      const script = new Script('a').ask('Tidy up').step();
      const card = script.hold('delete', { path: 'A.md' }, {
        ...{
          kind: 'approval',
          tool: 'delete',
          title: 'Delete chats?',
          lines: [],
          choices: ['deny'],
        },
      } as const);
      script.resolve(card, { kind: 'choice', choice: 'deny', ...(reason ? { reason } : {}) });
      return findCorrections(turnOf(script), []).map(({ draft }) => draft);
    };
    expect(denied('move old notes,\n do not delete them')).toEqual([
      'Move old notes, do not delete them',
    ]);
    expect(denied()).toEqual([]);
  });
});
