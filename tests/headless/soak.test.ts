/**
 * Soak test: spoken requests through the built program over real sockets, with questions and
 * approvals that are answered by voice and by typing, and with faults in the connection, SmartHole,
 * the model, and the process. Every acked request is done exactly once, and everything that was to
 * be heard is shown exactly once. `npm run soak` sends 500 requests; the environment variables
 * MESSAGES and SEED override the defaults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Turn } from '#model/conversation';
import type { RequestId } from '#model/ids';
import type { Approval } from '#model/interaction';
import { reduceAll } from '#model/reducer';
import { isSpoken } from '#model/request';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { announcementsOf } from '#voice/turn-replies';
import { notificationOf } from '#voice/notifications';
import {
  INBOX,
  linesOf,
  namesIn,
  openStage,
  PLUGIN,
  readFileIn,
  recordedEvents,
  recordedOf,
  until,
} from './driver';
import { chance, draftOf, honest, noteOf, request, troubledModel } from './soak-model';
import { SoakUser } from './soak-user';

const MESSAGES = Number(process.env['MESSAGES'] ?? 24);
const SEED = Number(process.env['SEED'] ?? 1);
/** Maximum number of requests in progress: more than a user has, fewer than SmartHole remembers. */
const MAX_OPEN_REQUESTS = 12;
const SETTINGS = { stallSeconds: 5, stepsPerTurn: 20 };
/** From the frame on the wire to the record on the disk. */
const RECORD_MS = 1_000;
/** Six ends are shown in a minute. */
const LAST_NOTIFICATION_MS = 900_000;

const count = (counts: Map<string, number>, name: string, by = 1) =>
  counts.set(name, (counts.get(name) ?? 0) + by);

/** The title without the number that tells it from others. */
const plainTitle = (title: string) => title.replace(/ \(\d+\)$/, '');

/** Titles of notifications that the outbox of a vault holds as not shown. */
function waitingTitles(vault: string): string[] {
  return namesIn(vault, PLUGIN)
    .filter((name) => /^smarthole-.*\.jsonl$/.test(name))
    .flatMap((name) =>
      linesOf<{ reply?: { notification: { title: string } } }>(
        readFileIn(vault, `${PLUGIN}/${name}`) ?? '',
      ),
    )
    .flatMap(({ reply }) => (reply ? [reply.notification.title] : []));
}

function turnsIn(vault: string): { readonly conversation: string; readonly turn: Turn }[] {
  const events = recordedEvents(vault);
  return [...new Set(events.map(({ conversation }) => conversation))].flatMap((id) => {
    const own = events.filter(({ conversation }) => conversation === id);
    return reduceAll(id, own).turns.map((turn) => ({ conversation: id, turn }));
  });
}

