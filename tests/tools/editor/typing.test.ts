/** Edits by a tool while the user types in the same note. */
import { describe, expect, it } from 'vitest';
import type { ChangeId } from '#model/ids';
import { testClock } from '#tests/builders/fake-clock';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';

const NOTE = 'one\ntwo\nthree\nfour\nfive\n';

/**
 * Replaces the note by the next of `texts` before each attempt to write, as if the user had typed.
 */
function typing(bench: MemoryBench, ...texts: readonly string[]): void {
  const { notes } = bench;
  const change = notes.change.bind(notes);
  const left = [...texts];
  notes.change = async (...args) => {
    const typed = left.shift();
    if (typed !== undefined) notes.put('A.md', typed);
    return change(...args);
  };
}

const EDIT = { path: 'A.md', edits: [{ old_text: 'two', new_text: 'TWO' }] };

describe('A tool edit while the user types', () => {
  it('the edit is merged with typing in other lines, and says so', async () => {
    const bench = memoryBench({ 'A.md': NOTE });
    typing(bench, `mine\n${NOTE}`, `mine\n${NOTE}mine, too\n`);
    const result = await bench.call('edit_file', EDIT);
    const after = `mine\n${NOTE}mine, too\n`.replace('two', 'TWO');
    expect(bench.notes.text('A.md')).toBe(after);
    expect(result.text).toContain(
      'Note: other lines were changed by something else at the same moment.',
    );
    expect(result.text).toContain('mine, too');
    expect(result.details).toMatchObject({ changes: [{ added: 1, removed: 1 }] });
    // The line numbers of the diff match the note after the merge.
    const again = { path: 'A.md', edits: [{ position: 'replace:1', content: 'yours' }] };
    await bench.expectSuccess('edit_file', again);
    expect(bench.notes.text('A.md')).toBe(after.replace('mine', 'yours'));
  });

  it('an edit of a long note is merged with typing in its pauses', async () => {
    const long = NOTE + 'More words.\n'.repeat(10_000);
    const clock = testClock();
    let pauses = 0;
    clock.pause = () => {
      pauses += 1;
      bench.notes.put('A.md', `typed ${pauses}\n${bench.notes.text('A.md')}`);
      return Promise.resolve();
    };
    const bench = memoryBench({ 'A.md': long }, { clock });
    await bench.expectSuccess('edit_file', EDIT);
    expect(pauses).toBeGreaterThan(0);
    const typed = Array.from({ length: pauses }, (_, at) => `typed ${pauses - at}\n`).join('');
    expect(bench.notes.text('A.md')).toBe(typed + long.replace('two', 'TWO'));
  });

  it('the change log records each attempt, and the text that was really written', async () => {
    const bench = memoryBench({ 'A.md': NOTE });
    typing(bench, `mine\n${NOTE}`);
    const { details } = await bench.call('edit_file', EDIT);
    if (details?.kind !== 'changes') throw new Error('Nothing was changed.');
    const list = await bench.changeLog.changes();
    expect(list.all().map(({ fate }) => fate)).toEqual(['not-done', 'done']);
    const made = list.get(details.changes[0]?.change as ChangeId)!;
    const texts = await bench.changeLog.read([made]);
    expect(texts.get(made.id)).toMatchObject({
      before: `mine\n${NOTE}`,
      after: `mine\n${NOTE.replace('two', 'TWO')}`,
    });
  });

  it('the edit is refused with the current text when the user changed the same lines', async () => {
    const bench = memoryBench({ 'A.md': NOTE });
    const typed = NOTE.replace('two', 'deux');
    typing(bench, typed);
    const said = await bench.expectFailure('edit_file', EDIT);
    expect(said).toContain('It now reads there: "deux\\n".');
    expect(said).toContain('nothing was written');
    expect(bench.notes.text('A.md')).toBe(typed);
  });

  it('the edit gives up when the user never stops typing, and loses nothing', async () => {
    const bench = memoryBench({ 'A.md': NOTE });
    const typed = Array.from({ length: 9 }, (_, at) => `${'mine\n'.repeat(at + 1)}${NOTE}`);
    typing(bench, ...typed);
    expect(await bench.expectFailure('edit_file', EDIT)).toContain('nothing was written');
    expect(bench.notes.text('A.md')).toBe(typed[4]);
  });

  it('replacing the whole note keeps what the user typed', async () => {
    const bench = memoryBench({ 'A.md': NOTE });
    await bench.expectSuccess('read_file', { path: 'A.md' });
    typing(bench, `${NOTE}mine\n`);
    const content = NOTE.replace('two', 'TWO');
    const said = await bench.expectSuccess('write_file', { path: 'A.md', content });
    expect(said).toContain('Text that was typed at the same moment was kept');
    expect(bench.notes.text('A.md')).toBe(`${content}mine\n`);
  });
});
