/** MCP servers in turns: when they start, and that an approval covers one server only. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '#ports/model-provider';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { memoryServers, offeredTool, type MemoryServers } from '../builders/fake-mcp-servers';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from './app-on-disk';

/** Calls the server's tool once it is in the tool list, and repeats the result. */
function uses({ history, prompt }: ModelRequest) {
  const last = history.at(-1);
  if (last?.role === 'results') return says(last.results[0]!.result.text);
  const [tool] = prompt.tools.filter(({ name }) => name.startsWith('desk'));
  return tool
    ? answers([call(tool.name, { path: 'a' }, { wireId: 'd1' })])
    : says('There is none.');
}

interface Place extends Disk {
  readonly servers: MemoryServers;
}

function newPlace(...ids: string[]): Place {
  const servers = memoryServers();
  servers.listed = ids.map((id) => ({ id, name: 'Desk' }));
  return {
    ...{ store: memoryStore(), vault: tinyVault({}), clock: testClock(), servers },
    model: thinkingModel(uses),
  };
}

async function loaded(place: Place): Promise<Rig> {
  const rig = makeRig(place);
  await rig.load();
  return rig;
}

const ends = (place: Place) =>
  eventsOn(place, 'turn-end').map(({ end }) => `${end.kind}: ${end.reply}`);

/** Offers its tool once a caller waits for it. */
function isUpWithTurn(place: Place, id: string): void {
  place.servers.starting = async () => void place.servers.told.set(id, [offeredTool('write')]);
}

