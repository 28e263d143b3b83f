/** What becomes of the sources of an answer when the notes change, over a restart. */
import { expect, test } from 'vitest';
import type { Passage } from '#model/passage';
import { savedSourcesIn } from '#model/saved-sources';
import { withSourceFootnotes } from '#model/passage';
import { DEFAULT_SETTINGS } from '#model/settings';
import { quickCommandOf } from '#voice/quick-command-phrases';
import { assistantNames } from '#voice/spoken-words';
import { memoryMetadata } from '../builders/fake-metadata';
import { testClock } from '../builders/fake-clock';
import { MemoryNotes } from '../builders/fake-vault';
import { memoryStore } from '../builders/fake-storage';
import { answers, call, says, thinkingModel, words } from '../builders/model-stream';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from './app-on-disk';

const HERBS =
  '# Herbs\n\n## Sowing\nDill in April.\nBasil is sown in May, indoors.\n\nCut it often.\n';
const FILES = { 'Garden/Herbs.md': HERBS };
const ANSWER = 'Sow basil in May [@Herbs:5]. It is blue [@Herbs:40] and old [@Nowhere:1].';

function newDisk(files: Record<string, string> = FILES): Disk {
  const vault = tinyVault(files);
  return {
    ...{ store: memoryStore(), vault, clock: testClock() },
    metadata: memoryMetadata(new MemoryNotes(files)),
    model: thinkingModel(({ history }) =>
      history.at(-1)?.role === 'results'
        ? says(ANSWER)
        : answers([call('read_file', { path: 'Garden/Herbs.md' })]),
    ),
  };
}

async function answered(disk: Disk): Promise<Rig> {
  const rig = makeRig(disk);
  await rig.load();
  await rig.agent.queue.send({ text: 'When do I sow basil?' });
  await rig.idle();
  return rig;
}

function passagesOn(disk: Disk): readonly Passage[] {
  return eventsOn(disk, 'passage-find').map(({ passage }) => passage);
}

test('a model that invents marks gets a passage only for what it was shown', async () => {
  const disk = newDisk();
  await answered(disk);
  expect(passagesOn(disk)).toMatchObject([
    { kind: 'note', path: 'Garden/Herbs.md', first: 5, last: 5, heading: 'Sowing' },
  ]);
  const [end] = eventsOn(disk, 'turn-end');
  expect(end?.end.reply).toBe('Sow basil in May. It is blue and old.');
});

test('a mark after a second reading has the words of that reading', async () => {
  const changed = HERBS.replace('May', 'June');
  const disk: Disk = {
    ...newDisk(),
    model: thinkingModel(({ history }) => {
      if (disk.vault.texts.get(NOTE) === changed) return says('Sow basil in June [@Herbs:5].');
      const read = call('read_file', { path: NOTE });
      if (history.at(-1)?.role !== 'results') return answers([read]);
      disk.vault.texts.set(NOTE, changed);
      return answers([words('In May [@Herbs:5]? I look again.'), read]);
    }),
  };
  await answered(disk);
  expect(passagesOn(disk).map(({ text }) => text)).toEqual([
    'Basil is sown in May, indoors.',
    'Basil is sown in June, indoors.',
  ]);
});

test('a note that was excluded after it was read is no source of the next answer', async () => {
  const disk: Disk = {
    ...newDisk(),
    model: thinkingModel(({ history }) =>
      history.length === 1
        ? answers([call('read_file', { path: NOTE })])
        : says(history.at(-1)?.role === 'results' ? 'I see.' : ANSWER),
    ),
  };
  const rig = await answered(disk);
  await rig.agent.settings.set({ excludedFolders: ['Garden'] });
  const [began] = eventsOn(disk, 'turn-start');
  await rig.agent.queue.send({ text: 'Again?', conversation: began!.conversation });
  await rig.idle();
  expect(eventsOn(disk, 'turn-end').map(({ end }) => end.reply)).toEqual([
    'I see.',
    'Sow basil in May. It is blue and old.',
  ]);
  expect(passagesOn(disk)).toEqual([]);
});

type Notes = Disk['vault'];
const NOTE = 'Garden/Herbs.md';

