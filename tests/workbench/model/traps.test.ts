import { afterEach, describe, expect, it } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { startModelServer, type ModelServer } from '#workbench/model/server';
import { NAMED_FAULTS, troubled } from '#workbench/model/traps';

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const ask = (server: ModelServer) =>
  fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'a' }] }),
  });

async function serve() {
  const model = troubled(() =>
    reply('Some words to be said.', call('read_file', { path: 'A.md' })),
  );
  const server = await startModelServer({ respond: model, validate: false });
  open.push(server);
  return { model, server };
}

describe('injected faults', () => {
  it('every fault has a unique name', () => {
    expect(new Set(NAMED_FAULTS.map(({ name }) => name)).size).toBe(NAMED_FAULTS.length);
  });

  it.each(NAMED_FAULTS.filter(({ name }) => name !== 'stall'))(
    'the fault $name affects one reply, and the next is complete',
    async ({ lay }) => {
      const { model, server } = await serve();
      model.trouble(lay);
      await ask(server).then(
        (response) => response.text().catch(() => 'cut'),
        () => 'no answer',
      );
      const next = await (await ask(server)).text();
      expect(next).toContain('event: message_stop');
    },
  );

  it('a fault can affect several replies, and replies can be slowed down', async () => {
    const { model, server } = await serve();
    const overloaded = NAMED_FAULTS.find(({ name }) => name === 'status-529');
    model.trouble((over) => overloaded?.lay(over) ?? over, 2);
    model.pace({ chunkBytes: 1 });
    const statuses = [await ask(server), await ask(server), await ask(server)];
    expect(statuses.map(({ status }) => status)).toEqual([529, 529, 200]);
    expect((await statuses[2]?.text())?.match(/text_delta/g)).toHaveLength(22);
  });
});
