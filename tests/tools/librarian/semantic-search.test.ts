import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmbeddingServer } from '#search/embeddings';
import { embeddingServer, type FakeEmbeddingServer } from '#tests/builders/embedding-server';
import { testClock } from '../../builders/fake-clock';
import { memoryMetadata } from '../../builders/fake-metadata';
import { MemoryNotes, type NoteFiles } from '../../builders/fake-vault';
import { memoryStore, type MemoryStore } from '../../builders/fake-storage';
import { ToolBench } from '#tests/builders/tools';
import { cases } from '#tests/cases';

const NOTES = {
  'Pets.md': '# Pets\n\nThe kitten sleeps all day.\n',
  'Bills.md': '# Bills\n\nAn invoice came.\n\n## Next year\n\nThe budget for seeds.\n',
  'Trip.md': '# 京都\n\n苔寺\n',
  'Private/Diary.md': 'My cat is a secret.\n',
  'Hidden.md': '#private the cat, too\n',
} as const;

const settings = { excludedFolders: ['Private'] };

function benchFor(
  files: NoteFiles,
  fake: FakeEmbeddingServer | null,
  store: MemoryStore = memoryStore(),
) {
  const notes = new MemoryNotes(files);
  const metadata = memoryMetadata(notes);
  const server: EmbeddingServer = {
    ...{ endpoint: fake?.url ?? '', model: 'small', key: 'k' },
    ...{ fetch, clock: testClock() },
  };
  const set = { ...server };
  const bench = new ToolBench(notes, metadata, store, {
    settings,
    embeddings: () => (fake ? set : null),
  });
  const update = async (
    tell: (done: number, all: number) => void = () => undefined,
    signal = new AbortController().signal,
  ) => {
    return bench.search.semanticSearch().update(signal, tell);
  };
  return { bench, notes, store, set, update };
}

async function near(bench: ToolBench, query: string, more: object = {}): Promise<string> {
  return (await bench.call('search_vault', { query, by: 'meaning', ...more })).text;
}

