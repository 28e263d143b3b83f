/** Two processes on one vault: only the leader runs requests. */
import { expect, test } from 'vitest';
import { gate, slowStart } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import { namesIn, openStage, readFileIn, recordedOf, type State } from './driver';

test('a follower does not touch the open turn, and runs its own request once the leader is gone', async () => {
  const held = gate();
  await using stage = await openStage(
    scripted([
      reply(
        call('edit_file', { path: 'List.md', edits: [{ position: 'end', content: '- milk' }] }),
      ),
      slowStart(reply('Added.'), held.promise),
      reply('Hello.'),
    ]),
    { 'List.md': '- bread\n' },
  );
  const first = await stage.start();
  await first.send('send', { text: 'Add milk.' });
  await first.event('call-end');
  const second = await stage.start();
  const state = await second.send<State>('state');
  expect(state.problems.join()).toContain('already running on this vault');
  expect(await second.send('new')).toMatchObject({ ok: false });
  expect(await second.send('send', { text: 'Hello?' })).toMatchObject({ ok: true });
  held.open();
  await first.event('turn-end');
  expect(recordedOf(stage.vault, 'turn-end')).toHaveLength(1);
  await first.kill();
  await second.event('turn-end');
  expect((await second.send<State>('state')).problems).toEqual([]);
  expect(recordedOf(stage.vault, 'turn-end').map(({ end }) => end.reply)).toEqual([
    'Added.',
    'Hello.',
  ]);
  expect(readFileIn(stage.vault, 'List.md')).toBe('- bread\n- milk\n');
});

test('a vault has no leader after the program has quit, so that the next one leads at once', async () => {
  await using stage = await openStage(scripted([reply('Hello.')]));
  const first = await stage.start();
  expect(namesIn(stage.vault, '.smarthole').join()).toContain('.lease');
  first.write(JSON.stringify({ cmd: 'quit' }));
  expect(await first.ended).toBe(0);
  expect(namesIn(stage.vault, '.smarthole').join()).not.toContain('.lease');
  const second = await stage.start();
  expect((await second.send<State>('state')).problems).toEqual([]);
});
