/** Which approval a spoken name decides, and that no note is deleted whose name is only similar. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import { notificationOf } from '#voice/notifications';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { makeRig, type Disk, type Posted } from './app-on-disk';

/** An app in which the deletions of these files have been asked for by voice, in this order. */
function stage(...paths: readonly string[]) {
  return stageOf(
    paths,
    paths.map((path) => ({ path })),
  );
}

/** @param inputs of the calls that delete them */
async function stageOf(
  paths: readonly string[],
  inputs: readonly Readonly<Record<string, unknown>>[],
) {
  const posted = new Map<string, Posted>();
  const disk: Disk = {
    store: memoryStore(),
    vault: tinyVault(Object.fromEntries(paths.map((path) => [path, 'Text\n']))),
    clock: testClock(),
    model: thinkingModel(({ history }: ModelRequest) => {
      const last = history.at(-1);
      const words = last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
      const at = /^Clean up number (\d+)$/.exec(words)?.[1];
      const input = at === undefined ? undefined : inputs[Number(at)];
      return input === undefined ? says(`Heard: ${words}`) : answers([call('delete', input)]);
    }),
    posted,
  };
  const rig = makeRig(disk);
  await rig.load();
  let spoken = 0;
  const say = async (text: string) => {
    spoken += 1;
    await rig.say(`m${spoken}`, text);
    await rig.idle();
    await disk.clock.advance(10_000);
    return [...posted]
      .filter(([key]) => key.startsWith(`m${spoken} `))
      .map(([, { reply, request }]) => notificationOf(reply, { request, wireName: 'simone' }).body);
  };
  const told: (string | undefined)[] = [];
  for (const at of inputs.keys()) told.push(...(await say(`Clean up number ${at}`)));
  return { say, told, notes: () => [...disk.vault.texts.keys()].sort() };
}

describe('a deletion of several files', () => {
  it.each([
    'Simone, delete it',
    'Simone, delete them',
    'Simone, yes',
    'Yes, Simone, delete Garden',
    'Simone, delete Garden and Ideas',
  ])('is never decided by voice: %s', async (phrase) => {
    const paths = ['Garden.md', 'Ideas.md'];
    const { say, told, notes } = await stageOf(paths, [{ paths }]);
    expect(told.at(-1)).toMatch(/^Deleting several files is never decided by voice, so decide/);
    await say(phrase);
    expect(notes()).toEqual(paths);
  });
});

