/** Runs a task once: writes its vault, does what its user does, and collects the outcome. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '#model/event';
import { callId } from '#model/ids';
import { declineChoice, grantChoice, type Interaction } from '#model/interaction';
import type { NoteChange, PendingNote } from '#model/pending-edit';
import { ALL_TOOLS } from '#tools/all-tools';
import { EndedProcess, openHere, openProcess } from './drivers';
import type { Built, Driver, Endpoint, Reply } from './drivers';
import { outcomeOfEvents, recordedEvents, visibleFiles, type Outcome } from './outcome';
import type { Files, KillMoment, Step, Task } from './task';

export interface PlayOptions {
  readonly built: Built;
  readonly endpoint: Endpoint;
  /** Settings of the run, such as the model. They override those of the task. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** An empty folder. */
  readonly folder: string;
  /** How long the agent may work on a step of the user; 300 by default. */
  readonly settleSeconds?: number;
}

export interface Played {
  readonly outcome: Outcome;
  /** Why the run says nothing about the model, such as a request that failed; null if it does. */
  readonly failure: string | null;
  /** From the first step of the user until the agent is idle after the last one. */
  readonly seconds: number;
}

type State = Reply & {
  readonly busy: boolean;
  readonly interactions: readonly { readonly interaction: Interaction }[];
  readonly edits: readonly PendingNote[];
};
type History = Reply & { readonly changes: readonly NoteChange[] };

const SETTLE_SECONDS = 300;
const POLL_MS = 5;
/** A model that repeats declined calls must not keep a task alive. */
const MAX_DECISIONS = 20;

export async function play(task: Task, options: PlayOptions): Promise<Played> {
  const vault = path.join(options.folder, 'vault');
  writeFiles(vault, task.files);
  const before = visibleFiles(vault);
  const run = new TaskRun(task, vault, options);
  await run.open();
  try {
    const started = performance.now();
    const problem = await run.takeSteps();
    const seconds = (performance.now() - started) / 1000;
    const { changes, pending } = await run.records(before);
    await run.close();
    const outcome = {
      ...outcomeOfEvents(recordedEvents(vault)),
      before,
      after: visibleFiles(vault),
      typed: typedPaths(task),
      changes,
      pending,
      kills: run.kills,
    };
    return { outcome, failure: problem ?? failureOf(outcome), seconds };
  } finally {
    await run.close();
  }
}

class TaskRun {
  readonly #task: Task;
  readonly #vault: string;
  readonly #options: PlayOptions;
  readonly #answers: string[];
  #driver: (Driver & { kill?(): Promise<void> }) | null = null;
  #lastTurn: string | null = null;
  #lastReply = '';
  #killAt: KillMoment | undefined;
  /** The words of the user while a change runs. */
  #during: Pick<Extract<Step, { do: 'send' }>, 'during' | 'source'> | undefined;
  /** Calls that may change a note. */
  readonly #writing = new Set<string>();
  #decisions = 0;
  readonly #touched = new Set<string>();
  kills = 0;

  constructor(task: Task, vault: string, options: PlayOptions) {
    this.#task = task;
    this.#vault = vault;
    this.#options = options;
    this.#answers = [...(task.answers ?? [])];
  }

