/** Several turns at once: slots, order within a chat, spoken requests, and changes of one note. */
import { describe, expect, it } from 'vitest';
import type { CallPart, CallResult } from '#model/message';
import type { ConversationId } from '#model/ids';
import type { ModelRequest } from '#ports/model-provider';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const append = (content: string) =>
  call('edit_file', { path: 'List.md', edits: [{ position: 'end', content }] });

/** A model that answers each request, named by its first word, only when it is released. */
async function stage(settings: Disk['settings'] = {}) {
  const gates = new Map<string, { readonly open: Promise<void>; release(): void }>();
  const gate = (name: string) => {
    const known = gates.get(name);
    if (known) return known;
    let release = () => {};
    const open = new Promise<void>((resolve) => (release = resolve));
    const made = { open, release };
    gates.set(name, made);
    return made;
  };
  const lastText = ({ history }: ModelRequest) => {
    const last = history.at(-1);
    return last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
  };
  const quick = thinkingModel((request) => {
    const words = lastText(request);
    if (/ adds /.test(words)) return answers([append(`- ${words.split(' adds ')[1]}`)]);
    if (/^Ask/.test(words)) return answers([call('ask_user', { question: 'Which list?' })]);
    if (/ creates /.test(words))
      return answers([call('write_file', { path: 'New.md', content: `${words}\n` })]);
    return says('Done.');
  });
  const begun: string[] = [];
  const disk: Disk = {
    store: memoryStore(),
    vault: tinyVault({ 'List.md': '- bread\n' }),
    clock: testClock(),
    settings,
    model: {
      async *stream(request, signal) {
        const [name = ''] = lastText(request).split(' ');
        if (/^[A-Z]\d?$/.test(name)) {
          begun.push(name);
          await Promise.race([
            gate(name).open,
            new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
          ]);
          if (signal.aborted) return;
        }
        yield* quick.stream(request, signal);
      },
    },
  };
  const rig = makeRig(disk);
  await rig.load();
  const chat = async (): Promise<ConversationId> => {
    const made = await rig.agent.conversations.create();
    if (!made.ok) throw new Error(made.reason);
    return made.conversation;
  };
  return {
    ...{ disk, rig, chat, begun },
    release: (...names: readonly string[]) => names.forEach((name) => gate(name).release()),
    async type(text: string, conversation: ConversationId) {
      await rig.agent.queue.send({ text, conversation, when: 'after' });
      await rig.idleOrWaiting();
      await disk.clock.advance(1);
    },
    async say(id: string, text: string) {
      await rig.say(id, text);
      await rig.idleOrWaiting();
    },
    running: async () => (await rig.agent.state()).running.length,
    list: () => disk.vault.texts.get('List.md'),
    ended: () =>
      eventsOn(disk, 'turn-end').map(
        ({ turn }) => eventsOn(disk, 'turn-start').find((each) => each.turn === turn)?.request.text,
      ),
  };
}

