/** The place of a quick edit: the selection, the block of the cursor, or an empty line. */
import { ANY_DEVICE } from '#model/edit/note-edits';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { findTarget, quickEditPlace, type QuickEditPlace } from '#model/quick-edit-range';
import { cases } from '../cases';
import { proposalBlock } from '../e2e/blocks';

/** `|` marks the cursor, or both ends of a selection. */
function placeIn(marked: string, isWhole = false) {
  const [head = '', inside = '', tail] = marked.split('|');
  const text = [head, inside, tail ?? ''].join('');
  const to = tail === undefined ? head.length : head.length + inside.length;
  const place = quickEditPlace('A.md', text, { from: head.length, to }, ANY_DEVICE, isWhole);
  return typeof place === 'string' ? place : { ...place, held: heldBy(text, place) };
}

const heldBy = (text: string, { lines }: QuickEditPlace) => text.slice(lines.from, lines.to);

const target = (from: number, to: number, text: string) => ({ target: { from, to, text } });

describe('the place of a quick edit', () => {
  it('a cursor in a paragraph stands for all lines of the paragraph', () => {
    const place = placeIn('# Plan\n\nOne.\nT|wo.\nThree.\n\nOther.\n');
    expect(place).toMatchObject({
      ...target(3, 5, 'One.\nTwo.\nThree.'),
      held: 'One.\nTwo.\nThree.',
    });
    expect(place).toMatchObject({ target: { beside: { above: '', below: '' } } });
  });

  it('a cursor in a heading or a list item stands for that line only', () => {
    expect(placeIn('# Pl|an\nText.\n')).toMatchObject(target(1, 1, '# Plan'));
    expect(placeIn('- one\n- t|wo\n- three\n')).toMatchObject(target(2, 2, '- two'));
    expect(placeIn('Text.\n- t|wo\n')).toMatchObject(target(2, 2, '- two'));
  });

  it('a cursor in a table or a code block stands for the whole block', () => {
    const table = '| a | b |\n| - | - |\n| 1 | 2 |';
    const at = table.indexOf('1');
    expect(quickEditPlace('A.md', `${table}\n`, { from: at, to: at }, ANY_DEVICE)).toMatchObject(
      target(1, 3, table),
    );
    const code = '```js\nlet a;\n\nlet b;\n```';
    expect(placeIn(`Text.\n\n${code.replace('let b', 'le|t b')}\n\nEnd.\n`)).toMatchObject(
      target(3, 7, code),
    );
  });

  it('a cursor on an empty line stands for that line', () => {
    expect(placeIn('One.\n|\nTwo.\n')).toMatchObject({
      target: { from: 2, to: 2, text: '', beside: { above: 'One.', below: 'Two.' } },
    });
    expect(placeIn('One.\n|')).toMatchObject({
      target: { from: 2, to: 2, text: '', beside: { above: 'One.', below: null } },
    });
    expect(placeIn('|')).toMatchObject(target(1, 1, ''));
  });

  it('a selection keeps its exact text, and names the lines that it touches', () => {
    expect(placeIn('The |quick| fox.\nEnd.\n')).toMatchObject({
      ...target(1, 1, 'quick'),
      held: 'The quick fox.',
    });
    expect(placeIn('One.\n|Two.\nThree.\n|Four.\n')).toMatchObject(target(2, 3, 'Two.\nThree.'));
  });

  it('whole lines are taken when a request is refined, without blank lines at their ends', () => {
    expect(placeIn('One.\n|Two.\n|\nFour.\n', true)).toMatchObject(target(2, 2, 'Two.'));
    expect(placeIn('One.\nT|wo.\n', true)).toMatchObject(target(2, 2, 'Two.'));
  });

  it('lines count in the note with its pending edits accepted', () => {
    const block = proposalBlock('proposed', { before: 'Old.\n', after: 'New.\nLonger.\n' });
    const at = `# Plan\n\n${block}\nBe|low.\n`;
    expect(placeIn(at)).toMatchObject({ ...target(6, 6, 'Below.'), held: 'Below.' });
  });

  it('a place in the block of a pending edit stands for the proposed lines', () => {
    const block = proposalBlock('proposed', { before: 'Old.\n', after: 'New.\nLonger.\n' });
    const inBlock = `# Plan\n\n${block.replace('ai-edit', 'ai|-edit')}Below.\n`;
    expect(placeIn(inBlock)).toMatchObject(target(3, 4, 'New.\nLonger.'));
    const deleted = proposalBlock('proposed', { before: 'Old.\n' });
    expect(placeIn(`Text.\n\n${deleted.replace('ai-edit', 'ai|-edit')}End.\n`)).toBe('deleted');
  });

  it('properties cannot be the place of a quick edit', () => {
    expect(placeIn('---\nta|gs: [a]\n---\nText.\n')).toBe('front-matter');
    expect(placeIn('---\ntags: [a]\n---\nTe|xt.\n')).toMatchObject(target(4, 4, 'Text.'));
  });
});

