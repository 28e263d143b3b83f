import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure } from '#messages/failures';
import type { TurnEnd } from '#model/event';
import type { Reply } from '#model/reply';
import { testClock } from '../builders/fake-clock';
import { cases } from '../cases';
import { NotificationCenter } from '#workbench/smarthole/notification-centre';
import { NotificationPace } from '#voice/notification-sender';
import { notificationOf, plainNotification } from '#voice/notifications';
import { shorten } from '#text/shorten';

const told = { request: 'Add milk to my shopping list', wireName: 'simone' };

describe('Markdown in a notification', () => {
  it.each([
    ['**Milk** is on _the_ list, ~~eggs~~ ==too==.', 'Milk is on the list, eggs too.'],
    ['***Both*** and __bold__', 'Both and bold'],
    ['## Shopping\n\nMilk', 'Shopping\nMilk'],
    ['- Milk\n- [ ] Eggs\n- [x] Bread\n  * Rye', '• Milk\n• Eggs\n✓ Bread\n• Rye'],
    ['1. First\n2. Second', '1. First\n2. Second'],
    ['See [the list](Lists/Shopping.md "title") now', 'See the list now'],
    ['See [a (b)](x(y)z)!', 'See a (b)!'],
    ['See [[Lists/Shopping]] and [[Notes/Tea|the tea]]', 'See Lists/Shopping and the tea'],
    ['![[photo.png]] ![Alt](a.png)', 'photo.png Alt'],
    ['[text][ref] and a note[^1]', 'text and a note'],
    ['> quoted\n> > twice', 'quoted\ntwice'],
    ['> [!tip] Careful\n> Hot', 'Careful\nHot'],
    ['```js\nlet a = 1;\n```', 'let a = 1;'],
    ['Run `a*b*c` and `[[x]]`', 'Run a*b*c and [[x]]'],
    ['| a | b |\n|---|---|\n| 1 | **2** |', 'a, b\n1, 2'],
    ['| a | b |\n| --- | :-: |\n| 1 | 2', 'a, b\n1, 2'],
    ['One\n\n---\n\n* * *\nTwo', 'One\nTwo'],
    ['a\\*b\\* \\<c\\>', 'a*b* ‹c›'],
    ['2 * 3 * 4 = 24, 5*6*7 and snake_case_name', '2 * 3 * 4 = 24, 5*6*7 and snake_case_name'],
    ['One<br>two <b>three</b> <!-- not\nthis -->', 'One\ntwo three'],
    ['%%hidden%%Seen', 'Seen'],
    ['<https://example.org/a> <me@example.org>', 'https://example.org/a me@example.org'],
    ['Fish &amp; chips &lt;now&gt;', 'Fish & chips ‹now›'],
    ['Replace <title> with <New title>', 'Replace ‹title› with ‹New title›'],
    ['if a < b and c > d -> e', 'if a ‹ b and c › d -> e'],
    ['a <<x>> c <', 'a ‹‹x›> c ‹'],
    ['Left \u202eright\u202c\u0007', 'Left right'],
    ['', ''],
  ])('plainNotification turns %o into %o', (markdown, plain) => {
    expect(plainNotification(markdown)).toBe(plain);
  });

  it('plainNotification leaves no `<`, which SmartHole would strip', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '&lt;',
      '\\<',
      '`',
      'b',
      ' ',
      '/',
      '\n',
      '|',
      '-',
      '[',
      ']',
      '(',
      ')',
      '*',
      '_',
      '!',
      '\ue03c',
      '%%',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }), (each) => {
        const text = plainNotification(each.join(''));
        expect(text).not.toContain('<');
        expect(text).toBe(text.trim());
      }),
      cases,
    );
  });

  it.each([
    '*',
    '_',
    '[',
    '[[',
    '](',
    '<',
    '<!--',
    '`',
    '|-',
    '> ',
    '%%',
    '**a',
    '[a](',
    '- ',
    '\\',
    '~~',
    '==',
  ])('plainNotification is fast on input that makes patterns backtrack: %s', (piece) => {
    // A backtracking pattern would take minutes here.
    expect(plainNotification(piece.repeat(200_000)).length).toBeLessThanOrEqual(4_000);
  });
});

describe('Shortening', () => {
  it('shorten cuts between words and adds an ellipsis', () => {
    expect(shorten('Milk, eggs and bread', 12)).toBe('Milk, eggs…');
    expect(shorten('Milk, eggs', 10)).toBe('Milk, eggs');
  });

  it('shorten never splits a character or exceeds the limit', () => {
    const units = fc.constantFrom('👩‍🍳', 'é', 'a', ' ', '世', '🇩🇪', '.', '\n');
    fc.assert(
      fc.property(
        fc.array(units, { maxLength: 40 }),
        fc.integer({ min: 2, max: 60 }),
        (each, limit) => {
          const whole = each.join('');
          const short = shorten(whole, limit);
          expect(short.length).toBeLessThanOrEqual(limit);
          expect(short).not.toMatch(/\p{Surrogate}/u);
          const kept = short === whole ? whole : short.slice(0, -1);
          expect(whole.startsWith(kept)).toBe(true);
        },
      ),
      cases,
    );
  });
});

const end = (each: TurnEnd): Reply => ({ kind: 'end', end: each });