describe('a name that decides an approval', () => {
  it.each<[string, string, string]>([
    ['Thank you notes.md', 'Notes.md', 'delete Thank you notes'],
    ['Just ideas.md', 'Ideas.md', 'delete just ideas'],
    ['Ideas please.md', 'Ideas.md', 'delete ideas please'],
    ['Garden now.md', 'Garden.md', 'delete garden now'],
    ['Team ideas.md', 'Ideas.md', 'delete ideas'],
    ['Garden 2.md', 'Garden.md', 'delete garden'],
    ['Garden Simone.md', 'Garden.md', 'delete Garden Simone'],
  ])('a name inside another one decides nothing: %s and %s', async (first, second, phrase) => {
    const { say, notes } = await stage(first, second);
    const told = await say('delete it');
    expect(told.every((body) => body?.startsWith('Decide in Obsidian.'))).toBe(true);
    await say(phrase);
    expect(notes()).toEqual([first, second].sort());
  });

  it.each<[string, string]>([
    ['Seeds.md', 'Seats.md'],
    ['Bears.md', 'Pairs.md'],
    ['Cents.md', 'Scents.md'],
    ['Cellar.md', 'Seller.md'],
    ['Write up.md', 'Right up.md'],
    ['Knights.md', 'Nights.md'],
    ['Affects.md', 'Effects.md'],
    ['Tax.md', 'Tacks.md'],
    ['Jane.md', 'Chain.md'],
    ['Hours.md', 'Ours.md'],
    ['Weekend.md', 'Week end.md'],
    ['Which one.md', 'Witch one.md'],
    ['Team nodes.md', 'Notes.md'],
  ])('names that sound alike decide nothing: %s and %s', async (first, second) => {
    const { say, notes } = await stage(first, second);
    const told = await say('delete it');
    expect(told.every((body) => body?.startsWith('Decide in Obsidian.'))).toBe(true);
    await say(`delete ${first.slice(0, -3)}`);
    expect(notes()).toEqual([first, second].sort());
  });

  it.each<[string, string]>([
    ['Thank you notes.md', 'delete Thank you notes'],
    ['Just ideas.md', 'Please delete just ideas'],
    ['Simone.md', 'delete Simone'],
    ['Simone.md', 'Miss Simone, delete Simone now, please'],
    ['Miss Simone.md', 'Delete Miss Simone, Simone'],
    ['Plans for now.md', 'delete plans for now'],
    ['Shopping now.md', 'Simone, delete Shopping now'],
    ['Shopping now.md', 'delete the Shopping now note, thank you'],
    ['Now.md', 'delete now'],
    ['Now.md', 'Yes, delete now now'],
    ['Just now.md', 'delete just now'],
    ['Hey there.md', 'Hey Simone, delete Hey there'],
    ['The last one now.md', 'delete last one now'],
  ])('a name with polite words or the name of the assistant: %s and %s', async (path, phrase) => {
    const { say, notes } = await stage(path, 'Garden.md');
    const name = path.slice(0, -3);
    const told = await say('delete it');
    expect(told[0]).toContain(`Say “Simone, delete ${name}” or “Simone, keep ${name}”`);
    await say(phrase);
    expect(notes()).toEqual(['Garden.md']);
  });

  it.each([
    'It now.md',
    'This please.md',
    'The note now.md',
    'That Simone.md',
    'All, thank you.md',
  ])(
    'a name that may mean any of the open approvals is decided on screen only: %s',
    async (path) => {
      const { say, notes } = await stage(path, 'Garden.md');
      const told = await say('delete it');
      expect(told[0]).toMatch(/^Decide in Obsidian\./);
      expect(told[1]).toMatch(/^Say “Simone, delete Garden” or “Simone, keep Garden”\./);
      await say(`delete ${path.slice(0, -3)}`);
      expect(notes()).toEqual(['Garden.md', path].sort());
    },
  );

  it.each<[string, string]>([
    ['Now.md', 'delete Garden now'],
    ['Now.md', 'delete the note now'],
    ['Now.md', 'delete it now'],
    ['Simone.md', 'delete Garden, Simone'],
    ['Simone.md', 'delete it, Simone'],
    ['Simone.md', 'delete the note, Simone'],
    ['Please.md', 'delete this one please'],
  ])('words that may be a name or an address decide nothing: %s and %s', async (path, phrase) => {
    const { say, notes } = await stage(path, 'Garden.md');
    await say('delete it');
    await say(phrase);
    expect(notes()).toEqual(['Garden.md', path].sort());
  });

  it.each<[string, string]>([
    ['Now.md', 'delete now'],
    ['Simone.md', 'delete Simone'],
    ['Please.md', 'delete please'],
  ])('the name of a decided approval does not decide the next one: %s', async (path, phrase) => {
    const { say, notes } = await stage(path, 'Garden.md');
    await say('delete it');
    await say(phrase);
    expect(notes()).toEqual(['Garden.md']);
    await say(phrase);
    expect(notes()).toEqual(['Garden.md']);
    await say('delete it now');
    expect(notes()).toEqual([]);
  });

  it.each(['delete thank you notes', 'delete just notes', 'delete the thank you notes'])(
    'the name of a note that is not about to be deleted decides nothing: %s',
    async (phrase) => {
      const { say, notes } = await stage('Notes.md', 'Garden.md');
      await say('delete it');
      await say(phrase);
      expect(notes()).toEqual(['Garden.md', 'Notes.md']);
    },
  );

  it.each(['delete the thank you note', 'delete the just note'])(
    'words for another note do not decide the only approval: %s',
    async (phrase) => {
      const { say, notes } = await stage('Notes.md');
      await say(phrase);
      expect(notes()).toEqual(['Notes.md']);
    },
  );

  it.each(['Please just delete Garden', 'Delete Garden now, please', 'delete Garden, thank you'])(
    'polite words around the phrase change nothing: %s',
    async (phrase) => {
      const { say, notes } = await stage('Ideas.md', 'Garden.md');
      await say(phrase);
      expect(notes()).toEqual(['Ideas.md']);
    },
  );

  it('a folder is not deleted by words for a note, nor a note by words for a folder', async () => {
    const { say, notes } = await stage('Ideas.md', 'Garden.md');
    await say('delete the Garden folder');
    expect(notes()).toEqual(['Garden.md', 'Ideas.md']);
    await say('delete the Garden note');
    expect(notes()).toEqual(['Ideas.md']);
  });
});

describe('the name of an open approval', () => {
  it.each([
    'delete Garden',
    'Simone, delete the Garden note',
    'Yes, delete Garden',
    'remove Garden',
  ])('decides the only approval, which was announced with "it": %s', async (phrase) => {
    const { say, told, notes } = await stage('Garden.md');
    expect(told.at(-1)).toMatch(/^Say “Simone, delete it” or “Simone, keep it”\./);
    await say(phrase);
    expect(notes()).toEqual([]);
  });

  it('keeps the only note that is about to be deleted', async () => {
    const { say, notes } = await stage('Garden.md');
    await say('keep Garden');
    await say('delete Garden');
    expect(notes()).toEqual(['Garden.md']);
  });

  it('decides although the request itself had the same words', async () => {
    const { say, notes } = await stage('Ideas.md', 'Garden.md');
    await say('delete Garden');
    expect(notes()).toEqual(['Ideas.md']);
  });

  it('is not a new request if it is too general to decide', async () => {
    const { say } = await stage('It now.md', 'Ideas.md');
    const told = await say('delete it now');
    expect(told[0]).toMatch(/^Decide in Obsidian\. 2 approvals are open\./);
  });

  it('does not hold up a request about another note', async () => {
    const { say } = await stage('Garden.md', 'Ideas.md');
    expect(await say('delete Thank you Garden')).toEqual(['Heard: delete Thank you Garden.']);
    expect(await say('delete Garden and Ideas')).toEqual(['Heard: delete Garden and Ideas.']);
  });
});
