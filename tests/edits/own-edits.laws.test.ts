/** Whose edits count: what tools, the search and the context read of a note with edits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEXT_RULES } from '#app/search-rules';
import { readFile } from '#tools/reader/read-file';
import { ownEditsOf } from '#model/pending-edit';
import { placeOfEdit } from '#model/edit/edit-decisions';
import { ANY_DEVICE, editsOf, holdsEdits, readEdits, textsOf } from '#model/edit/note-edits';
import { proposeText } from '#model/edit/cut-edits';
import { quickEditPlace } from '#model/quick-edit-range';
import { acceptedText } from '#edits/own-edits';
import { asToolsSee } from '#edits/proposals';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { registerEdits } from '../builders/proposed-notes';
import { memoryBench } from '../builders/tools';
import { editedFrom, note, options } from '../model/edit/notes';
import { ProposalHarness } from './proposing';

const NOTE = 'Note.md';
const SECRET = 'zxforeignxz';

/** Typing never divides a character. */
function typedAt(text: string, at: number): string {
  const from = /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
  return `${text.slice(0, from)}typed${text.slice(from)}`;
}

/** A note in which edits wait, some of them stale or copies, with the ids that the log knows. */
const noteWithEdits = note
  .chain((before) => fc.tuple(fc.constant(before), editedFrom(before), fc.array(fc.boolean())))
  .chain(([before, after, known]) => {
    const text = proposeText(readEdits(before, ANY_DEVICE), after, options())?.text ?? before;
    return fc.record({
      text: fc.oneof(
        fc.constant(text),
        fc.constant(`${text}\n\n${text}`),
        fc.nat(text.length).map((at) => typedAt(text, at)),
      ),
      known: fc.constant(known),
    });
  });

