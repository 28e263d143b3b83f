/** Notifications for typed requests while another application has the focus. */
import { expect, test } from 'vitest';
import { awayNews, type AwayNews } from '#app/away-notifications';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, scriptedModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { makeRig } from '../queue/app-on-disk';

async function rigWith(...script: ReturnType<typeof says>[]) {
  const model = scriptedModel(...script);
  const rig = makeRig({ store: memoryStore(), vault: tinyVault({}), clock: testClock(), model });
  await rig.load();
  const heard: AwayNews[] = [];
  rig.agent.subscribe((event, conversation) => {
    const news = awayNews(event, conversation);
    if (news) heard.push(news);
  });
  return { rig, heard };
}

test("a notification reports a typed request's question and its end, quoting the request", async () => {
  const asks = answers([call('ask_user', { question: 'Which colour?' })]);
  const { rig, heard } = await rigWith(asks, says('Painted.'));
  await rig.agent.queue.send({ text: 'Paint it.' });
  await rig.idleOrWaiting();
  await settle();
  expect(heard).toMatchObject([
    { request: 'Paint it.', reply: { kind: 'waiting', interaction: { text: 'Which colour?' } } },
  ]);
  await rig.agent.queue.send({ text: 'Blue.' });
  await rig.idle();
  await settle();
  expect(heard.slice(1)).toMatchObject([
    { request: 'Paint it.', reply: { kind: 'end', end: { kind: 'completed' } } },
  ]);
});

test('no notification reports a spoken request, which SmartHole reports, or a stopped one', async () => {
  const asks = answers([call('ask_user', { question: 'Which colour?' })]);
  const { rig, heard } = await rigWith(says('Done.'), asks);
  await rig.say('spoken-1', 'Paint it.');
  await rig.idle();
  await settle();
  expect(heard).toEqual([]);
  await rig.agent.queue.send({ text: 'Paint the other.' });
  await rig.idleOrWaiting();
  await rig.agent.queue.stop();
  await rig.idle();
  await settle();
  expect(heard.map(({ reply }) => reply.kind)).toEqual(['waiting']);
});