describe('turns at once', () => {
  it('three chats work at the same time, and a fourth begins when one of them ends', async () => {
    const { type, chat, begun, running, release, rig } = await stage();
    for (const name of ['A', 'B', 'C', 'D']) await type(name, await chat());
    expect(begun).toEqual(['A', 'B', 'C']);
    expect(await running()).toBe(3);
    release('B');
    await rig.idleOrWaiting();
    expect(begun).toEqual(['A', 'B', 'C', 'D']);
    expect(await running()).toBe(3);
    release('A', 'C', 'D');
    await rig.idle();
    expect((await rig.agent.state()).inbox).toEqual([]);
  });

  it('one chat answers its requests one after the other, in their order', async () => {
    const { type, chat, begun, release, rig, ended } = await stage();
    const [one, other] = [await chat(), await chat()];
    await type('A', one);
    await type('A1', one);
    await type('B', other);
    await type('A2', one);
    expect(begun).toEqual(['A', 'B']);
    release('A1', 'A2');
    await rig.idleOrWaiting();
    expect(begun).toEqual(['A', 'B']);
    release('A', 'B');
    await rig.idle();
    expect(ended().filter((text) => text?.startsWith('A'))).toEqual(['A', 'A1', 'A2']);
  });

  it('the setting bounds the typed turns', async () => {
    const { type, chat, begun, release, rig } = await stage({ turnsAtOnce: 1 });
    await type('A', await chat());
    await type('B', await chat());
    expect(begun).toEqual(['A']);
    release('A', 'B');
    await rig.idle();
    expect(begun).toEqual(['A', 'B']);
  });

  it('a spoken request does not wait behind typed turns', async () => {
    const { type, chat, say, list, release, rig, running } = await stage();
    for (const name of ['A', 'B', 'C']) await type(name, await chat());
    await say('m1', 'Please adds milk');
    expect(list()).toBe('- bread\n- milk\n');
    expect(await running()).toBe(3);
    release('A', 'B', 'C');
    await rig.idle();
  });

  it('stopping one of three leaves the others at work', async () => {
    const { type, chat, release, rig, running, ended } = await stage();
    const chats = [await chat(), await chat(), await chat()];
    for (const [at, name] of ['A', 'B', 'C'].entries()) await type(name, chats[at]!);
    expect(await rig.agent.queue.stop(chats[1])).toMatchObject({ ok: true });
    await rig.idleOrWaiting();
    expect(ended()).toEqual(['B']);
    expect(await running()).toBe(2);
    release('A', 'C');
    await rig.idle();
    expect(ended().toSorted()).toEqual(['A', 'B', 'C']);
  });

  it('a restart resumes all turns that were at work', async () => {
    const { type, chat, disk, release, rig, ended } = await stage();
    for (const name of ['A', 'B', 'C']) await type(name, await chat());
    void rig.runner.close();
    release('A', 'B', 'C');
    const next = makeRig(disk);
    await next.load();
    await next.idle();
    expect(ended().toSorted()).toEqual(['A', 'B', 'C']);
  });
});

describe('one note in several turns', () => {
  it('lines that three turns add at once are all there, each once', async () => {
    const { type, chat, release, rig, list } = await stage();
    for (const name of ['A', 'B', 'C']) await type(`${name} adds ${name}`, await chat());
    release('A', 'B', 'C');
    await rig.idle();
    expect(list()?.trimEnd().split('\n').toSorted()).toEqual(['- A', '- B', '- C', '- bread']);
  });

  it('of two turns that create the same note, one creates it and the other gets an error that it exists', async () => {
    const { type, chat, release, rig, disk } = await stage();
    await type('A creates it', await chat());
    await type('B creates it', await chat());
    release('A', 'B');
    await rig.idle();
    const results = eventsOn(disk, 'call-end').map(({ result }) => result);
    expect(results.map(({ failed }) => failed).toSorted()).toEqual([false, true]);
    expect(results.find(({ failed }) => failed)?.text).toMatch(/exists|seen/i);
    expect(disk.vault.texts.get('New.md')).toMatch(/^[AB] creates it\n$/);
  });
});