test(
  `${MESSAGES} spoken requests are each done once and reported once, whatever breaks`,
  async () => {
    const random = chance(SEED);
    const troubles = new Map<string, number>();
    const smartHole = await FakeSmartHole.start();
    const acked = new Set<string>();
    smartHole.onFrame((frame) => {
      const { payload } = JSON.parse(frame) as { payload: { messageId?: string; type?: string } };
      if (payload.type === 'ack' && payload.messageId) acked.add(payload.messageId);
    });
    const items = Array.from({ length: MESSAGES }, (_, item) => item);
    const files = Object.fromEntries([
      ...items.map((item) => [noteOf(item), '# List\n']),
      ...items
        .filter((item) => request(item).kind === 'delete')
        .map((item) => [draftOf(item), 'Draft\n']),
    ]) as Record<string, string>;
    await using stage = await openStage(troubledModel(random, troubles), files);
    const { vault, server } = stage;
    const start = () => stage.start({ smartHoleUrl: smartHole.url, settings: SETTINGS });
    const user = new SoakUser(smartHole, random, await start());
    const registered = () => until(() => smartHole.clients.length > 0, 'a registration');
    await registered();
    // Parley may not have read the answer to its registration yet.
    while (!(await user.headless.send('pair')).ok) await sleep(50);

    /**
     * Titles that SmartHole had received when the connection or the process broke, and that Parley
     * had not recorded. It cannot know, so it may show each of them once more.
     */
    const uncertain = new Set<string>();
    const noteUncertain = () => {
      const shown = new Set(user.titles().map(plainTitle));
      for (const title of waitingTitles(vault)) if (shown.has(title)) uncertain.add(title);
      for (const { title, at } of smartHole.shown) {
        if (Date.now() - at < RECORD_MS) uncertain.add(plainTitle(title));
      }
    };
    const revive = async () => {
      count(troubles, 'kill of the process');
      await user.headless.kill();
      await until(() => smartHole.clients.length === 0, 'the end of the connection');
      noteUncertain();
      user.meets(await start());
    };
    const breaks: [number, () => unknown][] = [
      [
        0.04,
        () => {
          count(troubles, 'cut connection');
          smartHole.cut();
          noteUncertain();
        },
      ],
      [
        0.05,
        async () => {
          count(troubles, 'restart of SmartHole');
          // Parley cannot notice a restart while the connection is cut.
          await registered();
          await smartHole.close();
          // Sometimes nothing listens when Parley tries again.
          await sleep(random() < 0.5 ? 0 : 3_000 * random());
          await smartHole.open();
          // Parley cannot notice a restart if it is killed before.
          await registered();
        },
      ],
      [0.04, revive],
      [
        0.06,
        () => {
          const again = smartHole.deliveries.at(-1 - Math.floor(random() * 5));
          if (again && smartHole.deliverAgain(again.id)) count(troubles, 'second delivery');
        },
      ],
    ];

    /** Message ids by item. */
    const said = new Map<number, string>();
    let lost = 0;
    let ended = 0;
    for (const item of items) {
      await registered();
      const delivery = user.says(request(item).text);
      if (delivery) said.set(item, delivery.id);
      else lost += 1;
      await sleep(random() * 80);
      for (const [probability, happens] of breaks) if (random() < probability) await happens();
      await user.acts();
      if (item % 20 === 19) await user.headless.send('new');
      while (item - ended > MAX_OPEN_REQUESTS) {
        await sleep(50);
        await user.acts();
        ended = recordedOf(vault, 'turn-end').length + lost;
        // Do not wait for requests that wait for the user, or that were never delivered.
        if (!(await user.headless.state()).busy) break;
      }
    }

    await registered();
    // The faults have ended. Everything that waits is shown, then the user answers what is open and
    // retries what failed.
    server.setRespond(honest);
    for (let round = 0; round < 40; round += 1) {
      const { inbox, interactions } = await user.headless.settled();
      await until(
        () => waitingTitles(vault).length === 0,
        'the last notification',
        LAST_NOTIFICATION_MS,
      );
      for (const { interaction } of interactions) await user.settles(interaction);
      const failed = inbox.filter(({ state }) => state === 'failed');
      for (const { request: each } of failed) {
        count(troubles, 'retry by the user');
        await user.headless.send('retry', { request: each.id satisfies RequestId });
      }
      if (failed.length === 0 && interactions.length === 0) break;
    }
    await user.headless.settled();
    await until(
      () => waitingTitles(vault).length === 0,
      'the last notification',
      LAST_NOTIFICATION_MS,
    );
    await user.headless.terminate();
    await smartHole.close();

    const problems: string[] = [];
    const turns = turnsIn(vault);
    const starts = recordedOf(vault, 'turn-start');
    const answers = recordedOf(vault, 'answer-end');
    const joined = recordedOf(vault, 'steer-join').map((each) => each.request);
    const resolved = recordedOf(vault, 'interaction-end');

    let done = 0;
    for (const [item, id] of said) {
      const { kind, text } = request(item);
      const own = new Set(
        [
          ...starts.map((each) => ({ id: each.requestId, text: each.request.text })),
          ...joined,
        ].flatMap((each) => (each.text === text ? [each.id] : [])),
      );
      const asAnswer = answers.filter((each) => each.text === text).length;
      if (own.size + asAnswer > 1)
        problems.push(`item ${item} was taken ${own.size + asAnswer} times`);
      if (acked.has(id) && own.size + asAnswer === 0) problems.push(`item ${item} was swallowed`);
      const lines = (readFileIn(vault, noteOf(item)) ?? '').split('\n');
      const times = lines.filter((line) => line === `- item ${item}`).length;
      const wanted = kind === 'delete' ? 0 : 1;
      if (times > wanted) problems.push(`item ${item} was noted ${times} times`);
      if (acked.has(id) && times < wanted) problems.push(`item ${item} was acked and not done`);
      if (acked.has(id)) done += 1;
    }

    const deleted = items.filter(
      (item) => request(item).kind === 'delete' && readFileIn(vault, draftOf(item)) === null,
    );
    const allowed = resolved.filter(
      ({ resolution }) => resolution.kind === 'choice' && resolution.choice === 'delete',
    );
    if (deleted.length > allowed.length) problems.push('a note was deleted without a decision');

    for (const { decides, reply } of answers) {
      if (decides === undefined || reply.to !== 'smarthole') continue;
      const meant = reply.messageIds.map((id) => user.meantBy(id));
      if (!meant.includes(decides)) problems.push(`words for another approval decided ${decides}`);
    }

    // What was to be heard.
    const shown = new Map<string, number>();
    let combined = 0;
    for (const title of user.titles()) {
      const group = /^Done: (\d+) requests$/.exec(plainTitle(title));
      if (group) combined += Number(group[1]);
      else count(shown, plainTitle(title));
    }
    let ends = 0;
    let alone = 0;
    let twice = 0;
    for (const { conversation, turn } of turns) {
      if (!isSpoken(turn.request.source) || !turn.end || turn.end.kind === 'failed') continue;
      ends += 1;
      const context = {
        conversation: conversation as never,
        phrasesOf: ({ id: key }: Approval) => ({ key, byVoice: false }),
        triesAgain: false,
      };
      const end = announcementsOf(turn, context).at(-1)!;
      const { title } = notificationOf(end.reply, { request: end.request, wireName: 'simone' });
      const times = shown.get(title) ?? 0;
      if (times > 0) alone += 1;
      if (times <= 1) continue;
      twice += 1;
      if (times > 2 || !uncertain.has(title)) problems.push(`shown ${times} times: ${title}`);
    }
    // What is sent in the moment of a break is lost, as is a reply to what SmartHole has forgotten.
    const breaksIn = ['kill of the process', 'cut connection', 'restart of SmartHole'];
    const lostWith =
      breaksIn.reduce((sum, each) => sum + (troubles.get(each) ?? 0), 0) +
      smartHole.ignored.filter(({ kind }) => kind === 'notification').length +
      smartHole.dropped.filter(({ why }) => why === 'app quit').length;
    const missing = ends - alone - combined;
    if (missing > lostWith) problems.push(`${missing} ends were not shown`);
    if (alone + combined - ends > uncertain.size) problems.push('ends were shown twice');
    let heardQuestions = 0;
    for (const { interaction } of recordedOf(vault, 'interaction-start')) {
      const heard = user.heardAt(interaction);
      const end = resolved.find((each) => each.interaction === interaction.id);
      if (heard !== null) heardQuestions += 1;
      if (heard !== null && end && heard > end.time + RECORD_MS) {
        problems.push(`announced after it was settled: ${interaction.id}`);
      }
      const isSaid = end?.resolution.kind === 'answer' && end.resolution.via === 'voice';
      const answer = answers.find(({ requestId }) => requestId === end?.requestId);
      if (!isSaid || !answer || interaction.kind !== 'question') continue;
      const at = user.saidAt(answer.text);
      const turn = turns.find((each) => each.turn.id === interaction.turn)?.turn;
      if (turn && isSpoken(turn.request.source) && (heard === null || at < heard + 1_000)) {
        problems.push(`"${answer.text}" answered a question that could not have been heard`);
      }
    }

    const report = {
      seed: SEED,
      spoken: MESSAGES,
      'lost by SmartHole': lost,
      acked: [...said.values()].filter((id) => acked.has(id)).length,
      done,
      turns: starts.length,
      'questions and approvals': recordedOf(vault, 'interaction-start').length,
      'of these announced': heardQuestions,
      ...user.counts(),
      'ends of requests': ends,
      'shown alone': alone,
      'shown with others': combined,
      'shown by Obsidian': user.notices.length,
      'shown twice, unrecorded': twice,
      'ignored by SmartHole': smartHole.ignored.filter(({ kind }) => kind === 'notification')
        .length,
      'requests to the model': server.requests.length,
      ...Object.fromEntries([...troubles].sort()),
    };
    console.log(`${JSON.stringify(report, null, 1)}`);
    expect(problems).toEqual([]);
    expect(namesIn(vault, INBOX)).toEqual([]);
    expect(smartHole.violations).toEqual([]);
    const dropped = smartHole.dropped.filter(({ why }) => why !== 'app quit');
    expect(dropped.filter(({ title }) => !uncertain.has(plainTitle(title)))).toEqual([]);
    expect(server.violations).toEqual([]);
    expect(acked.size).toBeGreaterThan(MESSAGES / 2);
  },
  40 * 60_000,
);
