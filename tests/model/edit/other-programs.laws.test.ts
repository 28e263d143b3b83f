/** Notes with pending edits that other programs and the user change in between. */
import { applyFixes } from 'markdownlint';
import { lint } from 'markdownlint/sync';
import * as prettier from 'prettier';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { proposeText } from '#model/edit/cut-edits';
import { decideEdits, withoutDamaged } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, readEdits, textsOf } from '#model/edit/note-edits';
import { options } from './notes';

const many = { timeout: CASES_TIMEOUT_MS };

/** Whole blocks as users write them; each has words of its own, so that they can be followed. */
const KINDS: readonly ((word: string) => string)[] = [
  (word) => `A line about ${word} and more.\n`,
  (word) => `Two lines about ${word}\nthat go on with *${word}* here.\n`,
  (word) => `## Heading ${word}\n`,
  (word) => `* item ${word}\n* next ${word}\n`,
  (word) => `- parent ${word}\n  - child ${word}\n- last ${word}\n`,
  (word) => `1. first ${word}\n2. second ${word}\n`,
  (word) => `- [ ] task ${word}\n- [x] done ${word}\n`,
  (word) => `> quote ${word}\n> more ${word}\n`,
  (word) => `> [!note] Callout ${word}\n> body ${word}\n`,
  (word) => `| a | ${word} |\n|---|---|\n| 1 | x${word} |\n`,
  (word) => `\`\`\`js\nlet ${word} = 1;\n\`\`\`\n`,
  (word) => `$$\n${word} = 2\n$$\n`,
  (word) => `%%\nhidden ${word}\n%%\n`,
  (word) => `[[Link ${word}]] and ![[Embed ${word}]]\n`,
];
const HEADS = ['', '---\ntags: [a, b]\nstatus: "open"\n---\n\n'];

const WORDS = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fern', 'grove', 'heath', 'iris'];

interface Change {
  readonly before: string;
  readonly after: string;
}

const change = fc
  .tuple(
    fc.constantFrom(...HEADS),
    fc.array(fc.nat(KINDS.length - 1), { minLength: 1, maxLength: WORDS.length }),
    fc.array(fc.constantFrom('keep', 'keep', 'edit', 'drop', 'add'), {
      minLength: WORDS.length,
      maxLength: WORDS.length,
    }),
    fc.boolean(),
  )
  .map(([head, kinds, fates, setsStatus]): Change => {
    const before: string[] = [];
    const after: string[] = [];
    kinds.forEach((kind, at) => {
      const word = WORDS[at] ?? '';
      const block = KINDS[kind]?.(word) ?? '';
      const fate = fates[at] ?? 'keep';
      before.push(block);
      if (fate === 'keep' || fate === 'add') after.push(block);
      if (fate === 'edit') after.push(block.replaceAll(word, `${word}new`));
      if (fate === 'add') after.push(`A new line after ${word}.\n`);
    });
    const changedHead = setsStatus ? head.replace('"open"', '"done"') : head;
    return { before: head + before.join('\n'), after: changedHead + after.join('\n') };
  });

function lintFixed(text: string): string {
  const results = lint({ strings: { note: text }, config: { default: true, MD013: false } });
  return applyFixes(text, results['note'] ?? []);
}

/** What other programs do to a whole note. */
const PROGRAMS: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  Prettier: (text) => prettier.format(text, { parser: 'markdown' }),
  'Prettier with wrapped prose': (text) =>
    prettier.format(text, { parser: 'markdown', proseWrap: 'always', printWidth: 30 }),
  'fixes of markdownlint': lintFixed,
  'CRLF line endings': (text) => text.replace(/\r?\n/g, '\r\n'),
  'trimmed lines': (text) => text.replace(/[ \t]+$/gm, ''),
  'more blank lines': (text) => text.replace(/\n{2,}/g, '\n\n\n'),
  'a linter of front matter': (text) =>
    text.replace('tags: [a, b]', 'tags:\n  - a\n  - b').replace('"open"', 'open'),
  'a doubled note': (text) => `${text}\n${text}`,
};

/** The words of a text, in order, without the numbers of lists. */
function wordsOf(text: string): string[] {
  return text.match(/\p{L}+/gu) ?? [];
}

