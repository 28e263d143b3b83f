/**
 * The laws of proposals on realistic notes. The environment variable `NOTES` adds a folder of
 * notes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { cutProposal, recutHunks } from '#model/proposal/cut-hunks';
import { decideHunks } from '#model/proposal/decide-hunks';
import { holdsProposal, parseNote, printNote } from '#model/proposal/proposal-format';
import { sidesOf } from '#model/proposal/before-and-after';
import { blocksOf, editedFrom, options } from './notes';

const FOLDERS = ['tests/workbench/vault', process.env['NOTES'] ?? ''].filter(
  (folder) => folder !== '',
);
const MAX_NOTE_CHARS = 300_000;

const notes = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'))
    .filter((text) => text.length <= MAX_NOTE_CHARS && !holdsProposal(text)),
);

const changed = fc
  .constantFrom(...notes)
  .chain((before) => fc.tuple(fc.constant(before), editedFrom(before, 6), editedFrom(before, 6)))
  .filter((texts) => !texts.some(holdsProposal));

describe('A proposal in a real note', { timeout: CASES_TIMEOUT_MS }, () => {
  it('a proposal in a real note has both texts as its sides, and each text when it is decided', () => {
    fc.assert(
      fc.property(changed, ([before, after]) => {
        const segments = parseNote(printNote(cutProposal(before, after, options())));
        expect(sidesOf(segments)).toEqual({ before, after });
        expect(printNote(decideHunks(segments, () => 'accept').segments)).toBe(after);
        expect(printNote(decideHunks(segments, () => 'reject').segments)).toBe(before);
      }),
      cases,
    );
  });

  it('recutHunks keeps the original text of a real note, and never repeats a hunk id', () => {
    fc.assert(
      fc.property(changed, ([before, after, next]) => {
        const segments = parseNote(printNote(cutProposal(before, after, options())));
        const again = parseNote(printNote(recutHunks(segments, next, options('next'))));
        expect(sidesOf(again)).toEqual({ before, after: next });
        const ids = blocksOf(again).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      cases,
    );
  });
});
