/** What the user does in one chat while others work. */
import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { eventsOn, inboxOn, makeRig } from './app-on-disk';
import { stage } from './command-stage';

/** A turn that was answered and has no slot yet, because another runs. */
async function answeredWithoutSlot() {
  const staged = await stage();
  const { rig } = staged;
  await rig.agent.settings.set({ turnsAtOnce: 1 });
  const asking = await staged.typeInNewChat('Ask me');
  await staged.typeInNewChat('Slowly: think');
  await rig.agent.queue.answer({ choice: 'Undo it' });
  return { ...staged, asking };
}

describe('a turn that waits for a slot', () => {
  it('Stop ends it at once and leaves the running one alone', async () => {
    const { rig, asking, ends, release } = await answeredWithoutSlot();
    expect((await rig.agent.queue.stop(asking)).ok).toBe(true);
    expect(ends()).toEqual(['Ask me: stopped']);
    release();
    await rig.idle();
    expect(ends()).toEqual(['Ask me: stopped', 'Slowly: think: completed']);
  });

  it('Pause holds it although there is a slot again, and Resume continues it', async () => {
    const { rig, asking, ends, release } = await answeredWithoutSlot();
    expect((await rig.agent.queue.pause(asking)).ok).toBe(true);
    release();
    await rig.idleOrWaiting();
    expect(ends()).toEqual(['Slowly: think: completed']);
    expect((await rig.agent.queue.resume(asking)).ok).toBe(true);
    await rig.idle();
    expect(ends()).toContain('Ask me: completed');
  });
});

describe('several open turns', () => {
  it('Resume without a chat continues the turn of the current chat', async () => {
    const staged = await stage();
    const { rig, release, disk } = staged;
    const first = await staged.typeInNewChat('Slowly: Add milk');
    const second = await staged.typeInNewChat('Slowly: Add eggs');
    await rig.agent.queue.pause(first);
    await rig.agent.queue.pause(second);
    release();
    await rig.idleOrWaiting();
    expect((await rig.agent.state()).current?.id).toBe(second);
    await rig.agent.queue.resume();
    await rig.idle();
    expect(eventsOn(disk, 'turn-end').map(({ conversation }) => conversation)).toEqual([second]);
  });

  it('Stop and Pause of one chat leave the others working', async () => {
    const staged = await stage();
    const { rig, release, ends } = staged;
    const chats: Awaited<ReturnType<typeof staged.typeInNewChat>>[] = [];
    for (const text of ['Slowly: Add milk', 'Slowly: Add eggs', 'Slowly: think']) {
      chats.push(await staged.typeInNewChat(text));
    }
    await rig.agent.queue.stop(chats[0]);
    await rig.agent.queue.pause(chats[1]);
    await rig.idleOrWaiting();
    const { running } = await rig.agent.state();
    expect(running.map(({ conversation }) => conversation)).toEqual([chats[1], chats[2]]);
    release();
    await rig.idleOrWaiting();
    expect(ends()).toEqual(['Slowly: Add milk: stopped', 'Slowly: think: completed']);
  });

  it('a message joins the turn of its own chat only', async () => {
    const staged = await stage();
    const { rig, release, disk } = staged;
    await staged.typeInNewChat('Slowly: Add milk');
    const second = await staged.typeInNewChat('Slowly: Add eggs');
    await rig.agent.queue.send({ text: 'Brown ones', conversation: second, when: 'steer' });
    release();
    await rig.idle();
    const joined = eventsOn(disk, 'steer-join').map(({ conversation, request }) => [
      conversation,
      request.text,
    ]);
    expect(joined).toEqual([[second, 'Brown ones']]);
    expect(inboxOn(disk)).toEqual([]);
  });

  it('a follow-up waits for its own chat although others have a slot', async () => {
    const staged = await stage();
    const { rig, release, ends, disk, list } = staged;
    const chat = await staged.typeInNewChat('Slowly: think');
    await rig.agent.queue.send({ text: 'Add milk', conversation: chat, when: 'after' });
    await staged.typeInNewChat('Add eggs');
    expect(ends()).toEqual(['Add eggs: completed']);
    release();
    await rig.idle();
    const inChat = eventsOn(disk, 'turn-end').filter(({ conversation }) => conversation === chat);
    const [thought, added] = eventsOn(disk, 'turn-start').filter(
      ({ conversation }) => conversation === chat,
    );
    expect(inChat.map(({ turn }) => turn)).toEqual([thought?.turn, added?.turn]);
    expect(list()).toBe('- bread\n- eggs\n- milk\n');
  });

  it('turns that ran at once and were interrupted continue at the next start, each once', async () => {
    const staged = await stage();
    const { rig, release, disk, ends, list } = staged;
    for (const text of ['Slowly: Add milk', 'Slowly: Add eggs', 'Ask me']) {
      await staged.typeInNewChat(text);
    }
    void rig.runner.close();
    const next = makeRig(disk);
    await next.load();
    await settle();
    release();
    await next.idle();
    expect(ends().toSorted()).toEqual([
      'Slowly: Add eggs: completed',
      'Slowly: Add milk: completed',
    ]);
    expect((await next.agent.state()).interactions).toHaveLength(1);
    expect(list()?.split('\n').toSorted()).toEqual(['', '- bread', '- eggs', '- milk']);
  });

  it('Retry asks the server although it named a later time', async () => {
    const staged = await stage();
    const { rig, disk, limit, ends, list } = staged;
    limit(3_600_000);
    await staged.typeInNewChat('Add milk');
    limit(null);
    await staged.typeInNewChat('Add eggs');
    expect(ends().toSorted()).toEqual(['Add eggs: failed', 'Add milk: failed']);
    const [first] = (await rig.agent.state()).inbox;
    expect((await rig.agent.queue.retry(first!.request.id)).ok).toBe(true);
    await rig.idle();
    // When a turn succeeds, the others are retried, too.
    await disk.clock.advance(1_000);
    await rig.idle();
    expect(list()?.split('\n').toSorted()).toEqual(['', '- bread', '- eggs', '- milk']);
  });

  it('the chat of each turn that waits for the shared rate limit shows it', async () => {
    const staged = await stage();
    const { rig, disk, limit, ends } = staged;
    limit(20_000);
    const chats = [await staged.typeInNewChat('Add milk'), await staged.typeInNewChat('Add eggs')];
    limit(null);
    const waits = () => eventsOn(disk, 'retry-start');
    expect(waits().map(({ conversation }) => conversation)).toEqual(chats);
    expect(new Set(waits().map(({ at }) => at)).size).toBe(1);
    await disk.clock.advance(20_000);
    await rig.idle();
    expect(ends().toSorted()).toEqual(['Add eggs: completed', 'Add milk: completed']);
  });
});
