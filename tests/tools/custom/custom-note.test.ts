import { describe, expect, it, test } from 'vitest';
import { customNote, fillPlaceholders } from '#tools/custom/custom-tools';

const GOOD = { tool: 'packing_list', description: 'What to pack.' };

function problemIn(properties: Record<string, unknown>): string {
  const found = customNote(properties);
  if (found === null || !('reason' in found)) throw new Error('There is no problem.');
  return found.reason;
}

describe('The front matter of a custom tool', () => {
  it('the front matter needs a name and a description', () => {
    expect(customNote(GOOD)).toEqual({
      name: 'packing_list',
      description: 'What to pack.',
      parameters: [],
    });
  });

  it('a parameter is given by its description, or by an object with an optional default', () => {
    const parameters = {
      nights: { description: 'How many nights' },
      season: { description: 'The time\nof the year', default: 'summer' },
      to: 'Where to',
      abroad: { description: 'Another country', default: false },
      extra: { description: 'Anything else', default: null },
    };
    expect(customNote({ ...GOOD, parameters })).toMatchObject({
      parameters: [
        { name: 'nights', defaultValue: null },
        { name: 'season', description: 'The time of the year', defaultValue: 'summer' },
        { name: 'to', description: 'Where to', defaultValue: null },
        { name: 'abroad', defaultValue: 'false' },
        { name: 'extra', defaultValue: '' },
      ],
    });
  });

  it.each([{}, { tags: ['x'] }, { title: 'Read me' }])(
    'front matter without tool properties is not a tool: %j',
    (properties) => {
      expect(customNote(properties)).toBeNull();
    },
  );

  it.each([
    [{ description: 'x' }, '“tool” has to be a name'],
    [{ ...GOOD, tool: 7 }, '“tool” has to be a name'],
    [{ ...GOOD, tool: 'two words' }, '“tool” has to be a name'],
    [{ ...GOOD, tool: '__proto__' }, '“tool” has to be a name'],
    [{ ...GOOD, tool: 'x'.repeat(65) }, '“tool” has to be a name'],
    [{ tool: 'list' }, '“description” has to say'],
    [{ tool: 'list', description: ' \n' }, '“description” has to say'],
    [{ tool: 'list', description: ['x'] }, '“description” has to say'],
    [{ ...GOOD, description: 'x'.repeat(1_000_000) }, 'in at most 1,000 characters'],
    [{ ...GOOD, parameters: 'city' }, '“parameters” has to be a map'],
    [{ ...GOOD, parameters: ['city'] }, '“parameters” has to be a map'],
    [{ ...GOOD, parameters: { 'two words': 'x' } }, 'Look at “two words”.'],
    [{ ...GOOD, parameters: { größe: 'x' } }, 'Look at “größe”.'],
    [{ ...GOOD, parameters: { city: 3 } }, 'Look at “city”.'],
    [{ ...GOOD, parameters: { city: { type: 'text' } } }, 'Look at “city”.'],
    [{ ...GOOD, parameters: { city: 'x'.repeat(301) } }, 'Look at “city”.'],
    [{ ...GOOD, parameters: { city: { description: 'x', default: ['a'] } } }, 'Look at “city”.'],
    [{ ...GOOD, parameters: { city: { description: 'x', type: 'number' } } }, 'Look at “city”.'],
    [
      {
        ...GOOD,
        parameters: Object.fromEntries([...Array(21).keys()].map((at) => [`a${at}`, 'x'])),
      },
      'a map of at most 20 names',
    ],
  ])('invalid front matter is reported (case %#)', (properties, problem) => {
    expect(problemIn(properties)).toContain(problem);
  });

  it('a parameter named __proto__ is ignored', () => {
    const parameters: unknown = JSON.parse('{"__proto__": "What every object has"}');
    expect(customNote({ ...GOOD, parameters })).toMatchObject({ parameters: [] });
  });
});

describe('Placeholders in the text', () => {
  const values = new Map([
    ['city', 'Lübeck {{days}} $& $1'],
    ['days', '3'],
  ]);
  const fill = (text: string, most = 1_000) => fillPlaceholders(text, values, most);

  test('placeholders are replaced, and the inserted text is not searched for placeholders', () => {
    expect(fill('To {{city}} for {{ days }} days.').text).toBe(
      'To Lübeck {{days}} $& $1 for 3 days.',
    );
  });

  test('placeholders without a matching parameter stay as they are', () => {
    const text = '{{date}} {{constructor}} {{__proto__}} {{city name}} {{}} { {days} }';
    expect(fill(text)).toEqual({ text, whole: true });
  });

  test('replacing placeholders exceeds the length limit by at most one value', () => {
    const long = new Map([['x', 'y'.repeat(1_000)]]);
    const made = fillPlaceholders('{{x}}'.repeat(200_000), long, 5_000);
    expect(made.whole).toBe(false);
    expect(made.text.length).toBeLessThan(7_000);
  });
});