describe('Semantic search', () => {
  it('semantic search finds passages of the same meaning and shows their nearness', async () => {
    await using server = await embeddingServer();
    const { bench } = benchFor(NOTES, server);
    const told = await near(bench, 'a purring animal', { limit: 2 });
    expect(told).toMatch(
      /^The 2 notes of 3 nearest in meaning to "a purring animal", nearest first\..*\n\nPets\.md \(\S+; nearness (?:0\.9\d|1\.00)\)\n1: # Pets\n2: \n3: The kitten sleeps all day\.\n\n/,
    );
    expect(await near(bench, 'money', { limit: 1 })).toContain('Bills.md (');
    expect(await near(bench, 'temple', { limit: 1, include_content: true })).toContain('3: 苔寺');
    expect(await near(bench, 'money', { folder: 'Nowhere' })).toContain('does not exist');
  });

  it('semantic search never sends text of hidden notes to the server', async () => {
    await using server = await embeddingServer();
    const { bench, notes, update } = benchFor(NOTES, server);
    notes.put('Linked.md', 'a cat elsewhere\n');
    notes.link('Linked.md', '/outside/note.md');
    notes.put('Typed.md', 'a cat in the open\n');
    notes.type('Typed.md', 'a cat in the open #private\n');
    expect(await update()).toEqual({ ok: true, notes: 3 });
    await near(bench, 'cat');
    expect(server.asked.flat().join('\n')).not.toMatch(/secret|too|elsewhere|in the open/);
    expect(await near(bench, 'cat')).not.toMatch(/Diary|Hidden|Linked|Typed/);
  });

  it('semantic search sends each passage once, even after a restart or a change elsewhere', async () => {
    await using server = await embeddingServer();
    const { bench, notes, store } = benchFor(NOTES, server);
    await near(bench, 'cat');
    expect(server.asked.map(({ length }) => length)).toEqual([1, 3]);
    notes.put('Bills.md', `${NOTES['Bills.md']}\n${'More about flowers. '.repeat(20)}\n`);
    await notes.move('Pets.md', 'a/Pets.md');
    await near(bench, 'cat');
    expect(server.asked.slice(2).map(({ length }) => length)).toEqual([1, 1]);
    const again = benchFor(
      { 'a/Pets.md': NOTES['Pets.md'], 'Trip.md': NOTES['Trip.md'] },
      server,
      store,
    );
    await near(again.bench, 'cat');
    expect(server.asked.slice(4).map(({ length }) => length)).toEqual([1]);
  });

  it('semantic search leaves many notes to an update, which shows its progress and can be stopped', async () => {
    await using server = await embeddingServer();
    const many = Array.from({ length: 300 }, (_, at) => [`${at}.md`, `note ${at} on cats\n`]);
    const { bench, update, store } = benchFor(Object.fromEntries(many) as NoteFiles, server);
    expect(await near(bench, 'cat')).toContain(
      '(300 passages could not be looked at, not being embedded yet. The user can have them embedded in the settings, under Search and web: Update.)',
    );
    const abort = new AbortController();
    const told: string[] = [];
    const tell = (done: number, all: number) => {
      told.push(`${done}/${all}`);
      if (done === 64) abort.abort();
    };
    expect(await update(tell, abort.signal)).toEqual({ ok: false, reason: 'Stopped.' });
    expect(told).toEqual(['0/300', '32/300', '64/300']);
    expect((await store.read('vectors.jsonl'))?.trim().split('\n')).toHaveLength(64);
    let meanwhile = '';
    const asked = server.asked.length;
    server.onRequest = async (place) => {
      if (place === asked + 2) meanwhile = await near(bench, 'cat');
    };
    expect(await update()).toEqual({ ok: true, notes: 300 });
    expect(meanwhile).toContain('are being embedded right now (0 of 236 passages)');
    expect(await near(bench, 'cat', { limit: 1 })).not.toContain('not embedded yet');
  });

  it('semantic search embeds again for another model or vector length, and an update deletes old vectors', async () => {
    await using server = await embeddingServer();
    const { bench, update, store, set } = benchFor(NOTES, server);
    await update();
    server.dimensions = 16;
    expect(await near(bench, 'cat', { limit: 1 })).toContain('Pets.md');
    expect((await store.read('vectors.jsonl'))?.trim().split('\n')).toHaveLength(6);
    await update();
    expect((await store.read('vectors.jsonl'))?.trim().split('\n')).toHaveLength(3);
    Object.assign(set, { model: 'other' });
    expect(await near(bench, 'cat')).toContain('knows no model "other", or another address (404');
  });

  it.each([
    ['is deleted', ({ notes }) => notes.trash('Pets.md')],
    ['goes into an excluded folder', ({ notes }) => notes.move('Pets.md', 'Private/Pets.md')],
    ['gets the excluded tag', async ({ notes }) => notes.put('Pets.md', '#private kitten\n')],
    [
      'is excluded by the settings',
      async ({ bench }) => {
        bench.settings = { ...bench.settings, excludedFolders: ['Private', 'Pets.md'] };
        await bench.search.semanticSearch().forget();
      },
    ],
  ] satisfies [string, (at: ReturnType<typeof benchFor>) => Promise<unknown>][])(
    'semantic search deletes the vector of a note that %s',
    async (_, act) => {
      await using server = await embeddingServer();
      const at = benchFor(NOTES, server);
      const kept = async () => ((await at.store.read('vectors.jsonl')) ?? '').trim().split('\n');
      await near(at.bench, 'cat');
      await at.bench.search.semanticSearch().forget();
      const [before, asked] = [await kept(), server.asked.length];
      expect(before).toHaveLength(3);
      await act(at);
      await near(at.bench, 'money', { limit: 1 });
      await at.bench.search.semanticSearch().forget();
      expect(await kept()).toHaveLength(2);
      expect(before).toEqual(expect.arrayContaining(await kept()));
      expect(await near(at.bench, 'temple')).toContain('Trip.md');
      // The remaining passages were not sent again.
      expect(server.asked.slice(asked).flat()).toEqual(['money', 'temple']);
    },
  );

  it('semantic search deletes vectors of notes that were removed while Parley was not running', async () => {
    await using server = await embeddingServer();
    const { update, store } = benchFor(NOTES, server);
    await update();
    const again = benchFor({ 'Trip.md': NOTES['Trip.md'] }, server, store);
    await near(again.bench, 'temple');
    await again.bench.search.semanticSearch().forget();
    expect((await store.read('vectors.jsonl'))?.trim().split('\n')).toHaveLength(1);
  });

  it('semantic search reports a damaged file, and embeds the lost passages again', async () => {
    await using server = await embeddingServer();
    const first = benchFor(NOTES, server);
    await first.update();
    const saved = (await first.store.read('vectors.jsonl')) ?? '';
    const damaged = saved.replace(/"vector":"/, '"vector":"*');
    await first.store.write('vectors.jsonl', damaged);
    const { bench, update, store } = benchFor(NOTES, server, first.store);
    expect(await near(bench, 'kitten', { limit: 1 })).toContain('Pets.md');
    expect(bench.problems).toEqual([
      'The file with the vectors of notes was damaged in 1 of 3 places. What was lost is embedded again.',
    ]);
    await update();
    const lines = (text: string | null) => (text ?? '').trim().split('\n').sort();
    expect(lines(await store.read('vectors.jsonl'))).toEqual(lines(saved));
    expect(await store.read('vectors.jsonl.damaged')).toContain('"*');
  });

  it.each([
    [{ status: 401, body: '' }, 'refuses the key'],
    [{ status: 500, body: 'out of memory' }, 'failed (500: out of memory)'],
    [{ status: 200, body: 'hello' }, 'something else than embeddings'],
    [{ status: 200, body: '{"data":[]}' }, 'something else than embeddings'],
    [{ status: 200, body: '{"data":[{"embedding":["x"]}]}' }, 'something else than embeddings'],
  ])(
    "semantic search explains the server's answer %j and suggests keyword search",
    async (answer, words) => {
      await using server = await embeddingServer();
      const { bench } = benchFor(NOTES, server);
      server.next = [answer];
      const told = await near(bench, 'cat');
      expect(told).toContain(words);
      expect(told).toContain('Call again without by');
      server.next = [{ status: 200, body: '{"data":[{"embedding":[1,2]}]}' }, answer];
      expect(await near(bench, 'cat')).toContain(words);
    },
  );

  it('semantic search says that the server cannot be reached or is not set', async () => {
    const server = await embeddingServer();
    await server[Symbol.asyncDispose]();
    const { bench, update } = benchFor(NOTES, server);
    expect(await near(bench, 'cat')).toContain("The embedding endpoint can't be reached (");
    expect(await update()).toMatchObject({ ok: false });
    expect(await near(benchFor(NOTES, null).bench, 'cat')).toContain('none is set');
  });

  it('semantic search accepts the API of Ollama, and an endpoint with its path', async () => {
    await using server = await embeddingServer();
    const { bench, set } = benchFor(NOTES, server);
    server.own = true;
    for (const tail of [
      '/api/embed',
      '/v1/',
      '/v1/embeddings',
      '',
      '?version=1',
      '/v1?version=1',
    ]) {
      Object.assign(set, { endpoint: server.url + tail });
      expect(await near(bench, 'feline', { limit: 1 })).toContain('Pets.md');
    }
  });

  it('semantic search answers like a new index after any changes', async () => {
    await using server = await embeddingServer();
    const at = fc.constantFrom('a.md', 'b.md', 'c/d.md', 'Private/e.md');
    const text = fc
      .array(
        fc.constantFrom('cat\n', 'kitten\n', '# money\n', '#private\n', 'seeds '.repeat(80), '\n'),
        { maxLength: 6 },
      )
      .map((words) => words.join(''));
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), at, text }),
      fc.record({ do: fc.constant('type' as const), at, text }),
      fc.record({ do: fc.constant('remove' as const), at }),
      fc.record({ do: fc.constant('move' as const), at, to: at }),
      fc.record({ do: fc.constant('ask' as const) }),
      fc.record({ do: fc.constant('update' as const) }),
    );
    const answers = async (bench: ToolBench) => [
      await near(bench, 'feline', { limit: 50 }),
      await near(bench, 'the cost of a garden', { limit: 50, include_content: true }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const live = benchFor({ 'a.md': 'cat\n' }, server);
        const { notes } = live;
        for (const each of steps) {
          if (each.do === 'put') notes.put(each.at, each.text);
          else if (each.do === 'remove') await notes.trash(each.at);
          else if (each.do === 'move') await notes.move(each.at, each.to);
          else if (each.do === 'ask') await answers(live.bench);
          else if (each.do === 'update') await live.update();
          else if (notes.get(each.at)) notes.type(each.at, each.text);
        }
        const fresh = new ToolBench(notes, memoryMetadata(notes), memoryStore(), {
          settings,
          embeddings: () => live.set,
        });
        expect(await answers(live.bench)).toEqual(await answers(fresh));
      }),
      { ...cases, numRuns: Math.ceil(cases.numRuns / 10) },
    );
  });
});
