/**
 * Marked secrets on every path through the built plugin: servers of all kinds repeat the secret that
 * they were sent in every answer. It is found nowhere afterward.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { McpServer } from '#model/mcp-server';
import type { Event } from '#model/event';
import { SETTINGS_VERSION } from '#model/settings-validation';
import { diagnostics } from '#obsidian/settings/diagnostics';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { until } from '#tests/headless/driver';
import { writeFiles } from '#tests/builders/workbench-host';
import { bootHeadless } from '#workbench/boot-headless';
import type { CommandTarget } from '#workbench/headless/commands';
import { statusError } from '#workbench/model/faults';
import { call, paced, reply, thinking } from '#workbench/model/replies';
import { lastSaid, userWords } from '#workbench/model/wire';
import { startModelServer } from '#workbench/model/server';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { ensureBuilt } from '../workbench/build/ensure-built.mjs';

const SECRETS = {
  'parley-api-key': 'sk-ant-zqmodel7f3a91',
  'embed-key': 'zqembed5e1b72c8',
  'far-token': 'zqfar9c44d0e61',
  'near-word': 'zqnear2b8f55a3',
};

/** Forms in which a server may repeat a secret. */
const forms = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret),
  `Bearer ${secret}`,
  [...secret].join(''),
];

