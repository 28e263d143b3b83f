/** Scenes of answers that use all that a note can have. */
import type { Scene } from './scene';
import { Script } from './script';

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

> [!note] انتباه
> التاريخ غير مؤكد.

> نلتقي في المحطة.

And this paragraph is English, with $a + b$.

1. ראשון
2. שני`;

function answer(name: string, question: string, text: string): Scene {
  return { scripts: [new Script(name).ask(question).step().say(text).done(text)] };
}

export const ANSWER_SCENES: Readonly<Record<string, () => Scene>> = {
  'answer-notes': () => answer('notes', 'What do my notes say about Lisbon?', NOTES),
  'answer-science': () => answer('science', 'How sure is the mean?', SCIENCE),
  'answer-rtl': () => answer('right', 'ما هي خطة السفر؟', RIGHT),
  'answer-change': () => {
    const before = NOTES.replace('warning', 'note').replace('asked the hotel', 'asked');
    const after = `${NOTES}\n\n${SCIENCE}`;
    const block = { id: 'edit' as never, type: 'replace', before, after } as const;
    const scripts = [new Script('change').ask('Change it').step().done('Done.')];
    return { scripts, widgets: [{ note: 'A.md', block }] };
  },
};
