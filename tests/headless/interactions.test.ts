/** Turns that wait for the user, across kills and restarts. */
import { signedLines } from '#conversations/conversation-file';
import { DeviceKey } from '#ports/device-key';
import { savedSecrets } from '#workbench/saved-secrets';
import { describe, expect, test } from 'vitest';
import { gate, slowStart } from '#workbench/model/faults';
import { call, reply, type Reply } from '#workbench/model/replies';
import { scriptedFor, type ScriptStep } from '#workbench/model/scripted';
import { toolResults } from '#workbench/model/wire';
import type { Approval, Question } from '#model/interaction';
import {
  INBOX,
  PLUGIN,
  isEvent,
  isReplyTo,
  namesIn,
  visibleFilesIn,
  openStage,
  readFileIn,
  recordedOf,
  writeFileIn,
  type Headless,
  type Scenario,
  type State,
} from './driver';

const FILES = { 'Old.md': 'An old thought.\n', 'New.md': 'A new one, after [[Old]].\n' };

const done = (summary: string, outcome = 'done') => reply(call('done', { summary, outcome }));
const deletes = reply('It is not needed any more.', call('delete', { path: 'Old.md' }));
const asks = (question: string, more: object = {}) => call('ask_user', { question, ...more });
const WHICH = { choices: ['red', 'green'] };

/** Ends the turn with the text of the last tool results, so that a test can check them. */
const repeats: ScriptStep = ({ messages }) =>
  done(
    toolResults(messages, messages.length - 1)
      .map(({ text }) => text)
      .join(' | '),
  );

async function theOnly<Kind extends 'approval' | 'question'>(
  headless: Headless,
  kind: Kind,
): Promise<Kind extends 'approval' ? Approval : Question> {
  await headless.event('interaction-start');
  const { interactions } = await headless.settled();
  expect(interactions).toHaveLength(1);
  expect(interactions[0]?.interaction.kind).toBe(kind);
  return interactions[0]?.interaction as Kind extends 'approval' ? Approval : Question;
}

async function waitingsAgain({ start }: Scenario): Promise<{ headless: Headless; state: State }> {
  const headless = await start();
  return { headless, state: await headless.settled() };
}

/**
 * Recorded end of each turn. Fails if the inbox is not empty or a request to the model was invalid.
 */
function ends({ vault, server }: Scenario): string[] {
  expect(namesIn(vault, INBOX)).toEqual([]);
  expect(server.violations).toEqual([]);
  const recorded = recordedOf(vault, 'turn-end');
  expect(new Set(recorded.map(({ turn }) => turn)).size).toBe(recorded.length);
  return recorded.map(({ end }) => `${end.kind}: ${end.reply}`);
}

/** The lines of a conversation file, as the program itself would have written them. */
async function signedAgain(vault: string, text: string): Promise<string> {
  const get = () => savedSecrets(vault)['parley-device-key'] ?? null;
  const none = () => undefined;
  const key = new DeviceKey({ get, set: none, unavailable: none });
  const lines = signedLines(text).map(async ({ event }) =>
    JSON.stringify({ ...event, signature: await key.sign(JSON.stringify(event)) }),
  );
  return `${(await Promise.all(lines)).join('\n')}\n`;
}

