import { describe, expect, test, vi } from 'vitest';
import { NO_DRAFT, type DraftOwner, type DraftText } from '#model/attachment';
import type { Event } from '#model/event';
import { reduceAll } from '#model/reducer';
import type { ConversationId } from '#model/ids';
import { PluginState } from '#stores/plugin-state';
import { ChatState } from '#stores/chat-state';
import { manualFrames } from '../components/chat';
import { pageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent, type ScriptedAgent } from '#workbench/gallery/scripted-agent';
import { eventually } from '#tests/builders/eventually';

async function opened(...scripts: Script[]) {
  const agent = scriptedAgent(scripts);
  const panel = new PluginState(agent, pageUi());
  const frames = manualFrames();
  const screen = new ChatState(panel, frames.next);
  await screen.start();
  return { agent, panel, frames, screen };
}

function asking(name = 'a'): Script {
  return new Script(name).ask('Add milk').step();
}

/** The turn of the first message sent. */
function begunFor({ entries: [sent] }: ScriptedAgent, name: string): Script {
  if (!sent) throw new Error('Nothing was sent.');
  return new Script(name).of(sent.request.id).ask('one');
}

describe('chat state', () => {
  test('the view shows the conversation last written in', async () => {
    const { screen } = await opened(asking('a'), asking('b'));
    expect(screen.id).toBe('conversation-b');
  });

  test('the state equals that of a reload, however it was streamed', async () => {
    const script = asking();
    const { frames, screen } = await opened(script);
    script.delta({ type: 'text', text: 'Look' }).delta({ type: 'text', text: 'ing.' });
    frames.run();
    script.say('Looking.').call('read_file', { path: 'A.md' }, '1\tA');
    script.stepEnd().step().say('Done.').done('Done.');
    const kept: Event[] = script.events.filter(({ type }) => type !== 'part-delta');
    expect(screen.conversation).toEqual(reduceAll(script.id, kept));
  });

  test('a frame that was asked for shows the chat that was opened meanwhile', async () => {
    const [script, other] = [asking('a'), asking('b').done('Yes.')];
    const { frames, screen } = await opened(other, script);
    script.delta({ type: 'text', text: 'Look' });
    await screen.open(other.id);
    frames.run();
    expect(screen.conversation?.id).toBe(screen.id);
    expect(screen.id).toBe(other.id);
  });

  test('the view waits for one frame, however much text arrives', async () => {
    const script = asking();
    const { frames, screen } = await opened(script);
    const before = screen.conversation;
    for (let count = 0; count < 50; count += 1) script.delta({ type: 'text', text: 'a' });
    expect(frames.count).toBe(1);
    expect(screen.conversation).toBe(before);
    frames.run();
    expect(screen.turns[0]?.steps[0]?.live[0]?.text).toHaveLength(50);
  });

  test('other events are shown at once without a frame after them', async () => {
    const script = asking();
    const { frames, screen } = await opened(script);
    script.delta({ type: 'text', text: 'a' }).say('a');
    expect(screen.turns[0]?.steps[0]?.parts).toHaveLength(1);
    expect(frames.count).toBe(0);
  });

  test('unchanged turns stay the same objects, without proxies', async () => {
    const script = asking().done('Yes.');
    const { screen } = await opened(script);
    const [first] = screen.turns;
    script.ask('And eggs').step();
    expect(screen.turns[0]).toBe(first);
    expect(() => structuredClone(screen.turns)).not.toThrow();
  });

  test('the view knows what is running, what is waiting and what can be stopped', async () => {
    const script = asking();
    const { screen } = await opened(script);
    expect(screen.running).toMatchObject({ end: null });
    const draft = { kind: 'question', text: 'Which?', choices: [], allowFreeText: true } as const;
    script.hold('ask_user', {}, draft);
    expect(screen.running).toBeNull();
    expect(screen.waiting).toHaveLength(1);
    expect(screen.canStop).toBe(true);
    script.end({ kind: 'stopped', reply: 'Stopped.' });
    expect(screen.canStop).toBe(false);
  });

  test('/stop works like the button while something is open, and is sent otherwise', async () => {
    const script = asking();
    const { agent, panel, screen } = await opened(script);
    await screen.send('And eggs');
    expect(await screen.send(' /Stop ')).toBe(true);
    expect(agent.asked.filter(([what]) => what === 'stop')).toEqual([['stop', script.id]]);
    expect(panel.drafts.of(script.id).text).toBe('And eggs');
    script.end({ kind: 'stopped', reply: 'Stopped.' });
    await screen.send('/stop');
    expect(agent.asked.filter(([what]) => what === 'stop')).toHaveLength(1);
    expect(agent.entries.map(({ request }) => request.text)).toEqual(['/stop']);
  });

  test('/stop stops the chat it was typed in, though another is opened before it is sent', async () => {
    const [one, two] = [asking('a'), asking('b')];
    const { agent, screen } = await opened(one, two);
    const opensOther = () => screen.open(one.id).then(() => true);
    await screen.send('/stop', {}, opensOther);
    expect(agent.asked.filter(([what]) => what === 'stop')).toEqual([['stop', two.id]]);
  });

  test('the view is not affected by other conversations', async () => {
    const [one, two] = [asking('a'), asking('b')];
    const { screen } = await opened(one, two);
    const before = screen.conversation;
    one.say('Elsewhere.');
    expect(screen.conversation).toBe(before);
  });

  test('an old conversation opens in its current state', async () => {
    const [one, two] = [asking('a'), asking('b')];
    const { screen } = await opened(one, two);
    one.say('Meanwhile.');
    await screen.open(one.id);
    expect(screen.turns[0]?.steps[0]?.parts).toHaveLength(1);
    one.say('And more.');
    expect(screen.turns[0]?.steps[0]?.parts).toHaveLength(2);
  });

  test('the last of two requested conversations is shown', async () => {
    const [one, two, three] = [asking('a'), asking('b'), asking('c')];
    const { screen } = await opened(one, two, three);
    await Promise.all([screen.open(one.id), screen.open(two.id)]);
    expect(screen.id).toBe(two.id);
    expect(screen.conversation?.id).toBe(two.id);
  });

  test('an event that arrives while its conversation loads is not lost', async () => {
    const [one, two] = [asking('a'), asking('b')];
    const { agent, screen } = await opened(one, two);
    const { read } = agent.conversations;
    let asked = 0;
    vi.spyOn(agent.conversations, 'read').mockImplementation(async (id) => {
      const found = await read(id);
      asked += 1;
      if (asked === 1) one.say('In between.');
      return found;
    });
    await screen.open(one.id);
    expect(screen.turns[0]?.steps[0]?.parts).toHaveLength(1);
  });

  test('a second new chat is not created while the first is empty', async () => {
    const { agent, screen } = await opened(asking().done('Yes.'));
    await screen.newChat();
    await screen.newChat();
    expect(agent.asked.filter(([verb]) => verb === 'newConversation')).toHaveLength(1);
  });

  test('a new chat is not the empty one in which the request of another view is about to begin', async () => {
    const script = new Script('a');
    const { screen } = await opened(script);
    expect(screen.turns).toEqual([]);
    await screen.newChat();
    expect(screen.id).not.toBe(script.id);
  });

  test('two requests for a new chat create one', async () => {
    const { agent, screen } = await opened(asking().done('Yes.'));
    await Promise.all([screen.newChat(), screen.newChat()]);
    expect(agent.asked.filter(([verb]) => verb === 'newConversation')).toHaveLength(1);
  });

  test('a new chat is created if one without turns has a queued request', async () => {
    const { agent, screen } = await opened(asking());
    await screen.newChat();
    const waits = screen.id;
    await screen.send('Later');
    await eventually(() => expect(screen.queued).toHaveLength(1));
    await screen.newChat();
    expect(screen.id).not.toBe(waits);
    expect(agent.asked.filter(([verb]) => verb === 'newConversation')).toHaveLength(2);
  });

  test('text typed while a new chat is created moves there, and the earlier draft stays', async () => {
    const { screen } = await opened(asking().done('Yes.'));
    const { drafts } = screen.panel;
    const before = screen.id;
    drafts.of(before).text = 'For the old one. ';
    const made = screen.newChat();
    drafts.of(before).text += 'For the new one';
    await made;
    expect(screen.id).not.toBe(before);
    expect(drafts.of(screen.id).text).toBe('For the new one');
    expect(drafts.of(before).text).toBe('For the old one. ');
  });

  test('a new chat requested before the last one is shown is created', async () => {
    const agent = scriptedAgent([asking().done('Yes.')]);
    const screen = new ChatState(new PluginState(agent, pageUi()), manualFrames().next);
    const started = screen.start();
    await Promise.all([screen.newChat(), started]);
    expect(screen.id).not.toBe(asking().id);
    expect(screen.turns).toEqual([]);
    expect(screen.ready).toBe(true);
  });

  test('a message sent while a new chat is created goes there and is shown', async () => {
    const agent = scriptedAgent([asking().done('Yes.')]);
    const screen = new ChatState(new PluginState(agent, pageUi()), manualFrames().next);
    const started = screen.start();
    const made = screen.newChat();
    const sent = screen.send('For the new one');
    await Promise.all([started, made, sent]);
    const [, request] = agent.asked.find(([verb]) => verb === 'send') ?? [];
    expect(request).toMatchObject({ text: 'For the new one', conversation: screen.id });
    await eventually(() => expect(screen.queued).toHaveLength(1));
  });

  describe('text typed before the last chat is shown', () => {
    function starting(saved: readonly (readonly [ConversationId | '', DraftText])[] = []) {
      const script = asking().done('Yes.');
      const agent = scriptedAgent([script]);
      const { composer: composing } = agent;
      const kept = new Map<DraftOwner | null, string>();
      composing.drafts = async () => new Map(saved);
      composing.keepDraft = (id, { text }) => void kept.set(id, text);
      const panel = new PluginState(agent, pageUi());
      const screen = new ChatState(panel, manualFrames().next);
      return { script, kept, drafts: panel.drafts, screen };
    }
    const saved = (text: string): DraftText => ({ ...NO_DRAFT, text });

    test('the text moves to the chat that is shown', async () => {
      const { script, kept, drafts, screen } = starting();
      const started = screen.start();
      drafts.of(screen.id).text = 'Which promises';
      await started;
      expect(screen.id).toBe(script.id);
      expect(drafts.of(screen.id).text).toBe('Which promises');
      expect(drafts.of(null).text).toBe('');
      expect(kept.get(script.id)).toBe('Which promises');
    });

    test('the text is added below the saved draft, and nothing is lost', async () => {
      const { script, kept, drafts, screen } = starting([
        [asking().id, saved('Left here.')],
        ['', saved('Left before.')],
      ]);
      const started = screen.start();
      drafts.of(screen.id).text = 'New.';
      await started;
      expect(drafts.of(script.id).text).toBe('Left here.\n\nLeft before.\n\nNew.');
      expect(kept).toEqual(
        new Map([
          [null, ''],
          [script.id, 'Left here.\n\nLeft before.\n\nNew.'],
        ]),
      );
    });
  });

  test('messages sent in a row go into one conversation in order, each once', async () => {
    const { agent, screen } = await opened(asking());
    await Promise.all([screen.send('one'), screen.send('two')]);
    const conversation = screen.id;
    expect(agent.asked).toEqual([
      ['send', { text: 'one', conversation }],
      ['send', { text: 'two', conversation }],
    ]);
  });

  test('a chat opened by the user stays when a request sent before begins', async () => {
    const { agent, screen } = await opened();
    await screen.send('one');
    const [mine, begun] = [asking('mine').done('Yes.'), begunFor(agent, 'b')];
    agent.add(mine);
    await screen.open(mine.id);
    mine.ask('And eggs').done('Yes.').write({ type: 'conversation-end', reason: 'idle' });
    agent.add(begun);
    await expect.poll(() => agent.scripts.length).toBe(2);
    expect(screen.id).toBe(mine.id);
  });

  test('the runner decides where the first message goes, and the view follows', async () => {
    const { agent, screen } = await opened();
    await screen.send('one');
    expect(agent.asked).toEqual([['send', { text: 'one' }]]);
    expect(screen.queued).toHaveLength(1);
    const begun = begunFor(agent, 'a');
    agent.add(begun);
    await expect.poll(() => screen.id).toBe(begun.id);
  });

  test('the view stays where the user went while the message had not begun', async () => {
    const { agent, screen } = await opened(asking('b').done('Yes.'), asking('a').done('Yes.'));
    await screen.send('one');
    await screen.open('conversation-b' as never);
    const begun = begunFor(agent, 'c');
    agent.add(begun);
    await expect.poll(() => agent.scripts.length).toBe(3);
    expect(screen.id).toBe('conversation-b');
  });

  test('a message from a view without a chat does not go into the chat of another view', async () => {
    const { agent, panel, screen } = await opened();
    agent.add(asking('other').done('Yes.'));
    await panel.refresh();
    await screen.send('one');
    expect(screen.id).not.toBe('conversation-other');
    expect(agent.asked.at(-1)).toEqual(['send', { text: 'one', conversation: screen.id }]);
  });

  test('the view reports why a message could not be saved', async () => {
    const { agent, panel, screen } = await opened(asking());
    agent.queue.send = async () => ({ ok: false, reason: 'The disk is full.' });
    expect(await screen.send('More')).toBe(false);
    expect(panel.ui).toHaveProperty('asked', [['notice', 'The disk is full.']]);
  });

  test('a closed view receives nothing more', async () => {
    const script = asking();
    const { frames, screen } = await opened(script);
    script.delta({ type: 'text', text: 'a' });
    screen.close();
    expect(frames.count).toBe(0);
    const before = screen.conversation;
    script.say('a');
    expect(screen.conversation).toBe(before);
  });
});
