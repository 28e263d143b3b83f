import net from 'node:net';
import { expect, test } from 'vitest';
import { loopbackServer } from '#obsidian/platform/loopback-server';
import { NODE } from '#tests/builders/node-modules';

test('connections that send no request do not keep clients out', async () => {
  const port = 19_573;
  const server = await loopbackServer(NODE).listen(port, async () => new Response('Here.'));
  const silent: net.Socket[] = [];
  for (let count = 0; count < 100; count += 1) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise((connected) => socket.once('connect', connected));
    if (count % 2 === 0) socket.write('POST / HTTP/1.1\r\nHost: x\r\n');
    silent.push(socket);
  }
  for (let count = 0; count < 5; count += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('Here.');
  }
  for (const socket of silent) socket.destroy();
  await server.close();
});
