/**
 * The user of the soak test: types in several chats, speaks, hears what is shown, and answers by
 * voice, by typing or by a click.
 */
import type { Approval, Interaction, Question } from '#model/interaction';
import type { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import type { Headless, Reply } from './driver';
import { itemsIn } from './soak-model';

/** A user who gets no result repeats the words after this time, a few times. */
const PATIENCE_MS = 10_000;
const MAX_TRIES = 3;

/** A person needs at least this long to hear a notification and to say something. */
const MIN_REACTION_MS = 1_700;

interface Plan {
  readonly interaction: Interaction;
  readonly conversation: string;
  readonly how: 'voice' | 'words' | 'at once' | 'later';
  /** When the user acts; by voice only once it was heard. */
  due: number;
  /** How often the user has spoken. */
  tries: number;
  isDone: boolean;
}

/** Words that were sent or spoken. */
export interface Sent {
  readonly text: string;
  readonly how: 'typed' | 'spoken';
  readonly at: number;
  /** Whether Parley said that it has taken them; null if it ended before it could. */
  accepted: boolean | null;
  /** Of typed words: the id of the request. Of spoken ones: the id of the message. */
  id: string | null;
  /** Milliseconds until it was accepted. */
  took: number;
}

interface Frame {
  readonly payload: {
    readonly messageId?: string;
    readonly type?: string;
    readonly payload?: { readonly title?: string; readonly body?: string };
  };
}

/** A notification that SmartHole or Obsidian showed: a title, and a body below it. */
export interface Heard {
  readonly text: string;
  readonly at: number;
}

export class SoakUser {
  readonly #smartHole: FakeSmartHole;
  readonly #random: () => number;
  readonly #met: Headless[] = [];
  readonly #plans = new Map<string, Plan>();
  readonly #spokenTurns = new Set<string>();
  /** The approvals that spoken decisions were meant for, by the id of the message. */
  readonly #meant = new Map<string, string>();
  readonly #notices: Heard[] = [];
  /** What SmartHole received. It may show it later, or not at all, and does not say so. */
  readonly #received: Heard[] = [];
  readonly #counts: Map<string, number>;
  /** What was refused, to be sent or said again. */
  readonly #repeats: (() => unknown)[] = [];
  readonly sent: Sent[] = [];
  readonly chats: string[] = [];
  /** Texts that Stop has put back into the composer. */
  readonly returned: string[] = [];
  readonly #composer: string[] = [];
  readonly endedTurns: string[] = [];
  /** From when to when an undo was carried out. */
  readonly undos: { readonly from: number; readonly to: number }[] = [];
  readonly undone: { readonly turn: string; readonly reply: Reply }[] = [];

  constructor(smartHole: FakeSmartHole, random: () => number, counts: Map<string, number>) {
    this.#smartHole = smartHole;
    this.#random = random;
    this.#counts = counts;
    smartHole.onFrame((frame) => {
      const { payload } = JSON.parse(frame) as Frame;
      if (payload.type === 'notification') {
        const { title = '', body = '' } = payload.payload ?? {};
        this.#received.push({ text: `${title}\n${body}`, at: Date.now() });
      }
      const spoken = this.sent.find(({ id }) => id === payload.messageId);
      if (!spoken || spoken.accepted !== null) return;
      if (payload.type !== 'ack' && payload.type !== 'reject') return;
      spoken.accepted = payload.type === 'ack';
      spoken.took = Date.now() - spoken.at;
      // SmartHole tells the user, who says it again.
      if (!spoken.accepted) this.#repeats.push(() => void this.says(spoken.text));
    });
  }

  /** The process that runs now. */
  get headless(): Headless {
    return this.#met.at(-1)!;
  }

  /** How many processes there were. */
  get lives(): number {
    return this.#met.length;
  }

  meets(headless: Headless): void {
    this.#met.push(headless);
    headless.onLine((line) => {
      if ('notice' in line) this.#notices.push({ text: line.notice, at: Date.now() });
      if (!('event' in line)) return;
      const { event } = line;
      if (event.type === 'turn-start' && event.request.source !== 'typed')
        this.#spokenTurns.add(event.turn);
      else if (event.type === 'turn-end') this.endedTurns.push(event.turn);
      else if (event.type === 'interaction-start')
        this.#plan(event.interaction, event.conversation);
      else if (event.type === 'interaction-end') {
        const plan = this.#plans.get(event.interaction);
        if (plan) plan.isDone = true;
      }
    });
  }

  /** Everything that SmartHole or Obsidian showed. */
  heard(): Heard[] {
    const shown = this.#smartHole.shown
      .filter(({ client }) => client !== 'other')
      .map(({ title, body, at }) => ({ text: `${title}\n${body}`, at }));
    return [...shown, ...this.#notices].sort((a, b) => a.at - b.at);
  }

  get notices(): number {
    return this.#notices.length;
  }

  /** When Parley announced it; null if it did not. */
  announcedAt({ text: words }: Question): number | null {
    const times = [...this.#received, ...this.#notices].flatMap(({ text, at }) =>
      text.includes(words) ? [at] : [],
    );
    return times.length === 0 ? null : Math.min(...times);
  }

  /** When the announcement was shown; null if it was not. */
  heardAt(interaction: Interaction): number | null {
    const words = interaction.kind === 'question' ? interaction.text : saidTitle(interaction);
    return this.heard().find(({ text }) => text.includes(words))?.at ?? null;
  }

  /** False if SmartHole has no client, and the words are lost. */
  says(text: string): string | null {
    const delivery = this.#smartHole.say(text);
    if (!delivery) return null;
    const { id } = delivery;
    this.sent.push({ text, how: 'spoken', at: Date.now(), accepted: null, id, took: 0 });
    return id;
  }

  /** Sends a typed message. Does not wait for the reply; never rejects. */
  async types(text: string, chat: string | undefined, when?: string): Promise<Sent> {
    const at = Date.now();
    const sent: Sent = { text, how: 'typed', at, accepted: null, id: null, took: 0 };
    this.sent.push(sent);
    const fields = {
      text,
      ...(chat === undefined ? {} : { conversation: chat }),
      ...(when === undefined ? {} : { when }),
    };
    const reply = await this.asks('send', fields);
    if (!reply) return sent;
    sent.accepted = reply.ok;
    sent.id = reply.request ?? null;
    sent.took = Date.now() - at;
    // The words are still in the composer.
    if (!reply.ok) this.#repeats.push(() => this.types(text, chat, when));
    return sent;
  }

  /** The reply to a command; null if the process ended before it. */
  async asks<Answer extends Reply = Reply>(
    cmd: string,
    fields: Record<string, unknown> = {},
  ): Promise<Answer | null> {
    const { headless } = this;
    try {
      return await headless.send<Answer>(cmd, fields);
    } catch (error) {
      if (headless.isRunning) throw error;
      return null;
    }
  }

  /** A chat that was opened lately. */
  chat(): string | undefined {
    const last = this.chats.slice(-4);
    return last[Math.floor(this.#random() * last.length)];
  }

  async opensChat(): Promise<void> {
    const reply = await this.asks('new');
    if (reply?.conversation !== undefined) this.chats.push(reply.conversation);
  }

  async stops(): Promise<void> {
    const reply = await this.asks<Reply & { returned?: readonly string[] }>('stop');
    if (!reply?.ok) return;
    this.count('stopped in the chat');
    this.returned.push(...(reply.returned ?? []));
    this.#composer.push(...(reply.returned ?? []));
  }

  async undoes(): Promise<void> {
    const last = this.endedTurns.slice(-8);
    const turn = last[Math.floor(this.#random() * last.length)];
    if (turn === undefined) return;
    const from = Date.now();
    const reply = await this.asks('undo', { turn });
    this.undos.push({ from, to: reply ? Date.now() : Infinity });
    if (reply?.ok) this.count('undone in the chat');
    if (reply) this.undone.push({ turn, reply });
  }

  /** When these words were spoken. */
  saidAt(text: string): number {
    return this.sent.find((sent) => sent.how === 'spoken' && sent.text === text)?.at ?? Infinity;
  }

  /** The approval that a spoken decision was meant for. */
  meantBy(messageId: string): string | undefined {
    return this.#meant.get(messageId);
  }

  /** Does what is due. */
  async acts(): Promise<void> {
    const now = Date.now();
    for (const repeat of this.#repeats.splice(0)) await repeat();
    for (const text of this.#composer.splice(0)) {
      const [item] = itemsIn(text);
      if (item !== undefined) this.count('sent again after a stop');
      await this.types(text, this.chat(), 'after');
    }
    for (const plan of this.#plans.values()) {
      if (plan.isDone || now < plan.due) continue;
      if (plan.how === 'voice') this.#speaks(plan);
      else if (plan.how === 'words') await this.#writes(plan);
      else await this.settles(plan.interaction);
    }
  }

  /** Whether the user waits to hear of it, or for what came of the words. */
  willSpeak({ id }: Interaction): boolean {
    const plan = this.#plans.get(id);
    return plan?.how === 'voice' && !plan.isDone;
  }

  /** Answers or decides by a click. */
  async settles(interaction: Interaction): Promise<void> {
    const plan = this.#plans.get(interaction.id);
    if (plan) plan.isDone = true;
    const reply =
      interaction.kind === 'question'
        ? await this.asks('answer', { text: 'The usual.', question: interaction.id })
        : await this.asks('approve', {
            approval: interaction.id,
            choice: this.#random() < 0.5 ? 'delete' : 'keep',
          });
    if (reply?.ok) this.count('answered by a click');
  }

  /** Answers or decides in the composer. */
  async #writes({ interaction, conversation }: Plan): Promise<void> {
    const plan = this.#plans.get(interaction.id)!;
    plan.isDone = true;
    const decision = this.#random() < 0.5 ? 'delete it' : 'keep it';
    const text =
      interaction.kind === 'question' ? `The usual list, as for ${interaction.id}` : decision;
    await this.types(text, conversation);
    this.count('answered in the composer');
  }

  #plan(interaction: Interaction, conversation: string): void {
    if (this.#plans.has(interaction.id)) return;
    const chance = this.#random();
    const isSpoken = this.#spokenTurns.has(interaction.turn);
    const how =
      isSpoken && chance < 0.8
        ? 'voice'
        : chance < 0.5
          ? 'words'
          : chance < 0.75
            ? 'at once'
            : 'later';
    const due = how === 'later' ? Date.now() + 15_000 * this.#random() : 0;
    this.#plans.set(interaction.id, {
      ...{ interaction, conversation, how, due, tries: 0, isDone: false },
    });
  }

  #speaks(plan: Plan): void {
    const heard = this.heardAt(plan.interaction);
    if (heard === null) return;
    const due = heard + MIN_REACTION_MS + 3_000 * this.#random();
    if (plan.tries === 0 && Date.now() < due) {
      plan.due = due;
      return;
    }
    const { interaction } = plan;
    if (interaction.kind === 'question') {
      plan.isDone = true;
      if (this.says(`The usual list, as for ${interaction.id}`)) this.count('answers by voice');
      return;
    }
    const phrases = this.#phrasesFor(saidTitle(interaction));
    const id = phrases && this.says(phrases[this.#random() < 0.5 ? 0 : 1]);
    plan.tries += 1;
    plan.due = Date.now() + PATIENCE_MS;
    plan.isDone = plan.tries === MAX_TRIES;
    if (id === null) return;
    this.#meant.set(id, interaction.id);
    this.count('decisions by voice');
  }

  /** The words that the last notification about it named; null if it named none. */
  #phrasesFor(title: string): readonly [string, string] | null {
    // The title of a repeated one goes on after "Still waiting".
    const words = title.slice(1);
    const last = this.heard().findLast(({ text }) => text.includes(words))?.text ?? '';
    const [, first, second] = /Say “([^”]+)” or “([^”]+)”\./.exec(last) ?? [];
    return first !== undefined && second !== undefined ? [first, second] : null;
  }

  count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** What a listener hears as the question of an approval. */
function saidTitle({ said, title }: Approval): string {
  return said?.title ?? title;
}
