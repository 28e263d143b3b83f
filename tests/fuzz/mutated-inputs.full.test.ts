/**
 * Damaged input on every way into Parley besides SmartHole's socket and web pages, which have files
 * of their own. Nothing throws, nothing hangs, and what is taken is valid. `FUZZ_SEED=…` repeats a
 * run.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { ChangeLog } from '#edits/change-log';
import { readConversation } from '#conversations/conversation-file';
import { Inbox } from '#queue/inbox';
import { loadSettings, settingProblem } from '#model/settings-validation';
import { isSecureAddress } from '#model/setting-checks';
import { DEFAULT_SETTINGS } from '#model/settings';
import type { CallId, ChangeId, ConversationId, DeviceId } from '#model/ids';
import type { McpServer } from '#model/mcp-server';
import { reduceAll } from '#model/reducer';
import { messagesOf } from '#model/conversation-summary';
import { settingsInForce } from '#model/settings-in-force';
import { ANY_DEVICE, editsOf, printParts, readEdits } from '#model/edit/note-edits';
import { Outbox } from '#voice/outbox';
import { Slices } from '#ports/slices';
import { parseServerFrame } from '#voice/protocol';
import { parsePath } from '#text/paths';
import { addressFacts } from '#policy/given-addresses';
import { pageAddress } from '#web/address-guard';
import { readUsage } from '#usage/usage-log';
import { McpServerManager } from '#mcp/client/manager';
import { jsonLine } from '#ports/line-file';
import { Script } from '#workbench/gallery/script';
import { encodeFrame, framesOf } from '#workbench/model/transmission';
import { call, reply, thinking } from '#workbench/model/replies';
import { memoryStore } from '#tests/builders/fake-storage';
import { testClock } from '#tests/builders/fake-clock';
import { fakeSigner, spentSignatures } from '../builders/fake-signer';
import { collect, providerFor, request } from '#tests/providers/provider';
import { change, DEVICE } from '#tests/edits/changes';
import { fuzz, mutated, type FuzzCount } from './mutate';

const NEVER = new AbortController().signal;
const counts: Record<string, FuzzCount> = {};
afterAll(() => console.log(`Mutated inputs:\n${JSON.stringify(counts, null, 1)}`));

const script = new Script('fuzzed').ask('Add milk.').step();
script.call('read_file', { path: 'A.md' }, 'Text', { details: { kind: 'read', paths: ['A.md'] } });
script.say('Done.').done('Done.');
const CONVERSATION = script.events.map(jsonLine).join('');

const work = new Slices({ now: () => 0, pause: async () => undefined });

describe('damaged files', () => {
  test('a damaged conversation file is read without an error, and its messages can be shown', async () => {
    counts['conversation files'] = await fuzz([CONVERSATION], 2_000, async (text) => {
      const read = await readConversation('fuzzed' as ConversationId, text, work).catch(
        (error: unknown) => {
          // The one error that callers expect: a file of a newer version.
          expect((error as { code?: unknown }).code).toBe('EVERSION');
          return null;
        },
      );
      if (!read) return 'newer';
      messagesOf(read.state);
      return read.damaged > 0 ? 'damaged lines' : 'whole lines';
    });
  });

  test('damaged files of the change log and of the usage are read as far as they are whole', async () => {
    const store = memoryStore();
    const written = new ChangeLog(store, 'ledger', DEVICE);
    for (const id of ['change-1', 'change-2']) {
      const made = { kind: 'write', path: 'A.md', before: 'a', after: 'b' } as const;
      await written.intend(change(made, { id, call: id, time: 5 }));
      await written.setFate(id as ChangeId, 'done');
    }
    const samples = [...store.files];
    counts['change log'] = await fuzz(['-'], 4_000, async (_, random) => {
      const [path, text] = samples[random(samples.length)]!;
      const files = { ...Object.fromEntries(samples), [path]: mutated(text, random) };
      const log = new ChangeLog(memoryStore(files), 'ledger', DEVICE);
      const list = await log.changes();
      const texts = await log.read(list.ofNote('A.md'));
      for (const call of ['change-1', 'change-2']) await log.ofCall(call as CallId);
      await log.userActionsSince(0);
      return `${list.all().length} changes, ${texts.size} with texts`;
    });
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const line = jsonLine({ version: 1, time: 1, model: 'm', what: 'turn', usage, cost: 0.1 });
    counts['usage'] = await fuzz([line.repeat(3)], 5_000, (text) => {
      const forwards = [...readUsage(text)].length;
      expect([...readUsage(text, 'newest-first')]).toHaveLength(forwards);
      return String(forwards);
    });
  });

  test('damaged requests and replies are kept aside or dropped', async () => {
    const saved = memoryStore();
    const spent = spentSignatures(saved);
    await new Inbox(saved, 'inbox', 'device-1' as DeviceId, fakeSigner(), spent).receive({
      ...{ id: 'request-1' as never, time: 1, text: 'Add milk.', source: 'typed' },
      ...{ conversation: null, attachments: [], reply: { to: 'chat' } },
    });
    const sample = [...saved.files.values()][0]!;
    counts['inbox'] = await fuzz([sample], 3_000, async (text) => {
      const store = memoryStore({ 'inbox/request-1.json': text });
      const { requests, damaged } = await new Inbox(
        store,
        'inbox',
        'd' as DeviceId,
        fakeSigner(),
        spentSignatures(store),
      ).load();
      expect(requests.length + damaged.length).toBe(1);
      expect(store.files.get('inbox/request-1.json')).toBe(text);
      for (const { request: one } of requests) expect(typeof one.text).toBe('string');
      return requests.length === 1 ? 'read' : 'damaged';
    });
    const outbox = memoryStore();
    const clock = testClock();
    const path = 'out';
    const written = new Outbox({ clock, store: outbox, path, report: () => undefined });
    await written.load();
    await written.keepReply({
      ...{ key: 'k', about: 'k', messageIds: ['m1'], done: null, turn: null },
      notification: { title: 'T', body: 'B', priority: 'normal' },
    });
    counts['outbox'] = await fuzz([outbox.files.get('out') ?? ''], 3_000, async (text) => {
      const reports: string[] = [];
      const store = memoryStore({ out: text });
      const box = new Outbox({ clock, store, path, report: (each) => void reports.push(each) });
      await box.load();
      for (const { notification } of box.replies) expect(typeof notification.body).toBe('string');
      return `${box.replies.length} replies${reports.length > 0 ? ', reported' : ''}`;
    });
  });

  test('a damaged note with proposals is printed as it was read', async () => {
    const block =
      'old\n```ai-edit\n{"id":"abc123","type":"replace","before":"old\\n","after":"new\\n"}\n```\n#ai_edit\n';
    counts['notes with proposals'] = await fuzz(
      [`---\na: 1\n---\n# A\n\n${block}\nText\n`],
      5_000,
      (text) => {
        const edits = readEdits(text, ANY_DEVICE);
        expect(printParts(edits.parts)).toBe(text);
        return editsOf(edits).length > 0 ? 'with blocks' : 'text only';
      },
    );
  });

  test('damaged settings are valid or left out, and grant nothing', async () => {
    const sample = JSON.stringify({
      version: 1,
      settings: {
        ...{ endpoint: 'https://a.example', tools: { delete: 'allow' }, panelMode: 'apply' },
        ...{ excludedFolders: ['A'], commands: ['x'], prices: { m: { input: 1 } } },
        mcpServers: [
          {
            id: 's',
            name: 'S',
            enabled: true,
            kind: 'http',
            url: 'https://a.example',
            secret: 't',
          },
        ],
        contextPresets: [{ name: 'P', attachments: [{ kind: 'note', path: 'A.md' }] }],
      },
    });
    counts['settings'] = await fuzz([sample], 2_500, (text) => {
      let saved: unknown;
      try {
        saved = JSON.parse(text);
      } catch {
        return 'not JSON';
      }
      const { settings, problems } = loadSettings(saved);
      for (const [name, value] of Object.entries(settings)) {
        expect(settingProblem(name, value)).toBeNull();
      }
      const applied = settingsInForce(DEFAULT_SETTINGS, settings);
      expect([applied.endpoint, applied.panelMode, applied.commands]).toEqual([
        DEFAULT_SETTINGS.endpoint,
        DEFAULT_SETTINGS.panelMode === 'review' && settings.panelMode === 'read-only'
          ? 'read-only'
          : 'review',
        [],
      ]);
      return problems.length > 0 ? 'with problems' : 'valid';
    });
  });
});

describe('damaged messages', () => {
  test('a damaged frame of SmartHole is a message, a registration or nothing', async () => {
    const frames = [
      {
        type: 'message',
        payload: {
          id: 'm1',
          text: 'Add milk.',
          timestamp: '2026-01-01T00:00:00Z',
          metadata: { inputMethod: 'voice', directRouted: true },
        },
      },
      { type: 'registration_response', payload: { success: true, code: 'ok', message: 'Hi' } },
    ].map((frame) => JSON.stringify(frame));
    counts['SmartHole frames'] = await fuzz(frames, 8_000, (text) => parseServerFrame(text).kind);
  });

  test('a damaged model stream ends with a stop or a failure, and never with an error', async () => {
    const facts = {
      ...{ messageId: 'm1', model: 'claude-sonnet-5-5' },
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation_1h_input_tokens: 0,
        thinking_tokens: 0,
      },
    };
    const samples = [
      reply('Hello, how are you?'),
      reply(
        thinking('Hm.'),
        'I read.',
        call('read_file', { path: 'A.md' }),
        call('edit_file', { path: 'B.md' }),
      ),
    ].map((each) => framesOf(each, facts).map(encodeFrame).join(''));
    counts['model streams'] = await fuzz(samples, 800, async (text, random) => {
      const bytes = new TextEncoder().encode(text);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length;) {
            const end = at + 1 + random(400);
            controller.enqueue(bytes.slice(at, end));
            at = end;
          }
          controller.close();
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      const provider = providerFor('https://model.example', {
        fetch: async () => new Response(stream, { headers }),
      });
      const events = await collect(provider.stream(request(), NEVER));
      const last = events.at(-1);
      expect(['end', 'failure', 'stop', 'failed']).toContain(last?.type);
      return last?.type ?? 'nothing';
    });
  });

  test('a damaged answer of an MCP server becomes a result or a failure, and the manager goes on', async () => {
    const server: McpServer = {
      id: 's',
      name: 'S',
      enabled: true,
      kind: 'http',
      url: 'https://mcp.example/mcp',
      secret: '',
    };
    const answerTo = (body: {
      id?: number;
      method?: string;
      params?: { protocolVersion?: string };
    }) => {
      const { id, method, params } = body;
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion ?? '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'S', version: '1' },
        },
        'tools/list': {
          tools: [
            {
              name: 'a',
              description: 'Does a.',
              inputSchema: { type: 'object', properties: { x: { type: 'string' } } },
            },
          ],
        },
        'tools/call': { content: [{ type: 'text', text: 'Yes.' }] },
      };
      return JSON.stringify({ jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} });
    };
    counts['MCP servers'] = await fuzz(['-'], 150, async (_, random) => {
      const spoilt = ['initialize', 'tools/list', 'tools/call'][random(3)];
      const manager = new McpServerManager({
        ...{ clock: testClock(), version: '0' },
        fetch: async (_url, init) => {
          if (init?.method !== 'POST') return new Response(null, { status: 405 });
          const body = JSON.parse(String(init.body)) as Parameters<typeof answerTo>[0];
          if (body.id === undefined) return new Response(null, { status: 202 });
          const whole = answerTo(body);
          const text = body.method === spoilt ? mutated(whole, random) : whole;
          return new Response(text, { headers: { 'content-type': 'application/json' } });
        },
        servers: () => [server],
        secret: () => null,
        timeouts: { start: 500, turn: 500, quiet: 500, call: 1_000 },
      });
      await manager.start(NEVER);
      const before = manager.status(server).kind;
      const answer = await manager.call('s', 'a', {}, { signal: NEVER, progress: () => undefined });
      expect(typeof answer.text).toBe('string');
      await manager.close();
      return `${before}, ${answer.failed ? 'failed' : 'answered'}`;
    });
  });
});

describe('damaged addresses and paths', () => {
  test('a damaged address is refused or is one of the public web, and is never given by accident', async () => {
    const samples = [
      'https://example.com/page?q=1#part',
      'http://user:pass@127.0.0.1:8080/../x',
      'obsidian://open?vault=a&file=b',
      'file:///etc/passwd',
      'data:text/html,<script>x</script>',
      'https://[::ffff:127.0.0.1]/x',
    ];
    const turns = new Script('given').ask(`Read ${samples[0]}`).step();
    const given = reduceAll(turns.id, turns.events).turns;
    counts['addresses'] = await fuzz(samples, 10_000, (text) => {
      const read = pageAddress(text);
      if (isSecureAddress(text)) {
        expect(text).toSatisfy((one: string) => /^(?:https:|http:)$/.test(new URL(one).protocol));
      }
      const { givenBy } = addressFacts(text, given, 'call', given);
      if (givenBy !== null) expect(new URL(text).host).toMatch(/^example\.com$/);
      if (!read.ok) return 'refused';
      expect(read.url.protocol).toMatch(/^https?:$/);
      expect(read.url.username + read.url.password).toBe('');
      return 'public';
    });
  });

  test('a damaged path is refused or stays inside the vault', async () => {
    const samples = [
      'Lists/Shopping.md',
      '../../etc/passwd',
      '[[Note#Heading|x]]',
      'C:\\x\\y',
      '.git/config',
    ];
    counts['paths'] = await fuzz(samples, 10_000, (text) => {
      const parsed = parsePath(text);
      if (!parsed.ok) return 'refused';
      expect(parsed.path.split('/')).not.toContain('..');
      expect(parsed.path).not.toMatch(/^\/|\/\/|\/$/);
      return 'inside';
    });
  });
});

test.each(['-1e999', '-1e300', '1.5', 'null', '"x"'])(
  'a conversation file of the version %s is read as one of the oldest version',
  async (version) => {
    const text = CONVERSATION.replace(/"version":\d+/, `"version":${version}`);
    const read = await readConversation('fuzzed' as ConversationId, text, work);
    expect(messagesOf(read.state).length).toBeGreaterThan(0);
  },
);