describe('A notification', () => {
  const reply = 'Milk is on it.';
  const ends: [string, TurnEnd][] = [
    ['Done', { kind: 'completed', outcome: 'done', reply }],
    ['Partly done', { kind: 'completed', outcome: 'partly', reply }],
    ['Not completed', { kind: 'completed', outcome: 'not_done', reply }],
    ['Stopped', { kind: 'stopped', reply }],
    ['Not finished', { kind: 'limited', reason: 'steps', reply }],
    ['No answer came', { kind: 'limited', reason: 'no-answer', reply }],
    ['Failed', { kind: 'failed', failure: failure('network'), reply }],
  ];

  it.each(ends)('the title starts with the outcome: %s', (state, each) => {
    expect(notificationOf(end(each), told)).toEqual({
      title: `${state}: Add milk to my shopping list`,
      body: 'Milk is on it.',
      priority: 'normal',
    });
  });

  it.each([
    ['Answer', 'answer'],
    ['Kept', 'kept'],
    ['Declined', 'denied'],
  ] as const)(
    'the title starts with "%s" when the outcome alone would be misleading',
    (state, title) => {
      const completed = { kind: 'completed', outcome: 'not_done', reply } as const;
      expect(notificationOf({ kind: 'end', end: completed, title }, told).title).toBe(
        `${state}: Add milk to my shopping list`,
      );
    },
  );

  it('the body says what failed when the turn has no reply', () => {
    const failed = end({ kind: 'failed', failure: failure('key'), reply: '' });
    expect(notificationOf(failed, told).body).toBe(
      'API key is missing or invalid. Check the API key in the settings.',
    );
  });

  it('the body ends with the notes in which a change only waits, also below a long answer', () => {
    const completed = { kind: 'completed', outcome: 'done', reply: 'word '.repeat(100) } as const;
    const { body } = notificationOf(
      { kind: 'end', end: completed, toReview: ['Lists/Shopping.md'] },
      told,
    );
    expect(body.split('\n').at(-1)).toBe('To review in Obsidian: Shopping');
    expect(body.length).toBeLessThanOrEqual(240);
  });

  it('the body is empty when the reply was already sent', () => {
    const completed = end({ kind: 'completed', outcome: 'done', reply: '' });
    expect(notificationOf(completed, told)).toMatchObject({ body: '' });
    expect(notificationOf(completed, { ...told, request: '<!-- -->' }).title).toBe('Done');
  });

  it('the body of a long reply refers to Obsidian for the rest', () => {
    const long = end({ kind: 'completed', outcome: 'done', reply: 'word '.repeat(5_000) });
    const { body } = notificationOf(long, told);
    expect(body).toMatch(/word… \(open Obsidian for the rest\)$/);
    expect(body.length).toBeLessThanOrEqual(240);
    // The plain text is short, but only because the Markdown was cut before it was converted.
    const links = `[a](${'x'.repeat(90)}) `.repeat(100);
    const hidden = end({ kind: 'completed', outcome: 'done', reply: links });
    expect(notificationOf(hidden, told).body).toMatch(/open Obsidian for the rest\)$/);
  });

  it('the title is one line of at most 100 characters', () => {
    const request = `# Write\n${'a very long request '.repeat(50)}`;
    const { title } = notificationOf({ kind: 'message', text: 'Hm' }, { ...told, request });
    expect(title).toMatch(/^Working on: Write a very long request[^\n]*…$/);
    expect(title.length).toBeLessThanOrEqual(100);
  });

  const waiting = { id: 'w', turn: 't', call: 'c', asked: 0, expires: 0 };

  it('a question lists its choices and how to answer by voice', () => {
    const question = {
      ...waiting,
      kind: 'question',
      text: 'Which **list**?',
      choices: ['Shopping', 'Todo'],
      allowFreeText: true,
    };
    expect(
      notificationOf({ kind: 'waiting', byVoice: true, interaction: question as never }, told),
    ).toEqual({
      title: 'Waiting for your answer: Add milk to my shopping list',
      body: 'Which list?\nShopping / Todo\nAnswer with “Simone, …”',
      priority: 'high',
    });
  });

  it('the phrases name a note as it is called, whatever signs its name has', () => {
    const card = {
      ...waiting,
      kind: 'approval',
      title: 'Delete it?',
      lines: [],
      choices: ['delete', 'keep'],
    };
    const { body } = notificationOf(
      { kind: 'waiting', byVoice: true, name: 'Cash $& $1', interaction: card as never },
      told,
    );
    expect(body).toMatch(/Say “Simone, delete Cash \$& \$1” or “Simone, keep Cash \$& \$1”$/);
  });

  it('an approval keeps the phrases that decide it, however long its details are', () => {
    const card = {
      ...waiting,
      kind: 'approval',
      tool: 'delete',
      title: 'Delete Lists/Shopping.md?',
      lines: ['3 notes link to it. '.repeat(50)],
      choices: ['delete', 'keep'],
    };
    const { title, body, priority } = notificationOf(
      { kind: 'waiting', byVoice: true, interaction: card as never },
      told,
    );
    expect(title).toBe('Waiting for your approval: Add milk to my shopping list');
    expect(body).toMatch(/^Delete Lists\/Shopping\.md\?\n3 notes/);
    expect(body).toMatch(/\nSay “Simone, delete it” or “Simone, keep it”$/);
    expect(body.length).toBeLessThanOrEqual(240);
    expect(priority).toBe('high');
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
