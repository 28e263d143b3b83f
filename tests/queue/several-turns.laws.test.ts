/**
 * Turns of three chats at once, in random interleavings with the user, other programs, decisions,
 * undo, stop and kills. The judge counts words: each change has a word of its own.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allCalls } from '#model/conversation';
import type { CallPart } from '#model/message';
import type { ConversationId, TurnId } from '#model/ids';
import type { ModelRequest } from '#ports/model-provider';
import { CASES_TIMEOUT_MS } from '../cases';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault, type TinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from './app-on-disk';
import { DEATHS, newLife } from './killable-process';

const NOTES = ['A.md', 'B.md', 'F/C.md'];
const BEFORE = '# Top\n\nslot 1\n\n- first\n\n# End\n\nslot 2\n';

const note = fc.constantFrom(...NOTES);
/** What the model does in one step. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), note }),
  fc.record({ kind: fc.constant('append' as const), note: fc.constant('A.md') }),
  fc.record({ kind: fc.constant('below' as const), note }),
  fc.record({ kind: fc.constant('slot' as const), note, slot: fc.constantFrom(1, 2) }),
  fc.record({ kind: fc.constant('create' as const), note: fc.constantFrom('N1.md', 'N2.md') }),
  fc.record({ kind: fc.constant('move' as const), note, to: fc.constantFrom('M.md', 'F/', 'G/') }),
  fc.record({ kind: fc.constant('many' as const), note }),
  fc.record({ kind: fc.constant('delete' as const), note }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const request = fc.record({
  chat: fc.nat({ max: 2 }),
  isSpoken: fc.integer({ min: 0, max: 3 }).map((each) => each === 0),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
});

const act = fc.record({
  wait: fc.nat({ max: 40 }),
  does: fc.oneof(
    fc.record({ kind: fc.constant('type' as const), note }),
    fc.record({ kind: fc.constant('stop' as const), chat: fc.nat({ max: 2 }) }),
    fc.record({ kind: fc.constant('undo' as const), turn: fc.nat({ max: 5 }) }),
    fc.record({ kind: fc.constant('decide' as const), accepts: fc.boolean() }),
    fc.record({ kind: fc.constant('pause' as const), chat: fc.nat({ max: 2 }) }),
  ),
});

const plan = fc.record({
  requests: fc.array(request, { minLength: 2, maxLength: 5 }),
  acts: fc.array(act, { maxLength: 5 }),
  /** How long each operation takes, in rounds of the event loop; used in turn. */
  pauses: fc.array(fc.nat({ max: 4 }), { minLength: 5, maxLength: 20 }),
  mode: fc.constantFrom('apply' as const, 'review' as const),
  kills: fc.array(fc.record({ at: fc.nat({ max: 120 }), death: fc.constantFrom(...DEATHS) }), {
    maxLength: 2,
  }),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

function callOf(made: Step, token: string): CallPart {
  const { note: path } = made;
  const edits = (...all: object[]) => call('edit_file', { path, edits: all });
  switch (made.kind) {
    case 'append':
      return edits({ position: 'end', content: `- ${token}` });
    case 'below':
      return edits({ position: 'after:# Top', content: `- ${token}` });
    case 'slot':
      return edits({ old_text: `slot ${made.slot}\n`, new_text: `slot ${made.slot} ${token}\n` });
    case 'create':
      return call('write_file', { path, content: `${token}\n` });
    case 'move':
      return call('move', { source: path, destination: made.to });
    case 'many':
      return call('replace_in_notes', {
        paths: NOTES,
        replacements: [{ old_text: '- first', new_text: `- first ${token}` }],
      });
    case 'delete':
      return call('delete', { path });
  }
}

const TOKEN = /\bw\d+x\d+\b/g;

class Stage {
  readonly disk: Disk;
  readonly #vault: TinyVault;
  readonly #plan: Plan;
  #operations = 0;
  readonly typed: string[] = [];
  /** By turn, whether all of it was undone. */
  readonly undone = new Map<TurnId, boolean>();
  /** Whether nothing was taken back on purpose, so that each change that was reported must be there. */
  isPlain: boolean;
  readonly chats: ConversationId[] = [];

