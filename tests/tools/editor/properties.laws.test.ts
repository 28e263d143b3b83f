import fc from 'fast-check';
import { assert, describe, expect, it } from 'vitest';
import { CST, Lexer, isSeq, parseDocument } from 'yaml';
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import {
  type GeneratedNote,
  listValue,
  noteWith,
  scalarValue,
  templateValue,
} from '#tests/builders/front-matter-cases';
import { memoryBench } from '#tests/builders/tools';

/** The front matter by another reader; null if it is not valid. */
function readYaml(note: string) {
  const source = /^\uFEFF?---\r?\n([^]*?)^---/m.exec(note)?.[1] ?? '';
  const document = parseDocument(source, { logLevel: 'silent' });
  const values: unknown = document.errors.length > 0 ? null : document.toJS();
  return { source, document, values: values as Record<string, unknown> | null };
}

function commentsIn(source: string): string[] {
  return [...new Lexer().lex(source)].filter((token) => CST.tokenType(token) === 'comment');
}

/** The source of each entry of a list. */
function entriesIn(note: string, name: string): string[] {
  const { source, document } = readYaml(note);
  const list = document.get(name, true);
  assert(isSeq(list));
  return list.items.map((item) => {
    const [from, to] = (item as { range: [number, number, number] }).range;
    return source.slice(from, to);
  });
}

function isSubsequence(few: string, many: string): boolean {
  let at = 0;
  for (const sign of many) if (sign === few[at]) at += sign.length;
  return at >= few.length;
}

const textOf = ({ above, property, below }: GeneratedNote) => above + property + below;

/** Everything but the property has the same characters. */
function expectSameAround(after: string, note: GeneratedNote) {
  expect(after.startsWith(note.above)).toBe(true);
  expect(after.endsWith(note.below)).toBe(true);
}

const accepted = (raw: string) => textsOf(readEdits(raw, ANY_DEVICE)).after;

async function call(tool: string, text: string, input: object) {
  await using bench = memoryBench({ 'A.md': text });
  const result = await bench.call(tool, { path: 'A.md', ...input });
  // A value that may run or load waits for the user.
  return { text: accepted(bench.notes.text('A.md')), told: result };
}

const entryValue = fc.oneof(
  fc.constantFrom('new', 'a: b', '- x', '# y', '[[Home]]', "it's", '"q"', '', ' ', '2024', 'true'),
  fc.constantFrom('one\ntwo', 'a, b', '@x', '{z}', '2026-12-01', 'k:', '\\n', '~', '\u2028'),
  fc.string({ maxLength: 8 }),
  fc.integer({ min: -99, max: 99 }),
  fc.boolean(),
  fc.constant(null),
);

/** Values that a template may write as numbers and booleans, as text. */
function asTexts(value: unknown): unknown {
  if (typeof value !== 'object') return String(value);
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(asTexts);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asTexts(each)]));
}