describe('An approval', () => {
  const script = () => scriptedFor({ '*': [deletes, repeats] });

  async function asked(stage: Scenario): Promise<{ headless: Headless; card: Approval }> {
    const first = await stage.start();
    await first.send('send', { text: 'Delete the old note.' });
    const { id } = await theOnly(first, 'approval');
    await first.kill();
    const { headless, state } = await waitingsAgain(stage);
    expect(state.interactions.map(({ interaction }) => interaction.id)).toEqual([id]);
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    const card = state.interactions[0]?.interaction as Approval;
    expect(card).toMatchObject({ kind: 'approval', tool: 'delete', choices: ['delete', 'keep'] });
    expect(card.lines.join(' ')).toContain('New.md');
    return { headless, card };
  }

  test('an approval is open again after a kill, and Delete deletes the note', async () => {
    await using stage = await openStage(script(), FILES);
    const { headless, card } = await asked(stage);
    expect(await headless.send('approve', { approval: card.id, choice: 'delete' })).toMatchObject({
      ok: true,
    });
    await headless.event('turn-end');
    await headless.settled();
    expect(visibleFilesIn(stage.vault)).toEqual({ 'New.md': FILES['New.md'] });
    expect(readFileIn(stage.vault, '.trash/Old.md')).toBe(FILES['Old.md']);
    expect(ends(stage)).toEqual([expect.stringMatching(/^completed: Deleted Old\.md\b/)]);
  });

  test('an approval is open again after a kill, and Keep keeps the note and gives the model the reason', async () => {
    await using stage = await openStage(script(), FILES);
    const { headless, card } = await asked(stage);
    await headless.send('approve', {
      approval: card.id,
      choice: 'keep',
      reason: 'I still need it.',
    });
    await headless.settled();
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    expect(ends(stage)).toEqual([
      'completed: The user denied delete: I still need it. Nothing was changed. Do not try another way.',
    ]);
  });

  test('an approval can be decided only once', async () => {
    await using stage = await openStage(script(), FILES);
    const { headless, card } = await asked(stage);
    const [first, second] = await Promise.all([
      headless.send('approve', { approval: card.id, choice: 'keep' }),
      headless.send('approve', { approval: card.id, choice: 'delete' }),
    ]);
    expect([first.ok, second.ok]).toEqual([true, false]);
    expect(second.reason).toBe('This approval is no longer open.');
    await headless.settled();
    await headless.kill();
    const { headless: again } = await waitingsAgain(stage);
    expect(await again.send('approve', { approval: card.id, choice: 'delete' })).toMatchObject({
      ok: false,
      reason: 'This approval is no longer open.',
    });
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    expect(ends(stage)).toHaveLength(1);
  });

  test('an approval accepts only the choices that it offers', async () => {
    await using stage = await openStage(script(), FILES);
    const { headless, card } = await asked(stage);
    for (const choice of ['always', 'allow-once', 'burn']) {
      expect(await headless.send('approve', { approval: card.id, choice })).toMatchObject({
        ok: false,
      });
    }
    expect((await headless.state()).interactions).toHaveLength(1);
  });

  const moments = {
    'the reply to approve': isReplyTo('approve'),
    'the decision': isEvent('interaction-end'),
    'the start of the deletion': isEvent('call-start'),
    'the end of the deletion': isEvent('call-end'),
    'the end of the turn': isEvent('turn-end'),
  };
  test.each(Object.entries(moments))(
    'an approval takes effect exactly once when the process is killed at %s',
    async (_name, moment) => {
      await using stage = await openStage(
        scriptedFor({
          '*': [
            deletes,
            ...Array.from({ length: 4 }, (): ScriptStep => (request, context) => {
              const { text } = toolResults(request.messages).at(-1) ?? { text: '' };
              if (!/^Not done/.test(text)) return done('Gone.');
              return context.index > 9 ? done('Never.', 'not_done') : deletes;
            }),
          ],
        }),
        FILES,
      );
      const { headless, card } = await asked(stage);
      headless.write(JSON.stringify({ cmd: 'approve', approval: card.id, choice: 'delete' }));
      await headless.killAt(moment);
      const { headless: again, state } = await waitingsAgain(stage);
      // If the process was killed before it touched the note, the model repeats the call, which needs
      // a new approval.
      for (const { interaction } of state.interactions) {
        await again.send('approve', { approval: interaction.id, choice: 'delete' });
      }
      await again.settled();
      expect(visibleFilesIn(stage.vault)).toEqual({ 'New.md': FILES['New.md'] });
      expect(namesIn(stage.vault, '.trash')).toEqual(['Old.md']);
      expect(ends(stage)).toEqual(['completed: Gone.']);
    },
  );
});

