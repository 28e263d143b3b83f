/**
 * Soak test: requests that are typed in several chats and spoken, several at work at once, through
 * the built program over real sockets, while connections, SmartHole, the model, the disk and the
 * process fail, other programs edit the notes, and the user answers, decides, stops, pauses and
 * undoes. `npm run soak` makes 500 requests; the environment variables REQUESTS and SEED override the
 * defaults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { INBOX, namesIn, openStage, until, type State } from './driver';
import { footprint, plainTitle, SoakFaults, waitingTitles } from './soak-faults';
import { SoakJudge } from './soak-judge';
import { chance, filesFor, honest, textOf, troubledModel } from './soak-model';
import { SoakUser } from './soak-user';

const REQUESTS = Number(process.env['REQUESTS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? 1);
/** Maximum number of requests in progress: more than a user has, fewer than SmartHole remembers. */
const MAX_OPEN_REQUESTS = 14;
const SETTINGS = { stallSeconds: 5, stepsPerTurn: 50, tokensPerTurn: 10_000_000 };
/** At the end, a user who wants to decide by voice waits this long to hear what there is to decide. */
const LISTENING_MS = 180_000;
/** After this share of the requests one process lives on, so that it shows what it leaks. */
const KILLED_SHARE = 0.6;

test(
  `${REQUESTS} typed and spoken requests are each done once and reported once, whatever breaks`,
  async () => {
    const began = Date.now();
    const random = chance(SEED);
    const counts = new Map<string, number>();
    const smartHole = await FakeSmartHole.start();
    const items = Array.from({ length: REQUESTS }, (_, item) => item);
    await using stage = await openStage(troubledModel(random, counts), filesFor(items));
    const { vault, server } = stage;
    const user = new SoakUser(smartHole, random, counts);
    const faults = new SoakFaults({
      ...{ vault, smartHole, user, random, isLong: REQUESTS > 100 },
      start: (options) =>
        stage.start({ smartHoleUrl: smartHole.url, settings: SETTINGS, ...options }),
    });
    user.meets(
      await stage.start({
        smartHoleUrl: smartHole.url,
        settings: SETTINGS,
        ...faults.startOptions,
      }),
    );
    await faults.registered();
    // Parley may not have read the answer to its registration yet.
    while (!(await user.headless.send('pair')).ok) await sleep(50);
    for (let chat = 0; chat < 4; chat += 1) await user.opensChat();

    let mostAtWork = 0;
    /** Null if the process has ended. */
    const look = async () => {
      const state = await user.asks<State & { running: readonly unknown[] }>('state');
      mostAtWork = Math.max(mostAtWork, state?.running.length ?? 0);
      return state;
    };
    let lost = 0;
    let pid: number | undefined;
    let before: ReturnType<typeof footprint> = null;
    for (const item of items) {
      if (item > REQUESTS * KILLED_SHARE && user.headless.pid !== pid) {
        faults.sparesProcess();
        pid = user.headless.pid;
        before = footprint(pid);
      }
      if (random() < 0.5 && faults.isRegistered) {
        if (user.says(textOf(item)) === null) lost += 1;
      } else {
        const chance = random();
        const when = chance < 0.6 ? 'after' : chance < 0.65 ? 'stop' : undefined;
        // Sometimes the process is killed before it can reply.
        const typed = user.types(textOf(item), user.chat(), when);
        if (random() < 0.8) await typed;
      }
      await sleep(random() * 300);
      await faults.happen();
      await user.acts();
      if (random() < 0.06) await user.opensChat();
      for (;;) {
        const state = await look();
        const open = state?.inbox.filter((queued) => queued.state !== 'failed').length ?? 0;
        // Do not wait for requests that wait for the user.
        if (open < MAX_OPEN_REQUESTS || !state?.busy) break;
        await sleep(50);
        await user.acts();
      }
    }
    const sent = Date.now();

    // The faults have ended. Everything that waits is shown, then the user answers what is open and
    // retries what failed.
    await faults.end();
    server.setRespond(honest);
    const isOver = () => waitingTitles(vault).length === 0;
    for (let round = 0; ; round += 1) {
      const { inbox, interactions, problems } = await user.headless.settled();
      if (inbox.length === 0 && interactions.length === 0) break;
      if (round === 60)
        throw new Error(`It never ends: ${JSON.stringify({ inbox, interactions, problems })}`);
      while ((await user.asks('resume'))?.ok) user.count('resumed');
      await user.acts();
      const isListening = Date.now() < sent + LISTENING_MS;
      const silent = interactions.filter(
        ({ interaction }) => !isListening || !user.willSpeak(interaction),
      );
      for (const { interaction } of silent) await user.settles(interaction);
      if (silent.length < interactions.length) {
        await sleep(1_000);
        round -= 1;
      }
      for (const { state, request } of inbox) {
        // A request that is older than all signatures that Parley remembers is asked about.
        if (state !== 'unsigned') continue;
        await user.asks('retry', { request: request.id });
        user.count('confirmed after a restart');
      }
      const { ok } = await user.headless.send('retry', { request: 'all' });
      if (ok) user.count('retried what failed');
    }
    const rest = Date.now();
    await until(isOver, 'the last notification', 900_000);
    const { running, interactions } = await user.headless.settled();
    const after = footprint(pid);
    await user.headless.terminate();
    await smartHole.close();

    const givenAway = smartHole.unrouted
      .filter(({ reason }) => reason === 'Response timeout')
      .map(({ text }) => text);
    const judge = new SoakJudge({
      ...{ vault, items, sent: user.sent, foreign: faults.foreign },
      ...{ returned: user.returned, undos: user.undos, givenAway },
    });
    judge.requests();
    judge.notes();
    const { problems } = judge;
    for (const item of judge.givenUp()) problems.push(`item ${item} was given up`);

    const { ends, alone, combined, twice } = judge.announcements(user.heard(), faults.uncertain);
    const missing = Math.max(0, ends - alone - combined);
    const quit = smartHole.dropped.filter(({ why }) => why === 'app quit').length;
    const late = smartHole.ignored.filter(({ kind }) => kind === 'notification').length;
    if (missing > quit + late + faults.breaks) problems.push(`${missing} ends were not shown`);
    judge.spokenAnswers(user);
    const accepted = (how: string) =>
      user.sent.filter((each) => each.how === how && each.accepted === true);
    const slowest = (how: string) => Math.max(0, ...accepted(how).map(({ took }) => took));

    const report = {
      seed: SEED,
      requests: REQUESTS,
      'seconds until all were sent, ended, and shown': [sent, rest, Date.now()].map((at) =>
        Math.round((at - began) / 1_000),
      ),
      'lost by SmartHole': lost,
      ...Object.fromEntries([...judge.counts].sort()),
      rejected: user.sent.filter(({ accepted: is }) => is === false).length,
      'slowest ack, reply (ms)': [slowest('spoken'), slowest('typed')],
      'lost with a connection': givenAway.length,
      turns: judge.of('turn-start').length,
      'joined a turn': judge.of('steer-join').length,
      'most at work at once': mostAtWork,
      'questions and approvals': judge.of('interaction-start').length,
      'ends to be heard': ends,
      'shown alone': alone,
      'shown with others': combined,
      'shown twice, unrecorded': twice,
      missing,
      'lost when SmartHole quit': quit,
      'shown by Obsidian': user.notices,
      'requests to the model': server.requests.length,
      'disk operations that failed': faults.diskFaults,
      'other lines': faults.foreign.length,
      'last process, before and after': [before, after],
      ...Object.fromEntries([...counts].sort()),
    };
    console.log(JSON.stringify(report, null, 1));
    expect(problems).toEqual([]);
    expect([running, interactions]).toEqual([[], []]);
    expect(namesIn(vault, INBOX)).toEqual([]);
    expect(smartHole.violations).toEqual([]);
    // Another program fills the queue.
    expect(
      smartHole.dropped.filter(
        ({ why, title }) =>
          !['app quit', 'queue full'].includes(why) && !faults.uncertain.has(plainTitle(title)),
      ),
    ).toEqual([]);
    // A turn that fails because the disk refuses a reply leaves that reply out of the history.
    const isLost = (violation: string) =>
      counts.has('fault: disk refused') &&
      / is not what (the model said there|was sent before)$/.test(violation);
    expect(server.violations.filter((violation) => !isLost(violation))).toEqual([]);
    expect(mostAtWork).toBeLessThanOrEqual(4);
    expect(accepted('typed').length + accepted('spoken').length).toBeGreaterThan(REQUESTS / 2);
    if (before && after) expect(after.files).toBeLessThanOrEqual(before.files + 10);
  },
  60 * 60_000,
);