interface KnownLine {
  /** Stays the same wherever the line goes. */
  readonly id: number;
  readonly text: string;
}

type LineEdit = readonly [kind: 'add' | 'remove' | 'change', at: number, text: string];

/** A user edits lines, of which many are alike. */
function edited(lines: readonly KnownLine[], edits: readonly LineEdit[]): KnownLine[] {
  let now = [...lines];
  edits.forEach(([kind, where, text], made) => {
    const at = where % (now.length + 1);
    const line = { id: 1_000 + made, text };
    if (kind === 'add') now.splice(at, 0, line);
    else if (kind === 'remove') now.splice(at, 1);
    else now = now.map((each, index) => (index === at ? { ...each, text } : each));
  });
  // A note without text has one empty line.
  return now.length > 0 ? now : [{ id: 2_000, text: '' }];
}

describe('a place after the user edited the note', () => {
  const word = fc.constantFrom('a', 'b', '');
  const lineEdit = fc.tuple(
    fc.constantFrom('add', 'remove', 'change'),
    fc.nat(20),
    fc.constantFrom('a', 'b', '', 'c', 'd'),
  ) as fc.Arbitrary<LineEdit>;
  const textOf = (lines: readonly KnownLine[]) => lines.map(({ text }) => text).join('\n');

  it('a place is found at its text, and while its line is there, at that line or between equal ones', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.nat(7),
        fc.array(lineEdit, { maxLength: 3 }),
        (words, where, edits) => {
          const lines = words.map((text, id) => ({ id, text }));
          const text = textOf(lines);
          const at = textOf(lines.slice(0, where % lines.length)).length;
          const from = where % lines.length === 0 ? 0 : at + 1;
          const place = quickEditPlace('A.md', text, { from, to: from }, ANY_DEVICE, true);
          if (typeof place === 'string') return;
          const { target } = place;
          const meant = lines[target.from - 1]!;
          const now = edited(lines, edits);
          const found = findTarget(textOf(now), target);
          if (found) {
            expect(now[found.from - 1]?.text).toBe(target.text);
            const isThere = now.some(({ id, text: own }) => id === meant.id && own === meant.text);
            const isElsewhere = isThere && now[found.from - 1]?.id !== meant.id;
            const beside = [now[found.from - 2]?.text ?? null, now[found.from]?.text ?? null];
            if (isElsewhere) expect(beside).toEqual([target.beside.above, target.beside.below]);
          }
          if (edits.length === 0) expect(now[found!.from - 1]).toBe(meant);
        },
      ),
      cases,
    );
  });

  it('one of several equal places that is gone is not taken for another', () => {
    const lines = ['a', 'b', 'a', 'b', 'a'];
    const place = quickEditPlace(
      'A.md',
      lines.join('\n'),
      { from: 6, to: 6 },
      ANY_DEVICE,
      true,
    ) as QuickEditPlace;
    expect(place.target).toMatchObject({ from: 4, among: { nth: 2, of: 2, texts: 2 } });
    expect(findTarget(['x', ...lines].join('\n'), place.target)).toEqual({ from: 5, to: 5 });
    expect(findTarget(lines.slice(0, 3).join('\n'), place.target)).toBeNull();
  });
});
