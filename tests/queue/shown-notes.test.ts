/** Which lines the model was shown in a conversation, over a compaction and a restart. */
import { expect, it } from 'vitest';
import type { ModelEvent } from '#ports/model-provider';
import { memoryMetadata } from '../builders/fake-metadata';
import { answers, call, isAside, says, thinkingModel, USAGE } from '#tests/builders/model-stream';
import { MemoryNotes } from '../builders/fake-vault';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { tinyVault } from '#tests/edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const FILES = { 'A.md': 'one\ntwo\nthree\n' };
const READ = call('read_file', { path: 'A.md' });
/** After it, the prompt is too long. */
const READ_LONG = call('read_file', { path: 'A.md' });
const EDIT = call('edit_file', {
  path: 'A.md',
  edits: [{ position: 'replace:2', content: 'new' }],
});

/** A model that makes these calls one after another; null ends a turn. */
function disk(...calls: (ReturnType<typeof call> | null)[]): Disk {
  const left = [...calls];
  const answer = (): ModelEvent[] => {
    const next = left.shift();
    const usage = next === READ_LONG ? { ...USAGE, cacheRead: 195_000 } : USAGE;
    return next ? answers([next], 'calls', usage) : says('Done.');
  };
  return {
    store: memoryStore(),
    vault: tinyVault(FILES),
    metadata: memoryMetadata(new MemoryNotes(FILES)),
    clock: testClock(),
    model: thinkingModel((request) => (isAside(request) ? says('They read A.md.') : answer())),
  };
}

const results = (from: Disk) => eventsOn(from, 'call-end').map(({ result }) => result);

it('line numbers replaced by a summary are refused until the note is read again', async () => {
  const from = disk(READ, null, EDIT, READ, EDIT);
  const rig = makeRig(from);
  await rig.load();
  // One turn reads, and the next is so long that the first must be summarized.
  for (const text of ['Read it.', 'Long. '.repeat(110_000)]) {
    expect(await rig.agent.queue.send({ text })).toMatchObject({ ok: true });
    await rig.idle();
  }
  expect(eventsOn(from, 'compaction-end')).toHaveLength(1);
  expect(results(from).map(({ failed }) => failed)).toEqual([false, true, false, false]);
  expect(results(from)[1]?.text).toContain('no line of `A.md` was shown');
  expect(from.vault.texts.get('A.md')).toBe('one\nnew\nthree\n');
});

it('lines that the rest of a turn shows over a compaction need not be read again', async () => {
  const from = disk(READ, null, READ_LONG, EDIT);
  const rig = makeRig(from);
  await rig.load();
  for (const text of ['Read it.', 'Read it again, and edit it.']) {
    await rig.agent.queue.send({ text });
    await rig.idle();
  }
  expect(eventsOn(from, 'compaction-end')).toHaveLength(1);
  expect(results(from).map(({ failed }) => failed)).toEqual([false, false, false]);
  expect(from.vault.texts.get('A.md')).toBe('one\nnew\nthree\n');
});

/** Reads in one process and edits in the next; the note may change in between. */
async function overRestart(from: Disk, between: () => void = () => undefined): Promise<void> {
  const first = makeRig(from);
  await first.load();
  await first.agent.queue.send({ text: 'Read it.' });
  await first.idle();
  void first.runner.close();
  between();
  const second = makeRig(from);
  await second.load();
  await second.agent.queue.send({ text: 'Edit it.' });
  await second.idle();
}

it('line numbers shown before a restart hold while the note is unchanged', async () => {
  const from = disk(READ, null, EDIT);
  await overRestart(from);
  expect(results(from).map(({ failed }) => failed)).toEqual([false, false]);
  expect(from.vault.texts.get('A.md')).toBe('one\nnew\nthree\n');
});

it('line numbers of a note that changed before a restart are refused until it is read again', async () => {
  const from = disk(READ, null, EDIT, READ, EDIT);
  await overRestart(from, () => from.vault.texts.set('A.md', 'zero\none\ntwo\n'));
  expect(results(from).map(({ failed }) => failed)).toEqual([false, true, false, false]);
  expect(from.vault.texts.get('A.md')).toBe('zero\nnew\ntwo\n');
});