  constructor(given: Plan) {
    this.#plan = given;
    this.isPlain = given.kills.length === 0;
    this.#vault = tinyVault(Object.fromEntries(NOTES.map((path) => [path, BEFORE])), ['F', 'G']);
    this.#vault.trashIsHere = true;
    const vault = this.#vault;
    const slow =
      <Args extends readonly unknown[], Value>(work: (...args: Args) => Promise<Value>) =>
      async (...args: Args) => {
        await this.pause();
        return work(...args);
      };
    this.disk = {
      store: memoryStore(),
      vault: {
        ...vault,
        list: () => vault.list(),
        get: (path) => vault.get(path),
        read: slow((path: string) => vault.read(path)),
        change: slow((path: string, before: string, after: string) =>
          vault.change(path, before, after),
        ),
        create: slow((path: string, text: string) => vault.create(path, text)),
        move: slow((path: string, to: string) => vault.move(path, to)),
        trash: slow((path: string) => vault.trash(path)),
      },
      clock: testClock(),
      settings: { panelMode: given.mode, smartHoleMode: given.mode, tools: { delete: 'allow' } },
      model: {
        stream: (each, signal) => this.#stream(each, signal),
      },
    };
  }

  readonly #quick = thinkingModel((each) => this.#answer(each));

  async *#stream(each: ModelRequest, signal: AbortSignal) {
    await this.pause();
    await this.pause();
    yield* this.#quick.stream(each, signal);
  }

  /** The request says which of the plan it is; the results say how far it is. */
  #answer({ history }: ModelRequest) {
    let number: number | null = null;
    let done = 0;
    for (const each of history) {
      const said = each.role === 'user' ? /Request (\d+)/.exec(each.texts.at(-1) ?? '') : null;
      if (said) [number, done] = [Number(said[1]), 0];
      if (each.role === 'results') done += each.results.length;
    }
    const steps = number === null ? [] : (this.#plan.requests[number]?.steps ?? []);
    const next = steps[done];
    return next ? answers([callOf(next, `w${number}x${done}`)]) : says('Done.');
  }

  async pause(): Promise<void> {
    const { pauses } = this.#plan;
    const rounds = pauses[(this.#operations += 1) % pauses.length] ?? 0;
    for (let round = 0; round < rounds; round += 1) await nextRound();
  }

  async send(rig: Rig, number: number): Promise<void> {
    const { chat, isSpoken } = this.#plan.requests[number]!;
    const text = `Request ${number}`;
    if (isSpoken) await rig.say(`m${number}`, text);
    else {
      const conversation = this.chats[chat]!;
      await rig.agent.queue.send({ text, conversation, when: 'after' });
    }
  }

  async act(rig: Rig, { does }: Plan['acts'][number]): Promise<void> {
    const { texts } = this.#vault;
    switch (does.kind) {
      case 'type': {
        const text = texts.get(does.note);
        if (text === undefined) return;
        const word = `mine${this.typed.length}`;
        this.typed.push(word);
        texts.set(does.note, text.replace('# Top\n', `# Top\n\n${word}\n`));
        return;
      }
      case 'stop':
        await rig.agent.queue.stop(this.chats[does.chat]);
        return;
      case 'pause':
        await rig.agent.queue.pause(this.chats[does.chat]);
        return;
      case 'undo': {
        const ended = eventsOn(this.disk, 'turn-end')[does.turn];
        if (!ended || this.undone.has(ended.turn)) return;
        this.isPlain = false;
        // Unknown until the undo has ended.
        this.undone.set(ended.turn, false);
        const done = await rig.agent.changes.undo({ turn: ended.turn });
        if (!done.ok) this.undone.delete(ended.turn);
        else this.undone.set(ended.turn, done.unapplied.length === 0);
        return;
      }
      case 'decide': {
        const [edit] = rig.agent.edits.pending().flatMap(({ edits }) => edits);
        if (edit === undefined) return;
        const choice = { edit: edit.id };
        await (does.accepts ? rig.agent.edits.accept(choice) : rig.agent.edits.reject(choice));
        if (!does.accepts) this.isPlain = false;
      }
    }
  }

  get texts(): ReadonlyMap<string, string> {
    return this.#vault.texts;
  }

  get trashed(): ReadonlyMap<string, string> {
    return this.#vault.trashed;
  }
}

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Far more rounds than the longest plan needs; a plan that takes more is stuck. */
const MAX_ROUNDS = 5_000;

async function play(given: Plan): Promise<Stage> {
  const stage = new Stage(given);
  const { disk, chats } = stage;
  const first = makeRig(disk);
  await first.load();
  for (let chat = 0; chat < 3; chat += 1) {
    const made = await first.agent.conversations.create();
    if (made.ok) chats.push(made.conversation);
  }
  void first.runner.close();
  const accepted = new Set<number>();
  let [sent, acted] = [0, 0];
  const lives = [...given.kills.map(({ at, death }) => newLife(at, death)), newLife()];
  for (const life of lives) {
    const rig = makeRig(disk, life);
    let isDone = false;
    const work = async () => {
      await rig.load();
      const sending = async () => {
        while (sent < given.requests.length) {
          const number = sent;
          sent += 1;
          await stage.send(rig, number);
          accepted.add(number);
          await stage.pause();
        }
      };
      const acting = async () => {
        while (acted < given.acts.length) {
          const next = given.acts[acted]!;
          acted += 1;
          for (let round = 0; round < next.wait; round += 1) await nextRound();
          if (life.isDead) return;
          await stage.act(rig, next);
        }
      };
      await Promise.all([sending(), acting()]);
      for (;;) {
        while (rig.runner.busy) await nextRound();
        const { paused } = await rig.agent.state();
        if (paused.length === 0) break;
        for (const { conversation } of paused) await rig.agent.queue.resume(conversation);
      }
      isDone = true;
    };
    const working = work();
    let failed: Error | null = null;
    working.catch((error: unknown) => (failed = error as Error));
    for (let round = 0; !isDone && !life.isDead; round += 1) {
      if (failed) throw failed as Error;
      if (round > MAX_ROUNDS) throw new Error('It is stuck.');
      await nextRound();
    }
    await settle();
    if (isDone && life === lives.at(-1)) await judge(stage, rig, accepted);
  }
  return stage;
}

async function judge(stage: Stage, rig: Rig, accepted: ReadonlySet<number>): Promise<void> {
  const { disk } = stage;
  // Notes are read again some time after they have changed.
  await disk.clock.advance(10_000);
  if (rig.agent.edits.pending().length > 0) await rig.agent.edits.accept({ edit: 'all' });
  if (rig.agent.edits.pending().length > 0) {
    // Another edit or the user has changed their lines.
    stage.isPlain = false;
    await rig.agent.edits.reject({ edit: 'all' });
  }
  expect((await rig.agent.state()).inbox).toEqual([]);
  const starts = eventsOn(disk, 'turn-start');
  const said = [...starts, ...eventsOn(disk, 'steer-join')].map(({ request: { text } }) => text);
  const ends = eventsOn(disk, 'turn-end').map(({ turn }) => turn);
  expect(ends.toSorted()).toEqual(starts.map(({ turn }) => turn).toSorted());
  expect(new Set(said).size).toBe(said.length);
  // A stop gives queued messages back to the composer, also if a kill interrupts it.
  const drafts = [...disk.store.files].flatMap(([path, text]) =>
    path.startsWith('plugin/drafts-') && path.endsWith('.json') ? [text] : [],
  );
  for (const number of accepted) {
    const text = `Request ${number}`;
    const times = said.filter((each) => each === text).length;
    const isReturned = drafts.some((each) => each.includes(text));
    expect(times + (isReturned ? 1 : 0), text).toBe(1);
  }
  const live = [...stage.texts.values()];
  // A file that an undo has made again may be in the trash, too.
  const all = [...live, ...stage.trashed.values()];
  const count = (files: readonly string[], word: string) =>
    files.join('\n').split(new RegExp(`(?<![\\w-])${word}\\b`)).length - 1;
  for (const [word, times] of [
    ...['# Top', '# End', '- first', 'slot 1', 'slot 2'].map((line) => [line, 3] as const),
    ...stage.typed.map((mine) => [mine, 1] as const),
  ]) {
    expect(count(live, word), word).toBeLessThanOrEqual(times);
    expect(count(all, word), word).toBeGreaterThanOrEqual(times);
  }
  for (const text of live) {
    const words = text.match(TOKEN) ?? [];
    expect(words.toSorted()).toEqual([...new Set(words)].toSorted());
  }
  for (const { id: chat } of (await rig.agent.state()).conversations) {
    const turns = (await rig.agent.conversations.read(chat))?.turns ?? [];
    for (const turn of turns) {
      for (const { part, ...made } of allCalls(turn)) {
        const [word] = JSON.stringify(part.input).match(TOKEN) ?? [];
        if (word === undefined) continue;
        const found = count(live, word);
        expect(found, word).toBeLessThanOrEqual(
          part.name === 'replace_in_notes' ? NOTES.length : 1,
        );
        if (stage.undone.get(turn.id) === true) expect(found, word).toBe(0);
        // A note that the chat has written, it may overwrite.
        const mayBeGone = !stage.isPlain || part.name === 'write_file';
        if (mayBeGone || made.state !== 'finished') continue;
        expect(count(all, word) > 0, `${word}: ${made.result.text}`).toBe(!made.result.failed);
      }
    }
  }
}

it(
  'turns at once run each request once, and each change is there once or was refused',
  async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        await play(given);
      }),
      { numRuns: Number(process.env['CASES'] ?? 200) },
    );
  },
  CASES_TIMEOUT_MS,
);
