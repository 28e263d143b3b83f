import { test } from 'vitest';
import path from 'node:path';
import { connect } from '#mcp/connection';
import { systemClockForTest } from './real';
test('x', async () => {
  const t0 = Date.now();
  for (const program of [
    {
      command: process.execPath,
      args: [path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
      env: {},
    },
    {
      command: process.execPath,
      args: [
        path.resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'),
        '/tmp/mcpsz',
      ],
      env: {},
    },
    { command: 'nosuch', args: [], env: {} },
    { command: 'false', args: [], env: {} },
    { command: 'sh', args: ['-c', 'echo bad luck >&2; exit 3'], env: {} },
  ]) {
    try {
      const c = await connect(
        { kind: 'stdio', program },
        {
          clock: systemClockForTest,
          fetch,
          version: '1',
          patience: { start: 10000, quiet: 3000, call: 5000 },
          onTools: (t) => console.log('tools', t.length),
          onEnd: (w) => console.log('end', w),
        },
      );
      console.log(Date.now() - t0, c.tools.map((t) => `${t.name} ${t.saysItReads}`).join(', '));
      console.log(
        JSON.stringify(await c.call('echo', { message: 'hi' }, new AbortController().signal)),
      );
      console.log(JSON.stringify(c.tools[0]));
      await c.close();
    } catch (e) {
      console.log(String(e));
    }
    console.log(Date.now() - t0);
  }
}, 60000);
