/** An app with a slow model, to which a test speaks and types. */
import type { FailureKind } from '#model/failure';
import type { CallPart } from '#model/message';
import type { ModelRequest } from '#ports/model-provider';
import { notificationOf } from '#voice/notifications';
import { testClock } from '../builders/fake-clock';
import { answers, call, fails, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, heardOf, makeRig, type Disk, type Posted } from './app-on-disk';

type Posting = Disk & { readonly posted: Map<string, Posted> };

const APPEND = (content: string) =>
  call('edit_file', { path: 'List.md', edits: [{ position: 'end', content }] });

const CALLS: Readonly<Record<string, CallPart>> = {
  'Add milk': APPEND('- milk'),
  'Add eggs': APPEND('- eggs'),
  'Ask me': call('ask_user', { question: 'Which list?', choices: ['Stop the timer', 'Undo it'] }),
};

/** Requests that begin with "Slowly" wait until `release`. */
export async function stage(options: Pick<Disk, 'isPaired'> = {}) {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const lastText = ({ history }: ModelRequest) => {
    const last = history.at(-1);
    return last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
  };
  let failing: FailureKind | null = null;
  let limitedFor: number | null = null;
  const quick = thinkingModel((request) => {
    const made = CALLS[lastText(request).replace(/^Slowly: /, '')];
    if (failing !== null) return fails(failing);
    if (limitedFor !== null) return fails('rate-limit', { retryAfter: limitedFor });
    return made ? answers([made]) : says(`Heard: ${lastText(request)}`);
  });
  const disk: Posting = {
    ...options,
    store: memoryStore(),
    vault: tinyVault({ 'List.md': '- bread\n' }),
    clock: testClock(),
    posted: new Map(),
    model: {
      async *stream(request, signal) {
        if (lastText(request).startsWith('Slowly')) {
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve());
            void held.then(resolve);
          });
          if (signal.aborted) return;
        }
        yield* quick.stream(request, signal);
      },
    },
  };
  const rig = makeRig(disk);
  await rig.load();
  let spoken = 0;
  return {
    ...{ disk, rig, release, model: quick },
    /** From now on, requests to the model fail. */
    fail: (kind: FailureKind | null = 'too-long') => (failing = kind),
    /** From now on, the server asks for this delay in milliseconds. */
    limit: (retryAfter: number | null) => (limitedFor = retryAfter),
    list: () => disk.vault.texts.get('List.md'),
    ends: () =>
      eventsOn(disk, 'turn-end').map(({ turn, end }) => {
        const begun = eventsOn(disk, 'turn-start').find((event) => event.turn === turn);
        return `${begun?.request.text}: ${end.kind}`;
      }),
    /** Speaks, and returns what SmartHole showed for it until 10 s later. */
    async say(text: string, wait = 10_000) {
      spoken += 1;
      const id = `m${spoken}`;
      await rig.say(id, text);
      await rig.idleOrWaiting();
      await disk.clock.advance(wait);
      return [...disk.posted]
        .filter(([key]) => key.startsWith(`${id} `))
        .map(([, posted]) => ({
          ...notificationOf(posted.reply, { request: posted.request, wireName: 'simone' }),
          heard: heardOf(posted),
        }));
    },
    async type(text: string) {
      await rig.agent.queue.send({ text });
      await rig.idleOrWaiting();
      await disk.clock.advance(1_000);
    },
    /** Types a request in a chat of its own, and returns the chat. */
    async typeInNewChat(text: string) {
      const created = await rig.agent.conversations.create();
      if (!created.ok) throw new Error('No chat was created.');
      await rig.agent.queue.send({ text, conversation: created.conversation });
      await rig.idleOrWaiting();
      return created.conversation;
    },
    conversations: () =>
      new Set(eventsOn(disk, 'turn-start').map(({ conversation }) => conversation)).size,
  };
}

export const heard = (shown: readonly { readonly heard: string }[]) =>
  shown.map((each) => each.heard);
