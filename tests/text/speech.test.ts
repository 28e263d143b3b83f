import { describe, expect, test } from 'vitest';
import { firstSentences, saidName, saidText, withLastSentence } from '#text/speech';

const REST = 'The rest is in Obsidian.';

describe('saidText', () => {
  test.each([
    ['**Milk** is on _the_ list', 'Milk is on the list.'],
    ['To buy:\n- Milk\n- [ ] Eggs\n- [x] Bread', 'To buy: Milk, Eggs, Bread.'],
    ['- Milk is on it.\n- Eggs are, too.', 'Milk is on it. Eggs are, too.'],
    ['1. First\n2. Second', 'First, Second.'],
    ['# Plan\n\nThree steps', 'Plan. Three steps.'],
    ['See [[Lists/Shopping]] and [[Notes/Tea|the tea]]', 'See Shopping and the tea.'],
    ['Added milk to `Lists/Shopping.md` (+1 −0).', 'Added milk to Shopping.'],
    ['From https://www.example.org/a?b=c', 'From example.org.'],
    ['🎉 Party — all ✅ done 👩‍🍳', 'Party, all done.'],
    ['2 * 3 = 6', '2 times 3 is 6.'],
    ['Desk -> hall → door', 'Desk, hall, door.'],
    ['Either and/or 1/2 cup at 3.50', 'Either and/or 1/2 cup at 3.50.'],
    [
      'On 11/28/2026 at 50 km/h. I wrote it into Meetings.md.',
      'On 11/28/2026 at 50 km/h. I wrote it into Meetings.',
    ],
    ['Put milk and/or oats into Cake.md', 'Put milk and/or oats into Cake.'],
    ['See Trips/2026/Two days in Rome.md and a/b.pdf', 'See Two days in Rome and b.pdf.'],
    ['| a | b |\n|---|---|\n| 1 | **2** |', 'a, b. 1, 2.'],
    ['Replace <title> with <New title>', 'Replace title with New title.'],
    ['これはペンです。', 'これはペンです。'],
    ['👍', ''],
  ])('saidText turns %j into %j', (markdown, said) => {
    expect(saidText(markdown)).toBe(said);
    expect(saidText(said)).toBe(said);
  });

  test.each(
    ['*', '_', '[', '[[', '](', '<', '<!--', '`', '|-', '> ', '%%', 'a/', 'a.', '(+1 ', ' - '].map(
      (piece) => [piece],
    ),
  )('saidText is fast on input that makes patterns backtrack: %s', (piece) => {
    // A backtracking pattern would take minutes here.
    expect(saidText(piece.repeat(200_000)).length).toBeLessThanOrEqual(5_000);
  });
});

test.each([
  ['Lists/Shopping.md', 'Shopping'],
  ['Trips/🎉 Party.md', 'Party'],
  ['A_b.md', 'A b'],
  ['🎉.md', '🎉'],
  ['Projects/Garden', 'Garden'],
])('saidName calls %s %s', (path, name) => {
  expect(saidName(path)).toBe(name);
});

describe('Whole sentences', () => {
  test('firstSentences keeps the first ones that fit and says that there are more', () => {
    const text = 'I found Dr. Who. There are two more of them, which are long. The last.';
    expect(firstSentences(text, 50, REST)).toBe(`I found Dr. Who. ${REST}`);
    expect(firstSentences(text, 100, REST)).toBe(text);
  });

  test('firstSentences cuts a sentence that is too long after a clause', () => {
    const text = 'I found a travel diary from 2019, a packing list and a draft of an email to Ann.';
    expect(firstSentences(text, 60, REST)).toBe(`I found a travel diary from 2019. ${REST}`);
  });

  test('withLastSentence keeps the question', () => {
    const text =
      'I found three notes. They are a diary, a list and a draft. Which one do you mean?';
    expect(withLastSentence(text, 50)).toBe('I found three notes. Which one do you mean?');
    expect(withLastSentence(`Is it this one, or that, ${'or another '.repeat(60)}?`, 50)).toBe(
      'Is it this one, or that?',
    );
  });
});