describe('two turns that change the same line', () => {
  const read = call('read_file', { path: 'List.md' });
  const second = (content: string) =>
    call('edit_file', { path: 'List.md', edits: [{ position: 'replace:2', content }] });
  const SCRIPTS: Readonly<Record<string, readonly CallPart[]>> = {
    A: [read, second('- rye')],
    B: [read, second('- toast'), second('- rye toast')],
    C: [call('move', { source: 'List.md', destination: 'Food.md' })],
    D: [
      read,
      call('edit_file', {
        path: 'List.md',
        edits: [{ position: 'replace:3', content: '- oat milk' }],
      }),
    ],
  };

  it('the later one gets the new line and is refused, and follows the note when it is moved', async () => {
    const gates = new Map<string, () => void>();
    const place = ({ history }: ModelRequest) => {
      const [first] = history;
      const name = first?.role === 'user' ? (first.texts.at(-1) ?? '') : '';
      const steps = history.filter(({ role }) => role === 'results').length;
      return { name, steps };
    };
    const quick = thinkingModel((request) => {
      const { name, steps } = place(request);
      const next = SCRIPTS[name]?.[steps];
      return next ? answers([{ ...next, wireId: `${name}${steps}` }]) : says('Done.');
    });
    const disk: Disk = {
      store: memoryStore(),
      vault: tinyVault({ 'List.md': '# List\n- bread\n- milk\n' }),
      clock: testClock(),
      model: {
        async *stream(request, signal) {
          const { name, steps } = place(request);
          if (SCRIPTS[name]) {
            await new Promise<void>((resolve) => gates.set(`${name}${steps}`, resolve));
          }
          yield* quick.stream(request, signal);
        },
      },
    };
    const rig = makeRig(disk);
    await rig.load();
    const results: CallResult[] = [];
    rig.agent.subscribe((event) => {
      if (event.type === 'call-end') results.push(event.result);
    });
    const ask = async (text: string) => {
      const made = await rig.agent.conversations.create();
      if (made.ok) await rig.agent.queue.send({ text, conversation: made.conversation });
      await rig.idleOrWaiting();
    };
    const goOn = async (...steps: readonly string[]) => {
      for (const each of steps) {
        gates.get(each)!();
        await rig.idleOrWaiting();
      }
      return results.at(-1)!;
    };
    for (const name of ['A', 'B', 'D']) await ask(name);
    await goOn('A0', 'B0', 'D0', 'A1', 'A2');
    expect(await goOn('B1')).toMatchObject({
      failed: true,
      text: expect.stringContaining('Now, in their place:\n2: - rye\n') as string,
    });
    expect(await goOn('B2')).toMatchObject({ failed: false });
    await ask('C');
    await goOn('C0', 'C1');
    expect(await goOn('D1')).toMatchObject({
      failed: false,
      text: expect.stringMatching(/^Found as `Food\.md`/) as string,
    });
    await goOn('B3', 'D2');
    await rig.idle();
    expect([...disk.vault.texts]).toEqual([['Food.md', '# List\n- rye toast\n- oat milk\n']]);
  });
});

describe('at any moment in which a turn ends', () => {
  const LAST = 120;

  it('no request overtakes an earlier one, in its chat or for a slot', async () => {
    for (let at = 40; at < LAST; at += 1) {
      const { type, chat, begun, release, rig } = await stage();
      const one = await chat();
      for (const name of ['A', 'A1', 'A2']) await type(name, one);
      for (const name of ['B', 'C', 'D', 'E']) await type(name, await chat());
      release('A');
      for (let tick = 0; tick < at; tick += 1) await Promise.resolve();
      rig.runner.wake();
      await rig.idleOrWaiting();
      expect(['A1', 'D'], `after ${at}`).toContain(begun[3]);
      expect(begun).toHaveLength(4);
      void rig.runner.close();
    }
  });

  it('stop gives a turn one end', async () => {
    for (let at = 40; at < LAST; at += 1) {
      const { type, chat, release, rig, disk } = await stage();
      const one = await chat();
      for (const name of ['A', 'A1']) await type(name, one);
      release('A');
      for (let tick = 0; tick < at; tick += 1) await Promise.resolve();
      await rig.agent.queue.stop(one);
      await rig.idleOrWaiting();
      const ends = eventsOn(disk, 'turn-end').map(({ turn }) => turn);
      expect(new Set(ends).size, `after ${at}`).toBe(ends.length);
      void rig.runner.close();
    }
  });
});

it('a spoken request does not wait when the number of turns was lowered while they run', async () => {
  const { type, chat, say, list, release, rig } = await stage();
  for (const name of ['A', 'B', 'C']) await type(name, await chat());
  await rig.agent.settings.set({ turnsAtOnce: 1 });
  await say('m1', 'Please adds milk');
  expect(list()).toBe('- bread\n- milk\n');
  release('A', 'B', 'C');
  await rig.idle();
});

it('a spoken answer to a typed turn does not wait behind three typed turns', async () => {
  const { type, chat, say, ended, disk } = await stage();
  await say('m0', 'Hello');
  await type('Ask me', eventsOn(disk, 'turn-start')[0]!.conversation);
  for (const name of ['A', 'B', 'C']) await type(name, await chat());
  await disk.clock.advance(5_000);
  await say('m1', 'The shopping list');
  expect(ended()).toEqual(['Hello', 'Ask me']);
});
