import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles, type Files } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { createNodeDisk } from '#workbench/disk/node-disk';
import { startWorkbenchServer } from '#workbench/server/server';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function open(files: Files = {}) {
  const [vault, pageDir] = [temporaryFolder('served'), temporaryFolder('page')];
  writeFiles(vault, files);
  writeFiles(pageDir, { 'index.html': 'the page', 'page.js': 'its script' });
  const server = await startWorkbenchServer({
    ...{ disk: createNodeDisk(vault), pageDir, secrets: new Map(), demo: null, smartHole: null },
    session: {
      ...{ base: vault, configDir: '.obsidian', pluginId: 'toy', settings: {} },
      ...{
        model: 'none',
        hasDemoModel: false,
        hasSimulatedSmartHole: false,
        isSmartHoleFound: false,
        platform: 'linux',
      },
    },
  });
  const { port, origin } = new URL(server.url);
  const ask = (where: string, { method = 'POST', headers = {}, body }: Asking = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: where, method, headers }, (res) => {
        let text = '';
        res.on('data', (data: Buffer) => (text += data.toString()));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text, headers: res.headers }));
      });
      // Node sends no Content-Length with a GET, so the server would parse a body as the next
      // request.
      sent.on('error', reject).end(method === 'POST' ? body : undefined);
    });
  const page = await ask(server.url.slice(origin.length), { method: 'GET' });
  const cookie = String(page.headers['set-cookie']).split(';')[0] ?? '';
  const call = async (op: string, args: unknown[]) => {
    const { text } = await ask(`/api/disk/${op}`, {
      headers: { cookie },
      body: JSON.stringify(args),
    });
    return JSON.parse(text) as { value?: unknown; problem?: { message: string; code?: string } };
  };
  return { vault, ask, cookie, call, port, [Symbol.asyncDispose]: () => server.close() };
}

test('the workbench server serves its page to anyone, and the vault only with the cookie from the full URL', async () => {
  await using server = await open({ 'a.md': 'secret' });
  const { ask, cookie } = server;
  expect((await ask('/', { method: 'GET' })).headers['set-cookie']).toBeUndefined();
  expect((await ask('/page.js', { method: 'GET' })).text).toBe('its script');
  for (const [method, where] of [
    ['POST', '/api/session'],
    ['POST', '/api/disk/tree'],
    ['GET', '/api/file/a.md'],
    ['GET', '/api/changes'],
    ['POST', '/api/request'],
  ] as const) {
    expect((await ask(where, { method, body: '[]' })).status).toBe(403);
    const wrong = { cookie: `${cookie.split('=')[0]}=guessed` };
    expect((await ask(where, { method, body: '[]', headers: wrong })).status).toBe(403);
  }
  const bytes = await ask('/api/file/a.md', { method: 'GET', headers: { cookie } });
  expect(bytes.text).toBe('secret');
  expect(bytes.headers['content-security-policy']).toContain('sandbox');
});

test('the workbench server rejects other origins and unknown host names', async () => {
  await using server = await open();
  const { ask, cookie, port } = server;
  const body = '[]';
  const status = async (headers: Record<string, string>) =>
    (await ask('/api/disk/tree', { headers: { cookie, ...headers }, body })).status;
  expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(200);
  expect(await status({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
  expect(await status({ origin: 'https://elsewhere.example' })).toBe(403);
  expect(await status({ origin: 'null' })).toBe(403);
  expect(await status({ origin: 'http://127.0.0.1:1' })).toBe(403);
  expect(await status({ host: `elsewhere.example:${port}` })).toBe(403);
});

test('the workbench server serves no files outside its page folder', async () => {
  await using server = await open();
  for (const where of ['/../secret', '/%2e%2e/secret', '/..%2fsecret', '//etc/passwd']) {
    expect((await server.ask(where, { method: 'GET' })).status).toBe(404);
  }
});

test('the workbench server rejects paths outside the vault, also through links', async () => {
  await using server = await open({ 'in/a.md': 'a' });
  const { ask, cookie, call, vault } = server;
  const outside = temporaryFolder('outside');
  writeFiles(outside, { 'b.md': 'b' });
  symlinkSync(outside, path.join(vault, 'out'), 'junction');
  const bad = [
    '../b.md',
    '/etc/passwd',
    'in/../../b.md',
    'out/b.md',
    'out/new.md',
    'in\\..\\x',
    './a',
    1,
  ];
  for (const each of bad) {
    for (const [op, args] of [
      ['read', [each]],
      ['stat', [each]],
      ['remove', [each]],
      ['rename', ['in/a.md', each]],
      ['copy', ['in/a.md', each]],
      ['make-folder', [each]],
    ] as const) {
      expect((await call(op, [...args])).problem?.message).toContain('outside the vault');
    }
    expect((await call('read-texts', [[each, 'in/a.md']])).value).toEqual([null, 'a']);
    const many = await ask('/api/disk/read-many', {
      headers: { cookie },
      body: JSON.stringify([[each, 'in/a.md']]),
    });
    expect(many.text).toBe('a');
  }
  expect(readFileSync(path.join(outside, 'b.md'), 'utf8')).toBe('b');
});

test('the workbench server returns no texts when the folder of the vault is gone', async () => {
  await using server = await open({ 'a.md': 'a' });
  renameSync(server.vault, `${server.vault}-moved`);
  expect((await server.call('read-texts', [['a.md', 'b.md']])).value).toEqual([null, null]);
  expect((await server.call('list-many', [['']])).value).toEqual([null]);
  renameSync(`${server.vault}-moved`, server.vault);
});

test('the workbench server reports disk errors with their code', async () => {
  await using server = await open({ 'a.md': 'a', 'b.md': 'b' });
  const { call } = server;
  expect((await call('read', ['none.md'])).problem?.code).toBe('ENOENT');
  expect((await call('rename', ['a.md', 'b.md'])).problem?.message).toContain('already exists');
  expect((await call('stat', ['none.md'])).value).toBeNull();
  expect((await call('dance', [])).problem?.message).toContain('dance');
});