describe('the edits of this device', () => {
  it(
    'every reader of the text after leaves out the same edits: foreign ones, stale ones and copies',
    async () => {
      await fc.assert(
        fc.asyncProperty(noteWithEdits, async ({ text, known }) => {
          const ids = [
            ...new Set(editsOf(readEdits(text, ANY_DEVICE)).map((each) => each.block.id)),
          ];
          const own = ids.filter((_, at) => known[at] === true);
          const desk = new ProposalHarness({ [NOTE]: text });
          await registerEdits(desk.ledger, NOTE, text, own);
          await desk.pending.look(NOTE);

          const isOwn = (id: string) => own.includes(id as never);
          const edits = readEdits(text, isOwn);
          const { after } = textsOf(edits);
          expect(await desk.seen(NOTE)).toBe(after);
          const listed = desk.pending.ownIds().get(NOTE) ?? [];
          expect(acceptedText(NOTE, text, ownEditsOf(desk.pending.all(), NOTE))).toBe(after);
          expect(TEXT_RULES.accepted(NOTE, text, listed)).toBe(after);
          const effect = { kind: 'write', path: NOTE, before: text, after: text } as const;
          expect(await asToolsSee(effect, desk.ledger)).toMatchObject({ before: after, after });
          for (const { id, isOwn: isCounted } of editsOf(edits)) {
            const place = placeOfEdit(edits, id);
            if (!place) throw new Error('Every edit has a place.');
            const middle = isCounted ? place.edit.after : place.edit.lines;
            expect(after.startsWith((place.above + middle).trimEnd())).toBe(true);
          }

          // What counts is what was proposed here; every other block leaves its lines.
          for (const { edit, before, after: read } of edits.parts) {
            const counts = edit !== null && isOwn(edit.id) && !edit.isStale;
            if (!counts) expect(read).toBe(before);
          }
        }),
        cases,
      );
    },
    CASES_TIMEOUT_MS,
  );

  it(
    'what is proposed and applied in a note leaves the edits of other devices as they are',
    async () => {
      const given = noteWithEdits.chain(({ text, known }) => {
        const ids = [...new Set(editsOf(readEdits(text, ANY_DEVICE)).map((each) => each.block.id))];
        const own = ids.filter((_, at) => known[at] === true);
        const { after } = textsOf(readEdits(text, (id) => own.includes(id as never)));
        return fc.record({
          ...{ text: fc.constant(text), own: fc.constant(own), after: editedFrom(after, 2) },
          mode: fc.constantFrom('review' as const, 'apply' as const),
        });
      });
      await fc.assert(
        fc.asyncProperty(given, async ({ text, own, after, mode }) => {
          // Tools refuse to write a block, also one that front matter or code hid before.
          if (holdsEdits(after)) return;
          const desk = new ProposalHarness({ [NOTE]: text });
          await registerEdits(desk.ledger, NOTE, text, own);
          const told = await desk.proposeText(NOTE, after, mode);
          if (typeof told === 'string') return;
          expect(await desk.seen(NOTE)).toBe(after);
          const now = editsOf(readEdits(desk.notes.text(NOTE), ANY_DEVICE));
          for (const { block } of editsOf(readEdits(text, (id) => own.includes(id as never)))) {
            if (own.includes(block.id)) continue;
            expect(now.map((each) => [each.block.id, each.block.after])).toContainEqual([
              block.id,
              block.after,
            ]);
          }
        }),
        cases,
      );
    },
    CASES_TIMEOUT_MS,
  );

  it('no tool shows what a foreign edit proposes, and reading the note says that it waits', async () => {
    const foreign = `One.\n\`\`\`ai-edit\n{"id":"hostile","before":"One.\\n","after":"${SECRET}\\n"}\n\`\`\`\n#ai_edit\n\nTwo.\n`;
    const bench = memoryBench({ [NOTE]: foreign }, { settings: { panelMode: 'review' } });
    await bench.pending.start();
    const said = [
      await bench.expectSuccess(readFile.name, { path: NOTE }),
      await bench.expectSuccess('search_files', { pattern: `${SECRET}|One` }),
      await bench.expectSuccess('get_file_info', { path: NOTE }),
      await bench.expectSuccess('edit_file', {
        path: NOTE,
        edits: [{ old_text: 'Two.', new_text: 'Three.' }],
      }),
      await bench.expectSuccess(readFile.name, { path: NOTE }),
    ];
    expect(said[0]).toContain('In this note 1 edit from another device waits.');
    expect(said[1]).toContain('One.');
    expect(said.at(-1)).toContain('Three.');
    for (const each of said.map((text, at) => (at === 1 ? text.replace(/^.*\n/, '') : text))) {
      expect(each).not.toContain(SECRET);
    }
    expect(bench.notes.text(NOTE)).toContain(SECRET);
  });

  it('a copy of an edit at the path that its note had before is no edit of this device', async () => {
    const text =
      'One.\n```ai-edit\n{"id":"own1","before":"One.\\n","after":"Two.\\n"}\n```\n#ai_edit\n';
    const desk = new ProposalHarness({ [NOTE]: text });
    await registerEdits(desk.ledger, NOTE, text);
    const isOwn = async (path: string) => (await desk.ledger.ownEdits(path))('own1');
    await desk.ledger.renamed(NOTE, 'Moved.md', 1);
    expect([await isOwn(NOTE), await isOwn('Moved.md')]).toEqual([false, true]);
    await desk.ledger.renamed('Moved.md', NOTE, 2);
    expect(await isOwn(NOTE)).toBe(true);
  });

  it('a quick edit is about the lines as tools read them, also below a foreign edit', () => {
    const block =
      '```ai-edit\n{"id":"other1","before":"One.\\n","after":"A.\\n\\nB.\\n"}\n```\n#ai_edit\n';
    const text = `One.\n${block}\nTwo.\n`;
    const at = text.indexOf('Two.');
    const lines = ['other1'].map((id) =>
      [true, false].map((isOwn) => {
        const place = quickEditPlace(
          NOTE,
          text,
          { from: at, to: at },
          (each) => isOwn && each === id,
        );
        return typeof place === 'string' ? place : place.target.from;
      }),
    );
    expect(lines).toEqual([[5, 3]]);
  });
});
