/** Generated tasks, and a reader of them that is not the product's. */
import fc from 'fast-check';

/** The day on which tasks are done. */
export const TODAY = '2026-11-28';
const DAY_MS = 86_400_000;
export const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** By rule: whether it names a day, given one that it counts from. */
const RULES: Readonly<Record<string, (day: Date, from: Date) => boolean>> = {
  'every day': () => true,
  'every 4 days': (day, from) => Math.round((day.getTime() - from.getTime()) / DAY_MS) % 4 === 0,
  'every week': (day, from) => day.getUTCDay() === from.getUTCDay(),
  'every 2 weeks': (day, from) => Math.round((day.getTime() - from.getTime()) / DAY_MS) % 14 === 0,
  'every week on Monday, Thursday': (day) => [1, 4].includes(day.getUTCDay()),
  'every weekday': (day) => day.getUTCDay() % 6 !== 0,
  'every month on the 31st': (day) => day.getUTCDate() === 31,
  'every month on the last': (day) => new Date(day.getTime() + DAY_MS).getUTCDate() === 1,
  'every month on the last Friday': (day) =>
    day.getUTCDay() === 5 &&
    new Date(day.getTime() + 7 * DAY_MS).getUTCMonth() !== day.getUTCMonth(),
  'every month on the 2nd Tuesday': (day) =>
    day.getUTCDay() === 2 && day.getUTCDate() > 7 && day.getUTCDate() <= 14,
  'every July on the 4th': (day) => day.getUTCMonth() === 6 && day.getUTCDate() === 4,
};

export function nextDay(rule: string, from: string): string {
  const [words = '', whenDone] = rule.split(/(?= when done)/);
  const start = at(whenDone ? TODAY : from);
  for (let day = start + DAY_MS; ; day += DAY_MS) {
    if (RULES[words]!(new Date(day), new Date(start))) return dayOf(day);
  }
}

export const day = fc
  .integer({ min: 0, max: 2_000 })
  .map((days) => dayOf(at('2024-01-01') + days * DAY_MS));
const rule = fc
  .tuple(fc.constantFrom(...Object.keys(RULES)), fc.constantFrom('', '', ' when done'))
  .map((parts) => parts.join(''));

export const DATE_SIGNS = { start: '🛫', scheduled: '⏳', due: '📅', created: '➕' } as const;
const id = fc.stringMatching(/^[a-z0-9-]{1,6}$/).filter((word) => /\w/.test(word));
const emoji = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...Object.values(DATE_SIGNS), '📆', '🗓️', '⌛'),
      fc.constantFrom('', ' '),
      day,
    )
    .map((all) => all.join('')),
  rule.map((words) => `🔁 ${words}`),
  fc.constantFrom('🔺', '⏫', '🔼', '🔽', '⏬️', '🏁 keep'),
  id.map((word) => `🆔 ${word}`),
  fc.tuple(id, id).map(([one, other]) => `⛔ ${one},${other}`),
);
const inline = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom(...Object.keys(DATE_SIGNS)), day),
      fc.tuple(fc.constant('repeat'), rule),
      fc.tuple(fc.constant('priority'), fc.constantFrom('low', 'highest')),
      fc.tuple(fc.constantFrom('id', 'dependsOn', 'effort'), id),
    ),
    fc.constantFrom('[]', '()'),
    fc.constantFrom('', ' '),
  )
  .map(
    ([[key, value], [open = '', close = ''], gap]) =>
      `${open}${gap}${key}:: ${value}${gap}${close}`,
  );
const word = fc.constantFrom(
  ...[
    'call',
    'Ämter',
    '[[A (b)|c]]',
    '**now**',
    '$5',
    '`📅 2020-01-01`',
    '牛乳',
    '👩‍👩‍👧',
    '#home',
    'a::b',
    '[x](y.md)',
    '(see',
    '2026-01-01',
    '^2',
    '✓',
  ],
);
const gap = fc.constantFrom(' ', '  ', '\t');

export interface TaskParts {
  readonly begin: string;
  readonly box: string;
  /** Words, fields and tags, each with the blanks before it. */
  readonly items: readonly string[];
  readonly end: string;
}

/** Each kind of field occurs once. */
export const kindOf = (item: string) =>
  /(?:📅|📆|🗓|\bdue::)/u.test(item)
    ? 'due'
    : /(?:⏳|⌛|\bscheduled::)/u.test(item)
      ? 'scheduled'
      : (/(?:🛫|\bstart::)/u.test(item) && 'start') ||
        (/(?:➕|\bcreated::)/u.test(item) && 'created') ||
        (/(?:🔁|\brepeat::)/u.test(item) && 'recurrence') ||
        (/(?:🔺|⏫|🔼|🔽|⏬|\bpriority::)/u.test(item) && 'priority') ||
        (/(?:⛔|\bdependsOn::)/u.test(item) && 'dependsOn') ||
        (/(?:🆔|\bid::)/u.test(item) && 'id') ||
        'other';

export const parts: fc.Arbitrary<TaskParts> = fc
  .record({
    begin: fc.constantFrom('- ', '  * ', '\t+ ', '12) ', '> - ', '> [!todo] T\n> 1. ', '- > -   '),
    box: fc.constantFrom(' ', '/', '?', '🔥', '-', 'x'),
    words: fc.array(word, { minLength: 1, maxLength: 4 }),
    fields: fc.oneof(fc.array(emoji, { maxLength: 6 }), fc.array(inline, { maxLength: 6 })),
    tag: fc.constantFrom('', '', '#end'),
    gaps: fc.array(gap, { minLength: 12, maxLength: 12 }),
    end: fc.constantFrom('', '', ' ^block-1', '  ', '  ^b  '),
  })
  .map(({ begin, box, words, fields, tag, gaps, end }) => {
    const seen = new Set<string>();
    const own = fields.filter((each) => {
      const kind = kindOf(each);
      return kind === 'other' || (!seen.has(kind) && seen.add(kind));
    });
    const all = [...words, ...own, ...(tag === '' ? [] : [tag])];
    const items = all.map((item, index) => (index === 0 ? item : (gaps[index % 12] ?? ' ') + item));
    return { begin: begin.split('\n').at(-1)!, box, items, end };
  });

export const written = ({ begin, box, items, end }: TaskParts) =>
  `${begin}[${box}] ${items.join('')}${end}`;