describe('generated front matter', () => {
  it(
    'add_tags only inserts into a list, and adds exactly the tags',
    async () => {
      let judged = 0;
      await fc.assert(
        fc.asyncProperty(noteWith('tags', listValue), async (note) => {
          const text = textOf(note);
          const { values } = readYaml(text);
          if (values === null) return;
          judged += 1;
          const { text: after, told } = await call('add_tags', text, { tags: ['new/one', 'zwei'] });
          expect(told.failed, text + told.text).toBe(false);
          expect(readYaml(after).values).toEqual({
            ...values,
            tags: [...(values['tags'] as unknown[]), 'new/one', 'zwei'],
          });
          expectSameAround(after, note);
          expect(isSubsequence(note.property, after)).toBe(true);
          expect(entriesIn(after, 'tags').slice(0, -2)).toEqual(entriesIn(text, 'tags'));
          expect(commentsIn(readYaml(after).source)).toEqual(commentsIn(readYaml(text).source));
        }),
        cases,
      );
      expect(judged).toBeGreaterThan(cases.numRuns * 0.8);
    },
    CASES_TIMEOUT_MS,
  );

  it(
    'update_properties replaces a scalar and keeps every comment and all other characters',
    async () => {
      let judged = 0;
      await fc.assert(
        fc.asyncProperty(
          noteWith('status', scalarValue),
          fc.oneof(entryValue, fc.array(entryValue, { maxLength: 3 })),
          async (note, to) => {
            const text = textOf(note);
            const { values } = readYaml(text);
            if (values === null) return;
            judged += 1;
            const { text: after, told } = await call('update_properties', text, {
              set: { status: to },
            });
            expect(told.failed, text + told.text).toBe(false);
            expect(readYaml(after).values).toEqual({ ...values, status: to });
            expectSameAround(after, note);
            if (typeof values['status'] !== 'object') {
              const kept = commentsIn(readYaml(after).source);
              expect(kept).toEqual(commentsIn(readYaml(text).source));
            }
          },
        ),
        cases,
      );
      expect(judged).toBeGreaterThan(cases.numRuns * 0.8);
    },
    CASES_TIMEOUT_MS,
  );

  it(
    'update_properties changes a list and keeps the source of every entry that stays',
    async () => {
      let judged = 0;
      await fc.assert(
        fc.asyncProperty(
          noteWith('list', listValue),
          fc.array(
            fc.oneof(
              entryValue,
              fc.nat(4).map((keep) => ({ keep })),
            ),
            { maxLength: 5 },
          ),
          async (note, wanted) => {
            const text = textOf(note);
            const { values } = readYaml(text);
            if (values === null) return;
            judged += 1;
            const old = values['list'] as unknown[];
            const to = wanted.map((each) => {
              const isKept = typeof each === 'object' && each !== null;
              const value = isKept ? (old[each.keep] ?? null) : each;
              return typeof value === 'object' ? null : value;
            });
            const { text: after, told } = await call('update_properties', text, {
              set: { list: to },
            });
            expect(told.failed, text + told.text).toBe(false);
            expect(readYaml(after).values).toEqual({ ...values, list: to });
            expectSameAround(after, note);
            const sources = entriesIn(text, 'list');
            const now = entriesIn(after, 'list');
            // Entries at the beginning that stay are certain to be kept by every diff.
            for (const [at, value] of to.entries()) {
              if (JSON.stringify(value) !== JSON.stringify(old[at])) break;
              expect(now[at]).toBe(sources[at]);
            }
          },
        ),
        cases,
      );
      expect(judged).toBeGreaterThan(cases.numRuns * 0.8);
    },
    CASES_TIMEOUT_MS,
  );

  it(
    'update_properties removes a property and nothing else',
    async () => {
      await fc.assert(
        fc.asyncProperty(noteWith('gone', fc.oneof(listValue, scalarValue)), async (note) => {
          const text = textOf(note);
          const { values } = readYaml(text);
          if (values === null) return;
          const { text: after, told } = await call('update_properties', text, { remove: ['gone'] });
          expect(told.failed, text + told.text).toBe(false);
          expect(after).toBe(note.above + note.below);
        }),
        cases,
      );
    },
    CASES_TIMEOUT_MS,
  );

  it(
    'apply_template writes a value that reads back, or refuses it by its name',
    async () => {
      let written = 0;
      let judged = 0;
      await fc.assert(
        fc.asyncProperty(noteWith('value', templateValue), entryValue, async (note, given) => {
          const value = String(given);
          const template = textOf(note);
          const { values } = readYaml(template.replaceAll('{{v}}', 'word0'));
          if (values === null) return;
          judged += 1;
          await using bench = memoryBench({ 'T.md': template });
          const input = { template: 'T.md', path: 'New.md', variables: { v: value } };
          const told = await bench.call('apply_template', input);
          if (told.failed) {
            expect(told.text).toContain('The value of {{v}}');
            expect(bench.notes.get('New.md')).toBeUndefined();
            const isRefusable = /[\r\n]/.test(value) && /#[^\n]*\{\{v|>/.test(note.property);
            expect(isRefusable, template + JSON.stringify(value)).toBe(true);
            return;
          }
          written += 1;
          const after = accepted(bench.notes.text('New.md'));
          expectSameAround(after, note);
          const escaped = JSON.stringify(value.replaceAll('\r\n', '\n')).slice(1, -1);
          const meant = JSON.stringify(values).replaceAll('word0', () => escaped);
          expect(asTexts(readYaml(after).values)).toEqual(asTexts(JSON.parse(meant)));
        }),
        cases,
      );
      expect(judged).toBeGreaterThan(cases.numRuns * 0.8);
      expect(written).toBeGreaterThan(judged * 0.8);
    },
    CASES_TIMEOUT_MS,
  );
});