describe('a turn', () => {
  it('a turn starts before its MCP servers and then has their tools', async () => {
    const place = newPlace('a');
    const rig = await loaded(place);
    let begun = 0;
    place.servers.starting = async () => {
      begun = eventsOn(place, 'turn-start').length;
      place.servers.told.set('a', [offeredTool('write')]);
    };
    await rig.agent.queue.send({ text: 'Write it.' });
    await rig.idleOrWaiting();
    expect(begun).toBe(1);
    const [{ interaction } = { interaction: null }] = (await rig.agent.state()).interactions;
    expect(interaction).toMatchObject({ tool: 'desk_write', key: 'a write' });
  });

  it('a turn stopped while servers start ends at once, and its conversation has them later', async () => {
    const place = newPlace('a');
    const rig = await loaded(place);
    place.servers.starting = (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    await rig.agent.queue.send({ text: 'Write it.' });
    await rig.idleOrWaiting();
    expect((await rig.agent.state()).running).toHaveLength(1);
    await rig.agent.queue.stop();
    await rig.idle();
    expect(ends(place)).toEqual(['stopped: Stopped.']);
    isUpWithTurn(place, 'a');
    await rig.agent.queue.send({ text: 'Write it.' });
    await rig.idleOrWaiting();
    expect((await rig.agent.state()).interactions).toHaveLength(1);
  });

  it('the context of a turn names missing servers as soon as that is known, not before', async () => {
    const place = newPlace('a');
    const rig = await loaded(place);
    isUpWithTurn(place, 'a');
    await rig.agent.queue.send({ text: 'Write it.' });
    await rig.idleOrWaiting();
    await rig.agent.queue.stop();
    await rig.idle();
    void rig.runner.close();
    place.servers.told.clear();
    // The server is down.
    place.servers.starting = async () => void place.servers.told.set('a', []);
    const next = await loaded(place);
    const gone = /Switched off or gone [^\n]*: desk_write\./;
    const contexts = () => eventsOn(place, 'turn-start').map(({ context }) => gone.test(context));
    const notes = () => eventsOn(place, 'step-note').map(({ text }) => gone.test(text));
    await next.agent.queue.send({ text: 'Again.' });
    await next.idle();
    expect(contexts()).toEqual([false, false]);
    expect(notes()).toEqual([true]);
    await next.agent.queue.send({ text: 'And again.' });
    await next.idle();
    expect(contexts()).toEqual([false, false, true]);
    expect(notes()).toEqual([true]);
  });
});

it('a running call shows its progress, which is not saved', async () => {
  const place = { ...newPlace('a'), settings: { tools: { 'a write': 'allow' } as const } };
  const rig = await loaded(place);
  isUpWithTurn(place, 'a');
  const seen: unknown[] = [];
  place.servers.call = async (_id, _tool, _input, { progress }) => {
    progress(`1 of 2:\n${'long '.repeat(100)}`);
    const [running] = (await rig.agent.state()).running;
    const now = await rig.agent.conversations.read(running!.conversation);
    seen.push(now?.turns[0]?.steps[0]?.calls[0]);
    return { text: 'yes', failed: false, isFromServer: true };
  };
  await rig.agent.queue.send({ text: 'Write it.' });
  await rig.idle();
  expect(seen).toEqual([expect.objectContaining({ state: 'running' })]);
  const [{ progress } = { progress: '' }] = seen as { progress: string }[];
  expect(progress).toMatch(/^Using [^:]*: 1 of 2: long long /);
  expect(progress.replace(/^Using [^:]*: /, '')).toHaveLength(200);
  expect(eventsOn(place, 'call-progress')).toEqual([]);
  expect(JSON.stringify(eventsOn(place, 'call-end'))).not.toContain('1 of 2');
});

it('a direct call starts servers only if one of them may have the tool', async () => {
  const place = newPlace('a');
  const rig = await loaded(place);
  let started = 0;
  place.servers.starting = async () => {
    started += 1;
    place.servers.told.set('a', [offeredTool('write')]);
  };
  expect(await rig.agent.tools.call('raed_file', {})).toMatchObject({ ok: false });
  expect(started).toBe(0);
  const asked = await rig.agent.tools.call('desk_write', { path: 'a' });
  expect(asked).toMatchObject({ needs: 'approval', approval: { key: 'a write' } });
  expect(started).toBe(1);
});

describe("an approval of a server's tool", () => {
  async function asked(place: Place) {
    const rig = await loaded(place);
    isUpWithTurn(place, 'a');
    await rig.agent.queue.send({ text: 'Write it.' });
    await rig.idleOrWaiting();
    const [{ interaction } = { interaction: null }] = (await rig.agent.state()).interactions;
    return { rig, card: interaction!.id };
  }

  it('an approval runs the tool', async () => {
    const place = newPlace('a');
    const { rig, card: approval } = await asked(place);
    await rig.agent.queue.approve({ approval, choice: 'allow-once' });
    await rig.idle();
    expect(place.servers.called).toEqual(['a write']);
  });

  it('a restart while the tool ran does not claim that nothing was done twice', async () => {
    const place = newPlace('a');
    const { rig, card: approval } = await asked(place);
    const called = new Promise<void>((resolve) => {
      place.servers.call = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    await rig.agent.queue.approve({ approval, choice: 'allow-once' });
    await called;
    void rig.runner.close();
    const next = await loaded(place);
    await next.idle();
    expect(ends(place)).toEqual([expect.stringContaining('Unknown: Parley was interrupted')]);
    const notices = eventsOn(place, 'turn-notice').map(({ text }) => text);
    expect(notices).toEqual(['Continued after a restart.']);
  });

  it.each(['allow-once', 'always'] as const)(
    'an approval does not cover another server with the same tool name: %s',
    async (choice) => {
      const place = newPlace('a');
      const { rig } = await asked(place);
      void rig.runner.close();
      place.servers.listed = [{ id: 'b', name: 'Desk' }];
      isUpWithTurn(place, 'b');
      const next = await loaded(place);
      const [{ interaction } = { interaction: null }] = (await next.agent.state()).interactions;
      await next.agent.queue.approve({ approval: interaction!.id, choice });
      await next.idle();
      expect(place.servers.called).toEqual([]);
      expect(ends(place).at(-1)).toContain(
        'Nothing was done: desk_write now belongs to another server',
      );
    },
  );
});
