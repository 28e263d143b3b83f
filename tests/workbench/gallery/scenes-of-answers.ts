/** Scenes of answers that use every kind of Markdown. */
import type { ChangeNote } from '#model/message';
import type { Scene, Scenes } from './scene';
import { Script } from './script';
import type { PassageCheck } from '#model/passage-check';
import type { NotePassage, Passage } from '#model/passage';
import { withoutSourceMarks } from '#text/source-marks';

const NOTES = `You have three notes about this[^1], tagged #project/lisbon and #travel.

> [!warning] The dates do not agree
> [[Projects/Lisbon trip]] says **12 April**, and the journal[^2] says the 13th.
>
> - [x] asked the hotel
> - [ ] moved the flight

> [!tip]- What you could do
> Ask before the 1st.

> [!question] Shall I change it?

![[Projects/Lisbon trip#Hotel]]

| Night | Price | Paid |
| :-- | --: | :-: |
| 12 April | 62 € | ✓ |
| 13 April | 64 € |  |

- Flights
  - [x] out
  - [ ] back
- Hotel, ==not paid== ~~yet~~

[^1]: They are in the folder *Projects*.
[^2]: [[Journal/2026-03-02]], second paragraph.`;

const SCIENCE = `The mean is $\\bar x = \\frac{1}{n}\\sum_{i=1}^{n} x_i$, and its error shrinks with $\\sqrt{n}$:

$$
\\sigma_x = \\frac{\\sigma}{\\sqrt{n}}
$$

In code:

\`\`\`python
def mean(values):
    # An empty list has none.
    if not values:
        return None
    return sum(values) / len(values)
\`\`\`

\`\`\`mermaid
graph TD
  A[Read the notes] --> B{Do they agree?}
  B -->|yes| C[Answer]
  B -->|no| D[Ask]
\`\`\`

It costs $5 and not $6.`;

const RIGHT = `## خطة السفر

وجدت ثلاث ملاحظات عن الرحلة، انظر [[رحلة]] و #سفر.

- الطيران يوم الأحد

- الفندق: Hotel Graça

| المكان | الوصول | الليالي |
| --- | --- | ---: |
| لشبونة | 12 أبريل | 5 |
| بورتو | 17 أبريل | 3 |

> [!note] انتباه
> التاريخ غير مؤكد.

> نلتقي في المحطة.

And this paragraph is English, with $a + b$.

1. ראשון
2. שני`;

const WIDE = `A path: \`Projects/2026/Everything that has to do with the house/Lease-and-deposit-and-what-the-plumber-said.md\`

The word Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikbesitzerversammlung, and https://example.com/a/very/long/address/that/has/no/space/at/all?q=1234567890&page=12

| Month | Rent | Deposit | Water | Heating | Electricity | Internet | Together |
| --- | --: | --: | --: | --: | --: | --: | --: |
| January | 1,240.00 € | 3,720.00 € | 41.20 € | 188.10 € | 66.00 € | 39.99 € | 5,295.29 € |
| February | 1,240.00 € | 0.00 € | 39.80 € | 201.40 € | 61.50 € | 39.99 € | 1,582.69 € |

\`\`\`sh
rsync --archive --delete --exclude=.trash --exclude=.git ~/Notes/ backup.example.internal:/srv/notes/
\`\`\`

$$
f(x) = a_0 + a_1 x + a_2 x^2 + a_3 x^3 + a_4 x^4 + a_5 x^5 + a_6 x^6 + a_7 x^7 + a_8 x^8 + a_9 x^9
$$

1. one
   1. two
      1. three
         1. four, which is far in

> quoted
>
> > twice
> >
> > > and three times, with [[Projects/2026/Everything that has to do with the house/Lease]]`;

const EAST = `四月十二日にリスボンへ行きます。**ホテル**は五泊です。

- 航空券は予約済み
- [[旅行/荷物リスト]]に変換アダプターがありません

我们三月份的旅行计划已经写好了。봄에 리스본으로 갑니다.`;

const HEBREW = `ב־**12 באפריל** טסים לליסבון, ראו [[מסעות/ליסבון]].

| לילה | מחיר |
| --- | --- |
| 12 באפריל | 62 € |

1. להזמין מלון
2. לקנות מתאם (type F)`;

function passage(key: string, path: string, heading: string | null, text: string): NotePassage {
  const [first = 1, last = first] = (key.split(':')[1] ?? '').split('-').map(Number);
  return {
    ...{ kind: 'note', key, path, heading, text, first, last, above: null, below: null },
    ...{ created: 1, date: Date.UTC(2026, 4, 1, 10, 12) },
  };
}

const SOURCES: readonly Passage[] = [
  passage(
    'Tomatoes:5-6',
    'Garden/Tomatoes.md',
    'Sowing',
    '- Sow them **indoors** in the middle of March, at 20 degrees or more.\n- Plant them out after the last frost, about the middle of May.',
  ),
  passage(
    'Tomatoes:10-10',
    'Garden/Tomatoes.md',
    'Care',
    'Water them in the morning, and never on the leaves. One glass a day is enough in June, and three on hot days in July and August.',
  ),
  passage('Beds:1-1', 'Garden/Beds.md', null, '- Bed 2 gets sun until four.'),
  {
    ...{ kind: 'page', key: 'Frost dates for Lisbon:4-4', title: 'Frost dates for Lisbon' },
    ...{ url: 'https://example.com/frost', first: 4, last: 4, date: Date.UTC(2026, 10, 21, 9, 30) },
    text: 'Between 1990 and 2020 there was no frost after the first of March.',
  },
];

