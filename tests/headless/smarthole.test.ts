/** The built program and the fake SmartHole over a real socket. */
import { describe, expect, it } from 'vitest';
import { persistent } from '#workbench/model/scripted';
import { FakeSmartHole } from '#workbench/smarthole/pretend';
import { isEvent, namesIn, INBOX, openStage, readFileIn, recordedOf, until } from './driver';

const addsMilk = () =>
  persistent([{ name: 'edit_file', input: MILK }], { summary: 'Milk is on the list.' });
const MILK = { path: 'Shopping.md', edits: [{ position: 'end', content: '- milk' }] };
const LIST = { 'Shopping.md': '- bread\n' };

async function stageWithSmartHole() {
  const pretend = await FakeSmartHole.start();
  const stage = await openStage(addsMilk(), LIST);
  return {
    ...stage,
    pretend,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await pretend.close();
    },
  };
}

const registered = (pretend: FakeSmartHole) =>
  until(() => pretend.clients.length > 0, 'a registration');

describe('A spoken request', () => {
  it('a spoken request is acked, run, and answered with a notification', async () => {
    await using stage = await stageWithSmartHole();
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    expect(pretend.clients[0]?.name).toBe('simone');
    const delivery = pretend.say('add milk to my shopping list');
    await headless.event('turn-end');
    await until(() => pretend.shown.length > 0, 'a notification');
    await headless.settled();
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(pretend.shown.map(({ title, body }) => [title, body])).toEqual([
      ['Done: add milk to my shopping list', 'Milk is on the list.'],
    ]);
    expect(pretend.delivery(delivery!.id)?.state).toBe('acked');
    expect(pretend.violations).toEqual([]);
    expect(namesIn(vault, INBOX)).toEqual([]);
  });

  it('a spoken request is answered once after the program was killed and its connection cut', async () => {
    await using stage = await stageWithSmartHole();
    const { pretend, vault } = stage;
    const headless = await stage.start({ smartHoleUrl: pretend.url });
    await registered(pretend);
    pretend.say('add milk to my shopping list');
    await headless.killAt(isEvent('call-end'));
    pretend.cut();
    await until(() => pretend.clients.length === 0, 'the end of the connection');
    const again = await stage.start({ smartHoleUrl: pretend.url });
    await until(() => pretend.shown.length > 0, 'a notification');
    await again.settled();
    expect(readFileIn(vault, 'Shopping.md')).toBe('- bread\n- milk\n');
    expect(recordedOf(vault, 'turn-end')).toHaveLength(1);
    expect(pretend.shown).toHaveLength(1);
    expect(pretend.violations).toEqual([]);
  });
});