/** All lines that belong to blocks, which no text may hold. */
const MARKS = /ai-edit|"before":|"after":|#ai_edit|# ai_edit/;
const MARK_LINES = /^.*(?:ai-edit|"(?:before|after)":|#ai_edit).*$/gm;

describe('A note with pending edits that another program has changed', many, () => {
  for (const [name, run] of Object.entries(PROGRAMS)) {
    it(`keeps all words after ${name}, whatever is decided, and no mark stays`, async () => {
      await fc.assert(
        fc.asyncProperty(change, async ({ before, after }) => {
          const text = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text;
          fc.pre(text !== undefined && before !== after);
          const changed = await run(text);
          const edits = readEdits(changed, ANY_DEVICE);
          expect(edits.damaged).toEqual([]);
          const isDoubled = name === 'a doubled note';
          const plain = isDoubled ? `${before}\n${before}` : before;
          expect(wordsOf(textsOf(edits).before)).toEqual(wordsOf(plain));
          const rejected = decideEdits(edits, () => 'reject');
          expect(rejected.text).not.toMatch(MARKS);
          expect(wordsOf(rejected.text)).toEqual(wordsOf(plain));
          if (isDoubled) return;
          const stale = editsOf(edits).filter(({ isStale }) => isStale);
          expect(stale.map(({ block }) => [block.before, block.after])).toEqual([]);
          const accepted = decideEdits(edits, () => 'accept');
          expect(accepted.text).not.toMatch(MARKS);
          expect(wordsOf(accepted.text)).toEqual(wordsOf(after));
        }),
        cases,
      );
    });
  }

  it.each([
    ['The **quick** brown fox\njumps.\n', 'red', 'The **quick** red fox\njumps.\n'],
    ['The quick **brown** fox\njumps.\n', 'red', 'The quick **red** fox\njumps.\n'],
    ['*The quick brown fox jumps.*\n', 'red', '*The quick red fox jumps.*\n'],
    ['The quick brown fox\njumps.\n', '**red**', 'The quick **red** fox\njumps.\n'],
    ['The quick brown fox\njumps.\n', '*brown*', 'The quick *brown* fox\njumps.\n'],
    ['The quick **brown** fox\njumps.\n', '', null],
  ])('keeps marks of emphasis in pairs: %j with "%s"', (live, word, expected) => {
    const before = 'The quick brown fox jumps.\n';
    const after = before.replace(/brown ?/, word && `${word} `);
    const text = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text ?? '';
    const { text: accepted } = decideEdits(
      readEdits(text.replace(before, live), ANY_DEVICE),
      () => 'accept',
    );
    expect(accepted).toBe(expected ?? text.replace(before, live));
  });

  it('loses no word of the text when any lines of its blocks are deleted', () => {
    fc.assert(
      fc.property(change, fc.infiniteStream(fc.boolean()), ({ before, after }, random) => {
        const text = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text;
        fc.pre(text !== undefined && before !== after);
        const old = readEdits(text, ANY_DEVICE);
        let now = '';
        for (const { raw, edit } of old.parts) {
          if (!edit) {
            now += raw;
            continue;
          }
          const lines = raw.slice(edit.fence, edit.end).match(/[^\n]*\n|[^\n]+$/g) ?? [];
          now += raw.slice(0, edit.fence);
          now += lines.filter(() => random.next().value ?? true).join('') + raw.slice(edit.end);
        }
        const edits = readEdits(now, ANY_DEVICE);
        const cleaned = decideEdits(edits, () => 'reject').text;
        const kept = wordsOf(cleaned.replace(MARK_LINES, ''));
        expect(kept).toEqual(wordsOf(before));
        const removed = withoutDamaged(cleaned);
        expect(readEdits(removed, ANY_DEVICE).damaged).toEqual([]);
        expect(wordsOf(removed.replace(MARK_LINES, ''))).toEqual(wordsOf(before));
      }),
      cases,
    );
  });

  it('keeps what the user types in the lines of an edit, whatever is decided', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        change,
        place,
        fc.constantFrom(' typed', 'typed ', '\ntyped\n'),
        (given, along, words) => {
          const { before, after } = given;
          const text = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text;
          fc.pre(text !== undefined && before !== after);
          const { parts } = readEdits(text, ANY_DEVICE);
          const own = parts.findIndex(({ edit }) => edit !== null && edit.lines !== '');
          const part = parts[own];
          fc.pre(part?.edit != null);
          const at = Math.round(along * (part.edit.lines.length - 1));
          const start =
            parts
              .slice(0, own)
              .map(({ raw }) => raw)
              .join('').length + at;
          const typed = text.slice(0, start) + words + text.slice(start);
          const edits = readEdits(typed, ANY_DEVICE);
          const withTyped = wordsOf(textsOf(edits).before).filter((word) => word.includes('typed'));
          expect(withTyped).toHaveLength(1);
          for (const choice of ['accept', 'reject'] as const) {
            const decided = decideEdits(edits, () => choice);
            const isRefused = decided.refused.some(({ id }) => id === part.edit?.id);
            expect([choice, isRefused || decided.text.includes('typed')]).toEqual([choice, true]);
            if (choice === 'reject')
              expect(wordsOf(decided.text)).toEqual(wordsOf(textsOf(edits).before));
          }
        },
      ),
      cases,
    );
  });
});