describe('A question', () => {
  const script = (...questions: Reply['blocks'][number][]) =>
    scriptedFor({
      Paint: [reply('I need to know.', ...questions), repeats],
      Water: [done('Watered.')],
    });
  const said = (answer: string) =>
    `completed: The user said next: ${answer}\n(Treat it as the answer if it is one, and otherwise as a new request.)`;

  async function asked(stage: Scenario): Promise<Headless> {
    const headless = await stage.start();
    await headless.send('send', { text: 'Paint it.' });
    await headless.event('interaction-start');
    await headless.settled();
    return headless;
  }
  async function askedAndKilled(stage: Scenario): Promise<{ headless: Headless; state: State }> {
    await (await asked(stage)).kill();
    return waitingsAgain(stage);
  }

  test.each([{ choice: 'green' }, { text: 'green' }, { text: 'blue, like the sea' }])(
    'a question can be answered directly after a kill: %j',
    async (answer) => {
      await using stage = await openStage(script(asks('Which colour?', WHICH)));
      const { headless, state } = await askedAndKilled(stage);
      expect(state.interactions[0]?.interaction).toMatchObject({ text: 'Which colour?', ...WHICH });
      expect(await headless.send('answer', answer)).toMatchObject({ ok: true });
      await headless.settled();
      expect(ends(stage)).toEqual([said(answer.choice ?? answer.text ?? '')]);
      expect(await headless.send('answer', answer)).toMatchObject({
        ok: false,
        reason: 'No question is open.',
      });
    },
  );

  test('a question rejects unknown choices, and free text if it does not allow it', async () => {
    await using stage = await openStage(
      script(asks('Which colour?', { ...WHICH, allow_free_text: false })),
    );
    const { headless } = await askedAndKilled(stage);
    for (const answer of [{ choice: 'blue' }, { text: 'blue' }, { text: '  ' }, {}]) {
      expect(await headless.send('answer', answer)).toMatchObject({ ok: false });
    }
    expect(await headless.send('answer', { text: 'red' })).toMatchObject({ ok: true });
    await headless.settled();
    expect(ends(stage)).toEqual([said('red')]);
  });

  test('the next message answers a question', async () => {
    await using stage = await openStage(script(asks('Which colour?')));
    const headless = await asked(stage);
    await headless.send('send', { text: 'Blue.' });
    await headless.event('turn-end');
    await headless.settled();
    expect(ends(stage)).toEqual([said('Blue.')]);
    expect(recordedOf(stage.vault, 'answer-end').map(({ text }) => text)).toEqual(['Blue.']);
  });

  test('the next message answers a question after a kill', async () => {
    await using stage = await openStage(script(asks('Which colour?')));
    const { headless } = await askedAndKilled(stage);
    await headless.send('send', { text: 'Blue.' });
    await headless.event('turn-end');
    await headless.settled();
    expect(ends(stage)).toEqual([said('Blue.')]);
  });

  const moments = {
    'the reply to send': isReplyTo('send'),
    'the answer': isEvent('answer-end'),
    'the first of the questions it settles': isEvent('interaction-end'),
    'the last of the questions it settles': isEvent('interaction-end', ({ interaction: waiting }) =>
      settled.has(waiting),
    ),
    'the first result': isEvent('call-end'),
    'the next step': isEvent('step-start', ({ step }) => step === 2),
    'the end of the turn': isEvent('turn-end'),
  };
  const settled = new Set<string>();
  test.each(Object.entries(moments))(
    'a message answers its questions exactly once when the process is killed at %s',
    async (_name, moment) => {
      await using stage = await openStage(
        scriptedFor({
          '*': [
            reply('I need to know.', asks('Which colour?'), asks('Which wall?')),
            done('Painted.'),
            done('Painted.'),
          ],
        }),
      );
      const { headless, state } = await askedAndKilled(stage);
      settled.clear();
      settled.add(state.interactions.at(-1)?.interaction.id ?? '');
      headless.write(JSON.stringify({ cmd: 'send', text: 'Blue, the north one.' }));
      await headless.killAt(moment);
      await waitingsAgain(stage);
      expect(ends(stage)).toEqual(['completed: Painted.']);
      expect(recordedOf(stage.vault, 'turn-start')).toHaveLength(1);
      expect(recordedOf(stage.vault, 'answer-end')).toHaveLength(1);
      expect(
        recordedOf(stage.vault, 'interaction-end').map(({ resolution }) => resolution),
      ).toEqual([
        { kind: 'answer', text: 'Blue, the north one.', via: 'typed' },
        { kind: 'answer', text: 'Blue, the north one.', via: 'typed' },
      ]);
    },
  );

  test('a message sent before a question was shown joins the turn instead of answering it', async () => {
    const shown = gate();
    await using stage = await openStage(
      scriptedFor({
        Paint: [slowStart(reply('Hm.', asks('Which colour?')), shown.promise), repeats],
      }),
    );
    const first = await stage.start();
    await first.send('send', { text: 'Paint it.' });
    await first.event('step-start');
    const early = await first.send('send', { text: 'Water the beans.' });
    shown.open();
    await first.event('interaction-start');
    const before = await first.settled();
    expect(before.interactions).toHaveLength(1);
    expect(before.inbox.map(({ state }) => state)).toEqual(['claimed', 'queued']);
    await first.kill();
    const { headless, state } = await waitingsAgain(stage);
    expect(state.inbox.map(({ request: inbound }) => inbound.id).at(-1)).toBe(early.request);
    expect(state.interactions).toHaveLength(1);
    await headless.send('send', { text: 'Blue.' });
    await headless.event('turn-end');
    await headless.settled();
    expect(ends(stage)).toEqual([said('Blue.')]);
    expect(recordedOf(stage.vault, 'answer-end').map(({ text }) => text)).toEqual(['Blue.']);
    const joined = recordedOf(stage.vault, 'steer-join');
    expect(joined.map(({ request }) => request.text)).toEqual(['Water the beans.']);
    expect(namesIn(stage.vault, INBOX)).toEqual([]);
  });

  test('a question holds up only its own conversation', async () => {
    await using stage = await openStage(script(asks('Which colour?')));
    const { headless, state } = await askedAndKilled(stage);
    const { conversation } = await headless.send('new');
    await headless.send('send', { text: 'Water the beans.', conversation });
    await headless.event('turn-end', ({ end }) => end.reply === 'Watered.');
    expect((await headless.settled()).interactions).toEqual(state.interactions);
    await headless.send('send', {
      text: 'Blue.',
      conversation: state.interactions[0]?.conversation,
    });
    await headless.event('turn-end', ({ conversation: at }) => at !== conversation);
    await headless.settled();
    expect(ends(stage).sort()).toEqual([said('Blue.'), 'completed: Watered.']);
  });

  test('a step continues only after all of its questions are answered', async () => {
    await using stage = await openStage(script(asks('Which colour?'), asks('Which wall?', WHICH)));
    const { headless, state } = await askedAndKilled(stage);
    const [colour, wall] = state.interactions.map(({ interaction }) => interaction.id);
    expect(await headless.send('answer', { text: 'Blue' })).toMatchObject({ ok: false });
    await headless.send('answer', { question: wall, choice: 'red' });
    expect(
      (await headless.settled()).interactions.map(({ interaction }) => interaction.id),
    ).toEqual([colour]);
    await headless.kill();
    const { headless: again, state: left } = await waitingsAgain(stage);
    expect(left.interactions.map(({ interaction }) => interaction.id)).toEqual([colour]);
    await again.send('answer', { text: 'Blue' });
    await again.settled();
    const [end] = ends(stage);
    expect(end).toContain('said next: Blue');
    expect(end).toContain('said next: red');
  });

  test('a message that answers a question closes the approval beside it undecided', async () => {
    await using stage = await openStage(
      script(asks('Which colour?'), call('delete', { path: 'Old.md' })),
      FILES,
    );
    const { headless, state } = await askedAndKilled(stage);
    const card = state.interactions.find(({ interaction }) => interaction.kind === 'approval')
      ?.interaction.id;
    expect(state.interactions).toHaveLength(2);
    await headless.send('send', { text: 'Never mind.' });
    await headless.event('turn-end');
    await headless.settled();
    expect(await headless.send('approve', { approval: card, choice: 'delete' })).toMatchObject({
      ok: false,
    });
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    expect(ends(stage)[0]).toContain('The user did not decide on delete');
  });

  test('stopping a turn closes its open question, before and after a kill', async () => {
    await using stage = await openStage(
      scriptedFor({
        Paint: [
          reply(asks('Which colour?'), call('delete', { path: 'Old.md' })),
          reply(asks('Which?')),
        ],
        Water: [done('Watered.')],
      }),
      FILES,
    );
    const first = await asked(stage);
    expect(await first.send('stop')).toMatchObject({ ok: true });
    expect((await first.settled()).interactions).toEqual([]);
    await first.send('send', { text: 'Paint it.' });
    await first.settled();
    await first.kill();
    const { headless } = await waitingsAgain(stage);
    expect(await headless.send('stop')).toMatchObject({ ok: true });
    expect(await headless.send('stop')).toMatchObject({
      ok: false,
      reason: 'Nothing is running.',
    });
    await headless.send('send', { text: 'Water the beans.' });
    await headless.event('turn-end', ({ end }) => end.reply === 'Watered.');
    await headless.settled();
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    expect(ends(stage)).toEqual(['stopped: Stopped.', 'stopped: Stopped.', 'completed: Watered.']);
  });

  test('a question that expired while the program was not running ends its turn at the start without a model call', async () => {
    await using stage = await openStage(
      script(asks('Which colour?'), call('delete', { path: 'Old.md' })),
      FILES,
    );
    const before = await stage.start();
    // Only a spoken request stops waiting for an answer.
    await before.send('send', { text: 'Paint it.', source: 'voice' });
    await before.event('interaction-start');
    await before.settled();
    await before.kill();
    const folder = `${PLUGIN}/conversations`;
    const name = namesIn(stage.vault, folder).find((each) => each.startsWith('conversation-'))!;
    const text = readFileIn(stage.vault, `${folder}/${name}`)!;
    const expired = text.replace(/"expires":\d+/g, '"expires":1000');
    writeFileIn(stage.vault, `${folder}/${name}`, await signedAgain(stage.vault, expired));
    const headless = await stage.start();
    await headless.event('turn-end');
    expect((await headless.settled()).interactions).toEqual([]);
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    expect(stage.server.requests).toHaveLength(1);
    expect(ends(stage)).toEqual([
      'limited: Stopped because no answer came in time. Nothing was changed.',
    ]);
    expect(
      recordedOf(stage.vault, 'interaction-end').map(({ resolution }) => resolution.kind),
    ).toEqual(['expired', 'expired']);
  });
});
