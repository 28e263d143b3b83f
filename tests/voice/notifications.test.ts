import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '#messages/failures';
import type { TurnEnd } from '#model/event';
import type { Approval, Question } from '#model/interaction';
import type { ChangeNote } from '#model/message';
import type { Reply } from '#model/reply';
import { testClock } from '../builders/fake-clock';
import { cases } from '../cases';
import { NotificationCenter } from '#workbench/smarthole/notification-centre';
import { NotificationPace } from '#voice/notification-sender';
import { doneRequest, notificationOf } from '#voice/notifications';

const told = {
  request: 'Add milk to my shopping list',
  wireName: 'simone',
  names: [['miss', 'simone'], ['simone']],
};

const end = (each: TurnEnd): Reply => ({ kind: 'end', end: each });
const waiting = { id: 'w', turn: 't', call: 'c', asked: 0, expires: 0 };
const ideas = {
  ...waiting,
  kind: 'approval',
  tool: 'delete',
  title: 'Delete Lists/Ideas.md?',
  lines: ['A note of 1 line, 12 characters, last changed 2026-11-26.'],
  said: { title: 'Delete Ideas?', about: ['A note of 1 line, and nothing links to it.'] },
  choices: ['delete', 'keep'],
} as unknown as Approval;
const change = (path: string, more: Partial<ChangeNote> = {}) =>
  ({ change: 'c', kind: 'write', path, added: 1, removed: 0, ...more }) as ChangeNote;

