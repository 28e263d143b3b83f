/**
 * Messages sent during a turn, on a disk that fails at each operation, and in random order with
 * everything else that a user does: each ends exactly once.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '#model/request';
import { settle } from '../builders/fake-clock';
import { IS_SAMPLE, strideOf } from '../builders/sampled';
import { eventsOn, inboxOn, makeRig, type Rig } from './app-on-disk';
import { DEATHS, newLife, type KillPoint } from './killable-process';
import { begun, ends, joined, steeringDisk, type SteeringDisk } from './steering-disk';

const FIRST = 'Write 2 a';
const SECOND = 'Rather write it in French';

/** How the second message is sent. */
const WAYS = [
  ['typed', (rig: Rig) => rig.agent.queue.send({ text: SECOND })],
  ['spoken', (rig: Rig) => rig.say('m2', SECOND)],
  ['queued', (rig: Rig) => rig.agent.queue.send({ text: SECOND, when: 'after' })],
  ['stopping', (rig: Rig) => rig.agent.queue.send({ text: SECOND, when: 'stop' })],
] as const;

/** Runs until the process is killed at operation `at`, or to the end; false if it reached the end. */
async function runAndDie(
  disk: SteeringDisk,
  send: (rig: Rig) => Promise<unknown>,
  at: number,
  death: KillPoint,
): Promise<{ died: boolean; sent: boolean }> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  let sent = false;
  disk.during = async (path) => {
    if (path !== 'a1.md' || sent) return;
    await send(rig);
    sent = true;
  };
  void rig
    .load()
    .then(() => rig.say('m1', FIRST))
    .catch(() => undefined);
  await settle();
  await rig.idle();
  await settle();
  return { died: life.isDead, sent };
}

describe('a process that is killed while a message is pending', () => {
  for (const [way, send] of WAYS) {
    it(`a ${way} message runs or joins exactly once, wherever the process is killed`, async () => {
      let points = 0;
      for (const death of DEATHS) {
        for (let at = 0; ; at += strideOf(13)) {
          const disk = steeringDisk();
          const { died, sent } = await runAndDie(disk, send, at, death);
          const where = `${death} operation ${at}`;
          await disk.clock.advance(1000);
          const isSaved =
            inboxOn(disk).some((path) => path.endsWith('.json')) || begun(disk).includes(FIRST);
          const rig = makeRig(disk);
          disk.during = async () => undefined;
          await rig.load();
          await rig.idle();
          expect(inboxOn(disk), where).toEqual([]);
          const taken = [...begun(disk), ...joined(disk)].filter((text) => text === SECOND);
          expect(taken.length, where).toBeLessThanOrEqual(1);
          if (sent) expect(taken, where).toEqual([SECOND]);
          if (isSaved)
            expect(
              begun(disk).filter((text) => text === FIRST),
              where,
            ).toHaveLength(1);
          expect(ends(disk), where).toHaveLength(begun(disk).length);
          void rig.runner.close();
          points += 1;
          if (!died) break;
        }
      }
      expect(points).toBeGreaterThan(IS_SAMPLE ? 6 : 40);
    });
  }
});

type Act =
  | { readonly do: 'send'; readonly when: Delivery | undefined; readonly other: boolean }
  | { readonly do: 'write'; readonly when: Delivery | undefined }
  | { readonly do: 'say' | 'pause' | 'resume' | 'stop' | 'discard' | 'send-now' | 'restart' };

const when = fc.constantFrom<Delivery | undefined>(undefined, undefined, 'steer', 'after', 'stop');
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), when, other: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), when }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('say', 'pause', 'resume', 'stop', 'discard', 'send-now', 'restart'),
    }),
  },
);
/** An act after so many rounds of the event loop; each note takes some of them to be written. */
const ROUNDS_PER_NOTE = 4;
const acts = fc.array(fc.tuple(fc.nat(6), act), { minLength: 3, maxLength: 14 });

const RANDOM = { numRuns: Number(process.env['CASES'] ?? 200) };

describe('messages sent at random moments', () => {
  it('each message runs, joins a turn or returns to the user exactly once', async () => {
    let steered = 0;
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const disk = steeringDisk();
        disk.during = async () => {
          for (let round = 0; round < ROUNDS_PER_NOTE; round += 1) await settle();
        };
        let rig = makeRig(disk);
        await rig.load();
        const chats = [
          await rig.agent.conversations.create(),
          await rig.agent.conversations.create(),
        ];
        const [main, other] = chats.map((each) => (each.ok ? each.conversation : undefined));
        const sent: string[] = [];
        const back: string[] = [];
        const send = async (text: string, how: Delivery | undefined, isOther: boolean) => {
          const conversation = isOther ? other : main;
          const result = await rig.agent.queue.send({
            text,
            ...(conversation ? { conversation } : {}),
            ...(how ? { when: how } : {}),
          });
          if (result.ok) sent.push(text);
        };
        await send('Write 4 s', undefined, false);
        for (const [at, [wait, next]] of all.entries()) {
          for (let turn = 0; turn < wait; turn += 1) await settle();
          await disk.clock.advance(1);
          const queued = (await rig.agent.state()).inbox.find(({ state }) => state === 'queued');
          if (next.do === 'send') await send(`Message ${at}.`, next.when, next.other);
          else if (next.do === 'write') await send(`Write 3 n${at}x`, next.when, false);
          else if (next.do === 'say') {
            if ((await rig.say(`m${at}`, `Spoken words ${at} for the agent`)).ok) {
              sent.push(`Spoken words ${at} for the agent`);
            }
          } else if (next.do === 'pause') await rig.agent.queue.pause(main);
          else if (next.do === 'resume') await rig.agent.queue.resume(main);
          else if (next.do === 'stop') {
            const stopped = await rig.agent.queue.stop(main);
            if (stopped.ok) back.push(...stopped.returned);
          } else if (next.do === 'discard' && queued) {
            if ((await rig.agent.queue.discard(queued.request.id)).ok)
              back.push(queued.request.text);
          } else if (next.do === 'send-now' && queued) {
            await rig.agent.queue.sendNow(queued.request.id);
          } else if (next.do === 'restart') {
            void rig.runner.close();
            await settle();
            rig = makeRig(disk);
            await rig.load();
          }
        }
        await rig.idle();
        while ((await rig.agent.queue.resume()).ok) await rig.idle();
        const taken = [...begun(disk), ...joined(disk), ...back];
        expect(taken.toSorted()).toEqual(sent.toSorted());
        expect(ends(disk)).toHaveLength(begun(disk).length);
        expect(inboxOn(disk)).toEqual([]);
        expect(eventsOn(disk, 'turn-end').some(({ end }) => end.kind === 'failed')).toBe(false);
        steered += joined(disk).length;
        void rig.runner.close();
      }),
      RANDOM,
    );
    expect(steered).toBeGreaterThan(RANDOM.numRuns / 4);
  });
});
