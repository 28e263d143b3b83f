import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDiff } from '#tools/editor/edit/diff-text';
import { lineTexts } from '#text/list-diff';
import { foldDrift } from '#tools/editor/edit/fuzzy-match';
import type { Edit } from '#tools/editor/edit/edit-plan';
import { after, at, CASES, plan, swap } from './notes';

const runs = { numRuns: CASES };

/**
 * Texts made of a few fragments, so that lines repeat, including everything that is easy to get
 * wrong.
 */
const text = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', ' ', '\n', '\n', '\r\n', '\r', '---\n', '# A\n', '## B', '```\n', '%%', '…'],
      ...['“', '’', '"', '–', '\u00a0', '\u200b', '\uFEFF', 'e\u0301', 'é', '👩‍🚀', 'ש', '\u2028'],
      ...['+1  a\n', '-1  a\n', '$&'],
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

const word = fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' });
const lineText = fc.oneof(word, fc.constant(''), fc.constant('# A'));

/**
 * A note as a list of lines with one line ending, with or without a final newline and a byte order
 * mark.
 */
const note = fc.record({
  lines: fc.array(lineText, { minLength: 1, maxLength: 15 }),
  ending: fc.constantFrom('\n', '\r\n'),
  open: fc.boolean(),
  mark: fc.constantFrom('', '\uFEFF'),
});

interface Note {
  lines: readonly string[];
  ending: string;
  open: boolean;
  mark: string;
}

function write({ ending, open, mark }: Note, lines: readonly string[]): string {
  const whole = lines.map((line) => line + ending).join('');
  return mark + (open ? whole.slice(0, whole.length - (whole === '' ? 0 : ending.length)) : whole);
}

/**
 * A note whose format can be read from its text: a last line without a newline has text, and CRLF
 * occurs at least once.
 */
const plainNote = note.filter(
  ({ lines, ending, open }) =>
    lines.join('') !== '' &&
    (!open || lines.at(-1) !== '') &&
    (ending === '\n' || lines.length > (open ? 1 : 0)),
);

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ old_text: text, new_text: text, replace_all: fc.boolean() }),
  fc
    .tuple(
      fc.constantFrom('start', 'end', 'after:# A', 'before:## B', 'insert:', 'replace:', 'delete:'),
      fc.nat(8),
      fc.option(text, { nil: undefined }),
    )
    .map(([place, line, content]) => at(place.endsWith(':') ? place + line : place, content)),
);

describe('renderDiff', () => {
  it('the rows of a diff are the lines before and after, and each number is the one after', () => {
    const law = fc.property(text, text, (before, after) => {
      const whole = { context: Infinity, maxLines: Infinity };
      const diff = renderDiff(before, after, whole).text;
      const [old, fresh] = [lineTexts(before), lineTexts(after)];
      if (diff === '') {
        expect(fresh).toEqual(old);
        return;
      }
      const rows = diff.split('\n');
      const numbered = rows.find((row) => !row.startsWith('-'));
      const width = (/^.( *\d+)/.exec(numbered ?? '')?.[1] ?? `${old.length}`).length;
      const kept = (kinds: string) => rows.filter((row) => kinds.includes(row[0] ?? '?'));
      const words = (row: string) => row.slice(width + 3);
      expect(kept(' -').map(words)).toEqual(old);
      expect(kept(' +').map(words)).toEqual(fresh);
      const numbers = kept(' +').map((row) => Number(row.slice(1, width + 1)));
      expect(numbers).toEqual(fresh.map((_, at) => at + 1));
    });
    fc.assert(law, runs);
  });
});