describe('A notification', () => {
  const reply = 'Milk is on it.';
  const ends: [string, TurnEnd, string][] = [
    ['Done', { kind: 'completed', outcome: 'done', reply }, reply],
    ['Partly done', { kind: 'completed', outcome: 'partly', reply }, reply],
    ['Not completed', { kind: 'completed', outcome: 'not_done', reply }, reply],
    ['Stopped', { kind: 'stopped', reply }, 'Nothing was changed.'],
    [
      'Not finished',
      { kind: 'limited', reason: 'steps', reply },
      'The step limit was reached. Nothing was changed. Say “Simone, continue” to go on.',
    ],
    ['No answer came', { kind: 'limited', reason: 'no-answer', reply }, 'Nothing was changed.'],
    [
      'Failed',
      {
        kind: 'failed',
        failure: failure('endpoint'),
        retry: { when: 'at', time: '8:22 PM' },
        reply,
      },
      'The model can’t be reached. I’ll try again at 8:22 PM.',
    ],
    [
      'Failed',
      { kind: 'failed', failure: failure('key'), reply },
      'The API key is missing or invalid. Check the API key in the settings.',
    ],
  ];

  it.each(ends)('says how the request ended: %s', (state, each, body) => {
    expect(notificationOf(end(each), told)).toEqual({
      title: `${state}: Add milk to my shopping list`,
      body,
      priority: 'normal',
    });
  });

  it.each([
    ['Answer', 'answer'],
    ['Kept', 'kept'],
    ['Declined', 'denied'],
    ['Proposed', 'proposed'],
  ] as const)(
    'the title starts with "%s" when the outcome alone would be misleading',
    (state, title) => {
      const completed = { kind: 'completed', outcome: 'not_done', reply } as const;
      expect(notificationOf({ kind: 'end', end: completed, title }, told).title).toBe(
        `${state}: Add milk to my shopping list`,
      );
    },
  );

  it.each([
    ['Hey Simone, add cocoa', 'Done: add cocoa'],
    ['Miss Simone: add flour', 'Done: add flour'],
    ['ok simone add **tea**.', 'Done: add tea'],
    ['Simone,', 'Done'],
    ['Hey you, add rice', 'Done: Hey you, add rice'],
    ['Simoneta called', 'Done: Simoneta called'],
    ['<!-- -->', 'Done'],
  ])('the title leaves out the address of %j', (request, title) => {
    const completed = end({ kind: 'completed', outcome: 'done', reply });
    expect(notificationOf(completed, { ...told, request }).title).toBe(title);
  });

  it('the agent’s words for a listener replace the summary', () => {
    const completed = { kind: 'completed', outcome: 'done', reply: 'Long. '.repeat(90) } as const;
    const said = {
      kind: 'end',
      end: { ...completed, spoken: 'All nine are on the list.' },
    } as const;
    expect(notificationOf(said, told).body).toBe('All nine are on the list.');
  });

  it.each<[readonly ChangeNote[], string]>([
    [[change('Lists/Shopping.md')], '1 line was added to Shopping.'],
    [Array(5).fill(change('Lists/Shopping.md')), 'Shopping was changed 5 times.'],
    [
      [change('A.md', { kind: 'create' }), change('A.md'), change('B.md', { removed: 1 })],
      'A was created and 1 line was changed in B.',
    ],
    [
      [change('Boat.md', { kind: 'move', to: 'Old/Boat.md' }), change('C.md', { kind: 'delete' })],
      'Boat was moved to Old and C was deleted.',
    ],
    [[change('Boat.md', { kind: 'move', to: 'Ship.md' })], 'Boat was renamed to Ship.'],
    [[change('D.md', { added: 2, removed: 1 })], '2 lines were added to D and 1 removed.'],
    [[change('E.md', { kind: 'create', undoes: true })], 'E is back.'],
    [
      ['A', 'B', 'C', 'D'].map((name) => change(`${name}.md`, { kind: 'delete' })),
      '4 notes were deleted: A, B, and 2 more.',
    ],
  ])('changes are told by note, in words: %#', (changes, body) => {
    const completed = { kind: 'completed', outcome: 'done', reply: 'Changed' } as const;
    expect(notificationOf({ kind: 'end', end: completed, changes }, told).body).toBe(body);
  });

  it('the end of a stopped turn says how to take back what stays', () => {
    const stopped = { kind: 'stopped', reply: 'Stopped.' } as const;
    const { body } = notificationOf(
      { kind: 'end', end: stopped, changes: [change('Lists/Shopping.md')] },
      told,
    );
    expect(body).toBe('1 line was added to Shopping. Say “Simone, undo that” to take it back.');
  });

  it('the body ends with the notes in which an edit waits, also below a long answer', () => {
    const completed = { kind: 'completed', outcome: 'done', reply: 'word '.repeat(100) } as const;
    const { body } = notificationOf(
      { kind: 'end', end: completed, toReview: ['Lists/Shopping.md'] },
      told,
    );
    expect(body).toMatch(/ The rest is in Obsidian\. Shopping waits for your review\.$/);
    expect(body.length).toBeLessThanOrEqual(240);
  });

  it('the body is empty when the reply was already sent', () => {
    const completed = end({ kind: 'completed', outcome: 'done', reply: '' });
    expect(notificationOf(completed, told)).toMatchObject({ body: '' });
  });

  it('the body of a long reply says that the rest is in Obsidian, also if it is hidden', () => {
    // The plain text is short, but only because the Markdown was cut before it was converted.
    const links = `[a](${'x'.repeat(90)}) `.repeat(100);
    const hidden = end({ kind: 'completed', outcome: 'done', reply: links });
    expect(notificationOf(hidden, told).body).toMatch(/The rest is in Obsidian\.$/);
  });

  it.each([
    ['Nothing is running.', 'Nothing is running', ''],
    [
      'Nothing to undo: “add tea” changed nothing. The last change: Ideas was deleted.',
      'Nothing to undo: “add tea” changed nothing',
      'The last change: Ideas was deleted.',
    ],
    [
      `${'Long '.repeat(30)}.`,
      'Answer: Add milk to my shopping list',
      `${'Long '.repeat(30)}.`.replace(' .', '.'),
    ],
  ])('the result of a command is its title: %s', (text, title, body) => {
    const completed = { kind: 'completed', outcome: 'not_done', reply: text } as const;
    const reply = { kind: 'end', end: completed, title: 'command' } as const;
    expect(notificationOf(reply, told)).toMatchObject({ title, body });
    expect(doneRequest(reply, told)).toBeNull();
  });

  it('a question keeps its last sentence, and says how many choices it leaves out', () => {
    const question = {
      ...waiting,
      kind: 'question',
      text: `I found three notes about Rome. ${'They are long and old. '.repeat(9)}Which **one**?`,
      choices: [
        'The travel diary from the year 2019',
        'Packing list.md',
        'Draft',
        'Email to Ann about Rome',
      ],
      allowFreeText: true,
    } as unknown as Question;
    const { title, body } = notificationOf(
      { kind: 'waiting', byVoice: true, interaction: question },
      told,
    );
    expect(title).toBe('Waiting for your answer: Add milk to my shopping list');
    expect(body).toMatch(/^I found three notes about Rome\. .*Which one\? The travel diary/);
    expect(body).toMatch(
      /2019, Packing list, Draft, or one more\? Say “Simone” and your answer\.$/,
    );
    expect(body.length).toBeLessThanOrEqual(240);
  });

  it('an approval is titled with its question and begins with the words that decide it', () => {
    expect(notificationOf({ kind: 'waiting', byVoice: true, interaction: ideas }, told)).toEqual({
      title: 'Delete Ideas?',
      body: 'Say “Simone, delete it” or “Simone, keep it”. A note of 1 line, and nothing links to it.',
      priority: 'high',
    });
  });

  it('a repeated approval says that it still waits, and which name decides it', () => {
    const again = { byVoice: true, name: 'Cash $& $1', note: '2 approvals are open.' };
    expect(notificationOf({ kind: 'waiting', interaction: ideas, ...again }, told)).toMatchObject({
      title: 'Still waiting: delete Ideas?',
      body: 'Say “Simone, delete Cash $& $1” or “Simone, keep Cash $& $1”. 2 approvals are open. A note of 1 line, and nothing links to it.',
    });
  });

  it('the next approval says how the one before was decided', () => {
    const next = { byVoice: true, decided: 'Garden will be deleted.' };
    const { title, body } = notificationOf({ kind: 'waiting', interaction: ideas, ...next }, told);
    expect(title).toBe('Garden will be deleted. Delete Ideas?');
    expect(body).toMatch(/^Say “Simone, delete it”/);
  });

  it.each([
    [{ isVoiceOff: true }, 'Voice decisions are off, so decide in Obsidian.'],
    [{}, 'Decide in Obsidian.'],
  ])('an approval says why voice does not decide it: %j', (why, first) => {
    const { body } = notificationOf(
      { kind: 'waiting', byVoice: false, interaction: ideas, ...why },
      told,
    );
    expect(body.startsWith(first)).toBe(true);
  });
});

describe('Notification rate', () => {
  it('SmartHole shows every notification that the bridge sends at its own pace', async () => {
    const sayings = fc.array(
      fc.record({
        pause: fc.constantFrom(0, 0, 10, 900, 1_000, 5_000, 61_000),
        text: fc.constantFrom('Milk', 'milk', '<b>', 'x'.repeat(300), '', '世界'),
        priority: fc.constantFrom('low', 'normal', 'high'),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(sayings, async (each) => {
        const clock = testClock();
        const pace = new NotificationPace();
        const centre = new NotificationCenter(clock, () => undefined);
        for (const { pause, text, priority } of each) {
          await clock.advance(pause);
          const isUrgent = priority === 'high';
          await clock.advance(pace.wait(clock.elapsed(), isUrgent));
          const { title, body } = notificationOf(
            { kind: 'message', text },
            { ...told, request: text },
          );
          const distinct = pace.take(title, clock.elapsed(), isUrgent);
          centre.take({ title: distinct, body, priority }, 'simone', 'm1');
        }
        await clock.advance(3_600_000);
        expect(centre.dropped).toEqual([]);
        expect(centre.shown).toHaveLength(each.length);
      }),
      { numRuns: Math.ceil(cases.numRuns / 10) },
    );
  });
});
