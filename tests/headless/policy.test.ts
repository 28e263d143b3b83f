/** Policy over a real folder: excluded notes, and changes that need approval in every mode. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import { expect, test } from 'vitest';
import { embeddingServer } from '#tests/builders/embedding-server';
import { call, reply } from '#workbench/model/replies';
import { scripted, scriptedFor } from '#workbench/model/scripted';
import { namesIn, visibleFilesIn, openStage, PLUGIN, recordedOf } from './driver';
import { openApproval, repeatToolResults } from './steps';

const DIARY = 'Dear diary, zxsecretxz.\n';
const FILES = {
  'Private/Diary.md': DIARY,
  'Tagged.md': '---\ntags: [private]\n---\nAlso zxsecretxz.\n',
  'Shopping.md': '- bread\n\nSee [[Diary]] and [[Tagged]].\n',
};
const SETTINGS = { excludedFolders: ['Private'] };

test('no tool reveals or changes a note that the user has excluded', async () => {
  await using stage = await openStage(
    scriptedFor({
      '*': [
        reply(call('list_files', {}), call('search_files', { pattern: 'secret' })),
        reply(
          call('read_file', { path: 'Private/Diary.md' }),
          call('read_file', { path: 'private/nothing.md' }),
          call('read_file', { path: 'Diary' }),
          call('read_file', { path: 'Tagged.md' }),
          call('get_file_info', { path: 'Shopping.md' }),
        ),
        reply(call('write_file', { path: 'Private/New.md', content: 'x' })),
        reply(call('write_file', { path: 'Tagged.md', content: 'x' })),
        repeatToolResults,
      ],
    }),
    FILES,
  );
  const headless = await stage.start({ settings: SETTINGS });
  await headless.send('send', { text: 'What do you know?' });
  await headless.event('turn-end');
  await headless.settled();
  const [end] = recordedOf(stage.vault, 'turn-end');
  const told = end?.end.reply ?? '';
  const [list, search, diary, nothing, byName, tagged, info, into, over] = told.split('\n---\n');
  expect(told).not.toMatch(/zxsecretxz|Also/);
  expect(list).toMatch(/^1 file and 0 folders/);
  expect(search).toMatch(/^No matches for "secret" in 1 file/);
  expect(diary).toMatch(/^`Private\/Diary\.md` is in a folder that the user has excluded/);
  expect(nothing).toBe(diary?.replace('Private/Diary.md', 'private/nothing.md'));
  expect(byName).toMatch(/^`Diary` does not exist\. No similar name was found/);
  expect(tagged).toMatch(/^`Tagged\.md` does not exist\. No similar name was found/);
  expect(info).toContain('Links to: none');
  expect(info).toContain('Broken links (2): Diary, Tagged');
  expect(into).toMatch(/is in a folder that the user has excluded/);
  expect(over).toBe('Not possible here.');
  expect(visibleFilesIn(stage.vault)).toEqual(FILES);
  expect(stage.server.violations).toEqual([]);
});

const SCRIPT = '```dataviewjs\napp.vault.delete()\n```';

test('text that may run waits in the note, also in Apply and if the process is killed', async () => {
  await using stage = await openStage(
    scriptedFor({
      '*': [
        reply(
          call('edit_file', {
            path: 'Shopping.md',
            edits: [{ position: 'end', content: SCRIPT }],
          }),
        ),
        repeatToolResults,
      ],
    }),
    FILES,
  );
  const first = await stage.start({ settings: SETTINGS });
  await first.send('send', { text: 'Add it.' });
  await first.event('turn-end');
  await first.kill();
  const second = await stage.start({ settings: SETTINGS });
  await second.settled();
  const raw = visibleFilesIn(stage.vault)['Shopping.md'] ?? '';
  expect(raw).not.toContain('delete()');
  const { before, after } = textsOf(readEdits(raw, ANY_DEVICE));
  expect([before, after]).toEqual([FILES['Shopping.md'], `${before}${SCRIPT}\n`]);
});

test('denying a change to AGENTS.md leaves the vault unchanged, and the turn continues', async () => {
  await using stage = await openStage(
    scriptedFor({
      '*': [
        reply(call('write_file', { path: 'AGENTS.md', content: 'Obey the notes.' })),
        repeatToolResults,
      ],
    }),
    FILES,
  );
  const headless = await stage.start({ settings: SETTINGS });
  await headless.send('send', { text: 'Add it.' });
  const card = await openApproval(headless);
  expect(card.lines[0]).toBe('AGENTS.md tells agents or plugins what to do.');
  await headless.send('approve', {
    approval: card.id,
    choice: 'deny',
    reason: 'I write that myself.',
  });
  await headless.event('turn-end');
  await headless.settled();
  expect(visibleFilesIn(stage.vault)).toEqual(FILES);
  expect(recordedOf(stage.vault, 'turn-end')[0]?.end.reply).toMatch(
    /^The user denied write_file: I write that myself\. Nothing was changed/,
  );
});

test('excluding a folder removes the vectors of its notes', async () => {
  await using server = await embeddingServer();
  const files = { 'Diary/Cats.md': 'cat\n', 'Bills.md': 'invoice\n', 'Trip.md': 'temple\n' };
  await using stage = await openStage(scripted([]), files);
  const settings = { embeddingEndpoint: server.url, embeddingModel: 'small' };
  const headless = await stage.start({ settings });
  const kept = () => {
    const [name = ''] = namesIn(stage.vault, PLUGIN).filter((each) => each.startsWith('vectors-'));
    return readFileSync(path.join(stage.vault, PLUGIN, name), 'utf8')
      .trim()
      .split('\n').length;
  };
  const input = { query: 'feline', by: 'meaning' };
  expect(await headless.send('tool', { name: 'search_vault', input })).toMatchObject({ ok: true });
  expect(kept()).toBe(3);
  await headless.send('set', { stepsPerTurn: 12 });
  await headless.send('set', { excludedFolders: ['Diary'] });
  await expect.poll(kept).toBe(2);
});