describe('planEdits', () => {
  it('edits are applied all or not at all, and never throw', () => {
    const law = fc.property(
      text,
      fc.option(text, { nil: null }),
      fc.array(anyEdit, { minLength: 1, maxLength: 4 }),
      (now, read, edits) => {
        const together = plan(now, edits, read);
        const alone = edits.map((edit) => plan(now, [edit], read));
        // Edits that work alone may overlap, but one that fails alone fails them all, unless it was
        // to replace all of nothing.
        if (alone.some((one) => !one.ok && !one.isNothing)) expect(together.ok).toBe(false);
        if (together.ok) expect(together.after).not.toBe(now);
        else expect(together.reason).toMatch(/was not changed\.\n./);
      },
    );
    fc.assert(law, runs);
  });

  it('the order of edits does not matter unless two insert at the same place', () => {
    const law = fc.property(
      plainNote,
      fc.uniqueArray(fc.nat(14), { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.tuple(fc.constantFrom('insert', 'replace', 'delete'), word)),
      fc.nat(),
      (made, places, stream, turn) => {
        const lines = places.filter((place) => place < made.lines.length);
        const kinds = [...stream.take(lines.length)];
        const edits = lines.map((line, index) => {
          const [kind = '', content = ''] = kinds[index] ?? [];
          return kind === 'delete'
            ? at(`delete:${line + 1}`)
            : at(`${kind}:${line + 1}`, `${content}!`);
        });
        const now = write(made, made.lines);
        const pivot = edits.length === 0 ? 0 : turn % edits.length;
        const turned = [...edits.slice(pivot), ...edits.slice(0, pivot)].reverse();
        const first = plan(now, edits);
        const second = plan(now, turned);
        expect(second.ok).toBe(first.ok);
        if (first.ok && second.ok) expect(second.after).toBe(first.after);
      },
    );
    fc.assert(law, runs);
  });

  it('an edit by line does the same as splicing the lines', () => {
    const law = fc.property(
      plainNote,
      fc.nat(),
      fc.nat(),
      fc.array(lineText, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('insert', 'replace', 'delete'),
      fc.boolean(),
      (made, a, b, fresh, kind, newline) => {
        const now = write(made, made.lines);
        const from = a % (made.lines.length + (kind === 'insert' ? 1 : 0));
        const to = kind === 'insert' ? from : from + (b % (made.lines.length - from)) + 1;
        const lines = [...made.lines];
        lines.splice(from, to - from, ...(kind === 'delete' ? [] : fresh));
        const range = kind === 'insert' ? `${from + 1}` : `${from + 1}-${to}`;
        // An empty last line needs its newline to be a line at all.
        const content = fresh.join('\n') + (newline || fresh.at(-1) === '' ? '\n' : '');
        const edit = at(`${kind}:${range}`, kind === 'delete' ? undefined : content);
        const expected = write(made, lines);
        const result = plan(now, [edit]);
        if (expected === now) expect(result.ok).toBe(false);
        else expect(result).toMatchObject({ ok: true, after: expected });
      },
    );
    fc.assert(law, runs);
  });

  it('an edit by text leaves all characters outside the match unchanged', () => {
    const law = fc.property(text, text, text, text, (before, wanted, rest, fresh) => {
      const now = before + wanted + rest;
      const result = plan(now, [swap(wanted, fresh)], null);
      if (!result.ok) return;
      // A successful edit means that there was one match, and that it is this one; a CR before an
      // LF belongs to it.
      const head = wanted.startsWith('\n') && before.endsWith('\r') ? before.slice(0, -1) : before;
      if (now.startsWith('\uFEFF') && !before) return;
      expect(result.after.startsWith(head)).toBe(true);
      expect(result.after.endsWith(rest)).toBe(true);
    });
    fc.assert(law, runs);
  });

  it('an edit by text that differs in quotes, dashes or spaces replaces exactly the matching text', () => {
    const law = fc.property(text, text, text, word, (before, passage, rest, fresh) => {
      const wanted = foldDrift(`⟦${passage}⟧`).text;
      // A stray CR before a CRLF reads as another CRLF once the first one has become an LF.
      fc.pre(foldDrift(wanted).text === wanted);
      const made = after(`${before}⟦${passage}⟧${rest}`, [swap(wanted, fresh)], null);
      expect(made).toBe(before + fresh + rest);
    });
    fc.assert(law, runs);
  });

  it('an edit by line leaves all other lines unchanged, whatever their line endings', () => {
    const law = fc.property(text, fc.nat(), fc.string(), (now, pick, content) => {
      const lines = now.replace(/^\uFEFF/, '').match(/[^\n]*\n|[^\n]+$/g) ?? [];
      if (lines.length === 0) return;
      const line = pick % lines.length;
      const result = plan(now, [at(`replace:${line + 1}`, `${content}!`)]);
      if (!result.ok) return;
      const mark = now.startsWith('\uFEFF') ? '\uFEFF' : '';
      expect(result.after.startsWith(mark + lines.slice(0, line).join(''))).toBe(true);
      expect(result.after.endsWith(lines.slice(line + 1).join(''))).toBe(true);
    });
    fc.assert(law, runs);
  });
});

describe('An edit of a note with another change', () => {
  const distinct = fc.uniqueArray(word, { minLength: 4, maxLength: 14 });
  const foreign = fc.array(
    word.map((one) => `foreign ${one}`),
    { maxLength: 3 },
  );

  it('the result is the same as if the other change had been made after the edit', () => {
    const law = fc.property(
      distinct,
      fc.nat(),
      fc.nat(),
      fc.nat(),
      foreign,
      fc.constantFrom('replace', 'delete', 'insert'),
      (lines, a, b, size, incoming, kind) => {
        const target = a % lines.length;
        // The other change replaces lines that are all before or all after the target.
        const from = b % (lines.length + 1);
        const room = from <= target ? target - from : lines.length - from;
        const removed = room === 0 ? 0 : size % (room + 1);
        const edited = [...lines];
        edited.splice(target, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : ['ours']));
        const grown = edited.length - lines.length;
        const both = [...edited];
        both.splice(from <= target ? from : from + grown, removed, ...incoming);
        const now = [...lines];
        now.splice(from, removed, ...incoming);
        // Lines that were added directly before the target stay above the text that is inserted
        // there.
        const edit = at(`${kind}:${target + 1}`, kind === 'delete' ? undefined : 'ours');
        expect(after(`${now.join('\n')}\n`, [edit], `${lines.join('\n')}\n`)).toBe(
          both.map((line) => `${line}\n`).join(''),
        );
      },
    );
    fc.assert(law, runs);
  });

  it('the edit changes no other line than the one meant, even if lines repeat', () => {
    const repeated = fc.array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 10 });
    const law = fc.property(repeated, repeated, fc.nat(), (read, now, pick) => {
      const line = pick % read.length;
      const result = plan(
        `${now.join('\n')}\n`,
        [at(`replace:${line + 1}`, 'ours')],
        `${read.join('\n')}\n`,
      );
      if (!result.ok) return;
      const place = result.after.split('\n').indexOf('ours');
      expect(now[place]).toBe(read[line]);
      expect(result.after.split('\n').filter((one) => one === 'ours')).toHaveLength(1);
    });
    fc.assert(law, runs);
  });
});

it('folding removes exactly the invisible characters, and all blanks at a line end', () => {
  const invisible = [0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfe0e, 0xfe0f, 0xfeff];
  const spaces = [0xa0, 0x2007, 0x202f];
  const everyUnit = Array.from({ length: 0x1_0000 }, (_, code) => code);
  const withFold = (before: string, after: string, folded: string) =>
    everyUnit.filter(
      (code) => foldDrift(before + String.fromCharCode(code) + after).text === folded,
    );
  for (const mark of ['', 'e\u0301']) {
    const rest = mark.normalize('NFC');
    expect(withFold(`${mark}a`, 'b', `${rest}ab`)).toEqual(invisible);
    expect(withFold(`${mark}a`, 'b', `${rest}a b`)).toEqual([0x20, ...spaces]);
    expect(withFold(`${mark}a`, '\nb', `${rest}a\nb`)).toEqual(
      [0x09, 0x0d, 0x20, ...spaces, ...invisible].sort((one, other) => one - other),
    );
  }
});
