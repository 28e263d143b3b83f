/** Search in past conversations by a process that has read none of them. */
import { expect, test } from 'vitest';
import type { SearchHit } from '#ports/app/conversations-port';
import { reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import { openStage, PLUGIN, readFileIn, writeFileIn, type Reply } from './driver';

type Found = Reply & { readonly hits: readonly SearchHit[]; readonly unread: number };

test('a later process finds messages in conversations of this and other devices', async () => {
  await using stage = await openStage(
    scripted([reply('Oat milk is on the list.'), reply('The garden needs rain.')]),
  );
  const first = await stage.start();
  await first.send('send', { text: 'Which milk is on the list?' });
  await first.event('turn-end');
  const { conversation } = await first.send('new');
  await first.send('send', { text: 'What does the garden need?', conversation });
  await first.event('turn-end', (event) => event.conversation === conversation);
  await first.kill();
  const theirs = `${PLUGIN}/conversations/conversation-theirs.jsonl`;
  const mine = readFileIn(stage.vault, `${PLUGIN}/conversations/${conversation}.jsonl`)!;
  writeFileIn(stage.vault, theirs, mine.replaceAll(/"device":"[^"]+"/g, '"device":"device-else"'));

  const again = await stage.start();
  const milk = await again.send<Found>('search', { query: 'MILK list' });
  expect(milk).toMatchObject({ ok: true, complete: true, unread: 0 });
  expect(milk.hits.map(({ where, snippet }) => [where, snippet.text])).toEqual([
    ['title', 'Which milk is on the list?'],
    ['message', 'Oat milk is on the list.'],
    ['message', 'Which milk is on the list?'],
  ]);
  const rain = await again.send<Found>('search', { query: 'rain', limit: 2 });
  expect(rain.hits.map((hit) => hit.conversation).toSorted()).toEqual(
    [conversation, 'conversation-theirs'].toSorted(),
  );
  expect(await again.send('search', { query: 7 })).toMatchObject({ ok: false });
  expect(await again.send('search', { query: 'milk', limit: 0 })).toMatchObject({ ok: false });
  expect((await again.settled()).problems).toEqual([]);
  const after = readFileIn(stage.vault, theirs);
  expect(after).toBe(mine.replaceAll(/"device":"[^"]+"/g, '"device":"device-else"'));
});