/** Answers every request with status 500 and the authorization that it came with. */
async function tellingServer() {
  const heard: string[] = [];
  const server = http.createServer((request, response) => {
    const word = String(request.headers.authorization).replace(/^Bearer /, '');
    heard.push(word);
    response.writeHead(500, { 'content-type': 'text/plain', 'www-authenticate': `Bearer ${word}` });
    response.end(`Refused: ${forms(word).join(', ')}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { heard, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** All texts of a folder, hidden files included, by path. */
function textsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile() && !file.endsWith('main.js'))
      .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]),
  );
}

test('no secret appears in files, events, errors, notifications, logs, diagnostics, exports or MCP traffic, however servers repeat it', async () => {
  const printed: string[] = [];
  const spies = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...all) => void printed.push(all.join(' '))),
  );
  const { pluginDir } = await ensureBuilt();
  const vault = temporaryFolder('secrets');
  const [embedding, far] = [await tellingServer(), await tellingServer()];
  const smartHole = await FakeSmartHole.start();
  const heard = new Set<string>();
  const model = await startModelServer({
    respond: ({ tools = [], messages }, { headers }) => {
      const key = String(headers['x-api-key'] ?? headers['authorization']).replace(/^Bearer /, '');
      heard.add(key);
      const said = userWords(messages[lastSaid(messages)]);
      const message = `Key ${forms(key).join(', ')} is bad.`;
      if (tools.length === 0) return reply('A title');
      if (said.includes('Stream')) {
        const over = reply('One two three four five six seven eight nine ten.');
        return {
          kind: 'fault',
          name: 'error-event',
          over,
          after: 3,
          errorType: 'api_error',
          message,
        };
      }
      const status = /Status (\d+)/.exec(said)?.[1];
      if (status !== undefined) return statusError(Number(status), { message });
      const names = tools.map(({ name }) => name).filter((name) => /^(?:near|far)_/.test(name));
      if (messages.length > 2) return paced(reply(`Done: ${message}`), { chunkBytes: 5 });
      if (said.includes('Repeat')) {
        const write = call('write_file', { path: `${key}.md`, content: message });
        return paced(reply(thinking(message), message, write), { chunkBytes: 5 });
      }
      return reply(
        ...names.map((name) => call(name, {})),
        call('search_vault', { query: 'apples', by: 'meaning' }),
      );
    },
  });
  const servers: readonly McpServer[] = [
    {
      ...{ id: 's-near', name: 'near', enabled: true, kind: 'stdio', command: process.execPath },
      args: [path.resolve(import.meta.dirname, '../mcp/telling-server.mjs')],
      env: { WORD: '{{near-word}}' },
    },
    { id: 's-far', name: 'far', enabled: true, kind: 'http', url: far.url, secret: 'far-token' },
  ];
  const settings = {
    endpoint: model.url,
    embeddingEndpoint: embedding.url,
    embeddingModel: 'small',
    embeddingKeyName: 'embed-key',
    mcpServers: servers,
    tools: Object.fromEntries(['tell', 'fail', 'die'].map((name) => [`s-near ${name}`, 'allow'])),
    panelMode: 'apply',
    smartHolePort: smartHole.port,
    mcpServerEnabled: true,
    mcpServerPort: 19_474,
  };
  writeFiles(vault, {
    'Apples.md': 'Apples.\n',
    '.obsidian/plugins/parley/data.json': JSON.stringify({ version: SETTINGS_VERSION, settings }),
    '.obsidian/workbench-local-storage.json': JSON.stringify({
      'parley-trusted-settings': JSON.stringify({ settings, declined: [] }),
    }),
  });
  const events: Event[] = [];
  const host = await bootHeadless({ vault, pluginDir, secrets: SECRETS });
  const plugin = host.plugin as unknown as CommandTarget;
  const agent = await plugin.agent;
  agent.subscribe((event) => void events.push(event));
  await plugin.ready;
  const { token } = await agent.mcpServer.access();
  const ends = () => events.filter(({ type }) => type === 'turn-end').length;

  const requests = [
    'Status 401',
    'Status 400',
    'Status 403',
    'Stream',
    'Use every tool.',
    'Repeat.',
  ];
  for (const text of requests) {
    const before = ends();
    await agent.conversations.create();
    expect(await agent.queue.send({ text })).toMatchObject({ ok: true });
    // A stream that fails is retried with pauses.
    if (text === 'Stream')
      await until(() => events.some(({ type }) => type === 'retry-start'), 'a retry');
    if (text === 'Stream') await agent.queue.stop();
    await until(() => ends() > before, `the end of "${text}"`);
  }
  await until(() => smartHole.clients.length > 0, 'a registration');
  smartHole.say('Status 401 please');
  await until(() => smartHole.shown.length > 0, 'a notification');
  const embedded = await agent.settings.embedNotes(() => undefined, new AbortController().signal);
  const checked = await agent.settings.checkConnection();
  const tested = await Promise.all(servers.map(({ id }) => agent.mcpServers.test(id)));
  const state = await agent.state();
  await agent.conversations.exportAll('Exported', {
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const everything: Record<string, unknown> = {
    events,
    deltas: events.map((event) => ('delta' in event ? event.delta.text : '')).join(''),
    printed,
    embedded,
    checked,
    tested,
    state,
    log: agent.log(),
    diagnostics: await diagnostics(agent, '1.0.0'),
    requests: model.requests.map(({ body }) => body),
    smartHole: smartHole.log,
    notifications: smartHole.shown,
  };
  await host.close();
  await Promise.all([model.close(), smartHole.close()]);
  embedding.close();
  far.close();
  spies.forEach((spy) => spy.mockRestore());
  Object.assign(everything, textsIn(vault));

  // Each server was really sent its secret, and could repeat it.
  expect([...heard]).toEqual([SECRETS['parley-api-key']]);
  expect(new Set(embedding.heard)).toEqual(new Set([SECRETS['embed-key']]));
  expect(new Set(far.heard)).toEqual(new Set([SECRETS['far-token']]));
  const results = events.flatMap((event) => (event.type === 'call-end' ? event.result.text : []));
  expect(results.join('\n')).toContain('The word is •••.');

  const found = Object.entries(everything).flatMap(([where, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [...Object.values(SECRETS), token]
      .filter((secret) => text.includes(secret))
      .map((secret) => {
        const at = text.indexOf(secret);
        return `${where}: …${text.slice(Math.max(0, at - 80), at + secret.length)}`;
      });
  });
  expect(found).toEqual([]);
  expect(Object.keys(everything).length).toBeGreaterThan(15);
});