const CHECKS: readonly (readonly [key: string, check: PassageCheck])[] = [
  [
    'Tomatoes:5-6',
    {
      ...{ kind: 'changed', path: 'Garden/Tomatoes.md', first: 5, last: 6 },
      now: '- Sow them **indoors** at the end of February, at 20 degrees or more.\n- Plant them out after the last frost, about the middle of May.',
    },
  ],
  ['Tomatoes:10-10', { kind: 'moved', path: 'Garden/Tomatoes.md', first: 24, last: 24 }],
  ['Beds:1-1', { kind: 'gone', path: null }],
];

const CITED = `Sow the tomatoes **indoors in the middle of March** [@Tomatoes:5-6] and plant them out in the middle of May [@Tomatoes:5-6], into bed 2, which gets the most sun [@Beds:1].

- Water them in the morning [@Tomatoes:10-10]
- One glass a day in June, three on hot days [@Tomatoes:10-10] [@Beds:1]
- There is no frost in Lisbon after March [@Frost dates for Lisbon:4] [@Peas:3].`;

function cited(): Scene {
  const script = new Script('cited').ask('When do I sow the tomatoes, and where?').step();
  return {
    scripts: [
      script
        .cite(...SOURCES)
        .say(CITED)
        .done(withoutSourceMarks(CITED)),
    ],
  };
}

function answer(name: string, question: string, text: string): Scene {
  return { scripts: [new Script(name).ask(question).step().say(text).done(text)] };
}

export const ANSWER_SCENES: Scenes = {
  'answer-notes': () => answer('notes', 'What do my notes say about Lisbon?', NOTES),
  'answer-sources': cited,
  'answer-sources-open': () => ({ ...cited(), acts: [{ unfold: true }] }),
  'answer-checked': () => ({ ...cited(), acts: [{ click: 'Check this answer' }] }),
  'answer-checked-amiss': () => ({
    ...cited(),
    acts: [
      { later: ({ checks }) => CHECKS.forEach(([key, check]) => checks.set(key, check)) },
      { click: 'Check this answer' },
    ],
  }),
  'answer-source-card': () => ({ ...cited(), acts: [{ focus: 'Source 1: Tomatoes, Sowing' }] }),
  'answer-science': () => answer('science', 'How sure is the mean?', SCIENCE),
  'answer-right-to-left': () => answer('right', 'ما هي خطة السفر؟', RIGHT),
  'answer-hebrew': () => answer('hebrew', 'מתי טסים לליסבון, ומה עוד חסר?', HEBREW),
  'answer-east-asian': () => answer('east', '旅行の予定を教えてください', EAST),
  'answer-wide': () => answer('wide', 'What do we pay, and where is it written?', WIDE),
  'answer-change': () => {
    const before = NOTES.replace('warning', 'note').replace('asked the hotel', 'asked');
    const after = `${NOTES}\n\n${SCIENCE}`;
    const block = { id: 'edit' as never, type: 'replace', before, after } as const;
    const scripts = [new Script('change').ask('Change it').step().done('Done.')];
    return { scripts, widgets: [{ note: 'A.md', block }] };
  },
};

const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikbesitzerversammlung';
const FOLDER = 'Projects/2026/Everything that has to do with the house';
const PATH = `${FOLDER}/${WORD} and what was said there about the new house rules.md`;

function longNames(): Script {
  const change = (kind: ChangeNote['kind'], path: string, to?: string): ChangeNote => ({
    ...{ change: `change-${kind}-${path}` as never, kind, path, added: 1234, removed: 987 },
    ...(to === undefined ? {} : { to, links: 12 }),
  });
  const script = new Script('longnames')
    .beside(PATH)
    .ask(`${WORD}${WORD}: was it on https://example.com/a/very/long/address/without/a/space/?q=1`)
    .step()
    .plan(
      { text: `Read what ${WORD} says, and all that leads to it`, state: 'done' },
      { text: `Look at ${PATH}`, state: 'doing' },
    )
    .call('read_file', { path: PATH }, '1\t#', { details: { kind: 'read', paths: [PATH] } })
    .call('move', { source: PATH, destination: `Archive/${WORD}/` }, 'Moved.', {
      details: {
        kind: 'changes',
        changes: [change('write', PATH), change('move', PATH, `Archive/${WORD}/Rules.md`)],
      },
    });
  const text = `It was, see [[${FOLDER}/${WORD}]].`;
  return script.stepEnd().step().say(text).done(text);
}

function longCard(): Script {
  const script = new Script('longcard').ask('Delete it').step();
  script.hold(
    'delete',
    { path: PATH },
    {
      kind: 'approval',
      tool: 'delete',
      title: `Delete ${PATH}?`,
      lines: [`12 notes link to it: ${PATH}, ${FOLDER}/Lease.md, and 10 more.`],
      choices: ['delete', 'keep'],
    },
  );
  return script;
}

function longCall(): Script {
  const script = new Script('longcall').ask('Read it').step();
  return script.start(script.prepare('read_file', { path: PATH }));
}

/** Scenes of names, paths and words that overflow. */
export const LENGTH_SCENES: Scenes = {
  'long-names': () => ({ scripts: [longNames()], acts: [{ scroll: 'Messages', to: 0 }] }),
  'long-names-end': () => ({ scripts: [longNames()] }),
  'long-card': () => ({ scripts: [longCard()] }),
  'long-call': () => ({ scripts: [longCall()] }),
};