  async open(): Promise<void> {
    const { built, endpoint, settings } = this.#options;
    const isKilled = this.#task.steps.some((step) => step.do === 'send' && step.killAt);
    this.#driver = await (isKilled ? openProcess : openHere)(built, {
      vault: this.#vault,
      endpoint,
      settings: { ...this.#task.settings, ...settings },
      onEvent: (event) => this.#note(event),
    });
  }

  async close(): Promise<void> {
    const driver = this.#driver;
    this.#driver = null;
    await driver?.close();
  }

  /** Returns why the steps could not be taken, or null. */
  async takeSteps(): Promise<string | null> {
    for (const step of this.#task.steps) {
      const problem = await this.#take(step);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Pending edits, and the change log of every note that is different or was for a while. */
  async records(before: Files): Promise<Pick<Outcome, 'changes' | 'pending'>> {
    const { edits: pending } = await this.#command<State>('state');
    const after = visibleFiles(this.#vault);
    const changed = [...Object.keys(before), ...Object.keys(after)].filter(
      (each) => before[each] !== after[each],
    );
    const changes: Record<string, readonly NoteChange[]> = {};
    for (const note of new Set([...changed, ...this.#touched])) {
      changes[note] = (await this.#command<History>('history', { note })).changes;
    }
    return { changes, pending };
  }

  async #take(step: Step): Promise<string | null> {
    switch (step.do) {
      case 'send':
        this.#killAt = step.killAt;
        this.#during = step;
        await this.#command('send', { text: step.text, source: step.source }).catch(ifKilled);
        return this.#settle();
      case 'type':
        return typeIntoNote(this.#vault, step);
      case 'undo':
        await this.#command('undo', { turn: this.#lastTurn });
        return null;
      case 'new-chat':
        await this.#command('new');
        return null;
      case 'accept':
      case 'reject':
        await this.#decide(step.do, step.edit);
        return null;
    }
  }

  async #decide(choice: 'accept' | 'reject', which: number | 'all'): Promise<void> {
    const { edits } = await this.#command<State>('state');
    const hunks = edits.flatMap(({ path: note, edits: own }) =>
      own.map(({ id }) => ({ edit: id, note })),
    );
    const chosen = which === 'all' ? { edit: 'all' } : hunks[which];
    // A model that proposed less than expected is judged by what it left.
    if (chosen) await this.#command(choice, chosen);
  }

  /** Waits until the agent is idle, and does what the task says for approvals and questions. */
  async #settle(): Promise<string | null> {
    const { settleSeconds = SETTLE_SECONDS } = this.#options;
    const end = performance.now() + settleSeconds * 1000;
    while (performance.now() < end) {
      const isIdle = await this.#react().catch(async (error: unknown) => {
        ifKilled(error);
        await this.open();
        return false;
      });
      if (isIdle) return null;
      await sleep(POLL_MS);
    }
    await this.#command('stop');
    return `The agent was not idle after ${settleSeconds} s.`;
  }

  async #react(): Promise<boolean> {
    const { busy, interactions } = await this.#command<State>('state');
    if (busy) return false;
    const [open] = interactions.map(({ interaction }) => interaction);
    if (!open) return !(await this.#answerInWords());
    if (open.kind === 'question') {
      const text = this.#answers.shift();
      if (text === undefined) return true;
      await this.#command('answer', { text });
      return false;
    }
    this.#decisions += 1;
    if (this.#decisions > MAX_DECISIONS) {
      await this.#command('stop');
      return false;
    }
    const granted = this.#task.approvals === 'allow' ? grantChoice(open) : null;
    const choice = granted ?? declineChoice(open);
    await this.#command('approve', { approval: open.id, choice });
    return false;
  }

  /** A question in plain text ends its turn, so that the answer is a request of its own. */
  async #answerInWords(): Promise<boolean> {
    if (!/[?？؟]\s*$/.test(this.#lastReply)) return false;
    const text = this.#answers.shift();
    if (text === undefined) return false;
    this.#lastReply = '';
    await this.#command('send', { text });
    return true;
  }

  #note(event: Event): void {
    if (event.type === 'turn-start') this.#lastTurn = event.turn;
    if (event.type === 'turn-end') this.#lastReply = event.end.reply;
    if (event.type === 'call-end' && event.result.details?.kind === 'changes') {
      for (const change of event.result.details.changes) this.#touched.add(change.path);
    }
    if (event.type === 'part-end' && event.part.type === 'call' && isWriting(event.part.name)) {
      this.#writing.add(callId(event.turn, event.step, event.index));
    }
    const moment = this.#momentOf(event);
    const { during: text, source } = this.#during ?? {};
    if (moment === 'change-start' && text !== undefined) {
      this.#during = undefined;
      void this.#command('send', { text, source });
    }
    if (moment !== this.#killAt || this.#killAt === undefined) return;
    this.#killAt = undefined;
    this.kills += 1;
    void this.#driver?.kill?.();
  }

  #momentOf(event: Event): KillMoment | null {
    if (event.type === 'step-start') return event.type;
    const isWriting = 'call' in event && this.#writing.has(event.call);
    if (event.type === 'call-start' && isWriting) return 'change-start';
    return event.type === 'call-end' && isWriting && !event.result.failed ? 'change-end' : null;
  }

  #command<Answer extends Reply = Reply>(cmd: string, fields: object = {}): Promise<Answer> {
    if (!this.#driver) throw new Error('The vault is not open.');
    return this.#driver.command<Answer>(cmd, fields);
  }
}

function isWriting(tool: string): boolean {
  return ALL_TOOLS.some(({ name, effect }) => name === tool && effect === 'change');
}

function ifKilled(error: unknown): void {
  if (!(error instanceof EndedProcess)) throw error;
}

function typedPaths(task: Task): string[] {
  return task.steps.flatMap((step) => (step.do === 'type' ? [step.path] : []));
}

function typeIntoNote(
  vault: string,
  { path: note, from, to }: Extract<Step, { do: 'type' }>,
): string | null {
  const file = path.join(vault, note);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) return `${note} does not contain ${JSON.stringify(from)}.`;
  writeFileSync(
    file,
    text.replace(from, () => to),
  );
  return null;
}

function failureOf({ end }: Outcome): string | null {
  if (end?.kind !== 'failed') return null;
  const { kind, detail, sentence } = end.failure;
  return `${kind}: ${detail ?? sentence}`;
}

function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