test.each<[string, (notes: Notes) => unknown, object, object]>([
  ['left alone', () => undefined, { kind: 'unchanged', first: 5 }, { kind: 'unchanged' }],
  [
    'edited elsewhere',
    (notes) => notes.texts.set(NOTE, `New.\n\n${HERBS}`),
    { kind: 'moved', path: NOTE, first: 7 },
    { kind: 'unchanged' },
  ],
  [
    'edited there',
    (notes) => notes.texts.set(NOTE, HERBS.replace('May', 'June')),
    { kind: 'changed', first: 5, now: 'Basil is sown in June, indoors.' },
    { kind: 'changed', now: 'Basil is sown in June, indoors.' },
  ],
  [
    'cut to other lines',
    (notes) => notes.texts.set(NOTE, HERBS.replace(/Basil.*\n/, '')),
    { kind: 'gone', path: NOTE },
    { kind: 'gone', path: NOTE },
  ],
  [
    'moved to another folder',
    (notes) => {
      notes.texts.delete(NOTE);
      notes.texts.set('Archive/Herbs.md', HERBS);
    },
    { kind: 'moved', path: 'Archive/Herbs.md', first: 5 },
    { kind: 'moved', path: 'Archive/Herbs.md' },
  ],
  ['deleted', (notes) => notes.texts.delete(NOTE), { kind: 'gone', path: null }, { kind: 'gone' }],
])('after a restart, a note that was %s is checked', async (_, change, live, saved) => {
  const disk = newDisk();
  void (await answered(disk)).runner.close();
  const passages = passagesOn(disk);
  change(disk.vault);
  disk.vault.texts.set('Answer.md', withSourceFootnotes(ANSWER, passages));
  const texts = Object.fromEntries(disk.vault.texts);
  const rig = makeRig({ ...disk, metadata: memoryMetadata(new MemoryNotes(texts)) });
  await rig.load();
  expect(await rig.agent.sources.check(passages)).toMatchObject({ ok: true, checks: [live] });
  expect(savedSourcesIn(texts['Answer.md'] ?? '')).toHaveLength(1);
  expect(await rig.agent.sources.checkNote('Answer.md')).toMatchObject({
    ...{ ok: true, sources: [{ check: saved }] },
  });
});

test('a note that is excluded since is hidden, and has neither a name nor words', async () => {
  const disk = newDisk();
  void (await answered(disk)).runner.close();
  const rig = makeRig({ ...disk, settings: { excludedFolders: ['Garden'] } });
  await rig.load();
  expect(await rig.agent.sources.check(passagesOn(disk))).toEqual({
    ...{ ok: true, checks: [{ kind: 'hidden' }] },
  });
  await rig.agent.queue.send({ text: '/sources' });
  await rig.idle();
  const said = JSON.stringify(eventsOn(disk, 'turn-end').at(-1));
  expect(said).toContain('may not read');
  expect(said).not.toMatch(/Basil|Herbs/);
});

test('a long passage that has changed behind what is kept of it is changed', async () => {
  const note = HERBS.replace('indoors.', `indoors. ${'Water it. '.repeat(300)}The end.`);
  const disk = newDisk({ [NOTE]: note });
  const rig = await answered(disk);
  const kinds = async () => {
    const checked = await rig.agent.sources.check(passagesOn(disk));
    return checked.ok ? checked.checks.map(({ kind }) => kind) : [];
  };
  expect(await kinds()).toEqual(['unchanged']);
  disk.vault.texts.set(NOTE, note.replace('The end.', 'No end.'));
  expect(await kinds()).toEqual(['changed']);
});

test('a note that was moved to an excluded folder while the app was closed is hidden', async () => {
  const disk = newDisk();
  void (await answered(disk)).runner.close();
  disk.vault.texts.delete(NOTE);
  disk.vault.texts.set('Private/Herbs.md', HERBS);
  const rig = makeRig({ ...disk, settings: { excludedFolders: ['Private'] } });
  await rig.load();
  const hidden = { ok: true, checks: [{ kind: 'hidden' }] };
  expect(await rig.agent.sources.check(passagesOn(disk))).toEqual(hidden);
  await rig.agent.queue.send({ text: '/sources' });
  await rig.idle();
  expect(JSON.stringify(eventsOn(disk, 'turn-end').at(-1))).not.toMatch(/Basil|Herbs/);
});

test('“How do you know?” names the note and says the sentence, without a model', async () => {
  const disk = newDisk();
  const rig = await answered(disk);
  await rig.agent.queue.send({ text: '/sources' });
  await rig.idle();
  expect(eventsOn(disk, 'turn-end').at(-1)?.end).toMatchObject({
    reply: '[[Garden/Herbs#Sowing|Herbs]]: “Basil is sown in May, indoors.”',
    spoken: 'Herbs: “Basil is sown in May, indoors.”',
  });
  expect(await rig.say('m1', 'Simone, how do you know that?')).toEqual({ ok: true });
  await rig.idle();
  const last = eventsOn(disk, 'turn-end').at(-1)?.end;
  expect(last).toMatchObject({ spoken: 'Herbs: “Basil is sown in May, indoors.”' });
});

test('only clear questions about the source are answered without the agent', () => {
  const names = assistantNames(DEFAULT_SETTINGS);
  const commandOf = (text: string) => quickCommandOf({ text, source: 'voice' }, names);
  for (const text of ['How do you know?', 'how did you know that', 'What are your sources?'])
    expect(commandOf(text), text).toBe('sources');
  for (const text of ['How do you know my sister?', 'Where is that note from?', 'Add a source'])
    expect(commandOf(text), text).toBeNull();
});
