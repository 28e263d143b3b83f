/** The user of the soak test: hears what is shown, and answers by voice, by typing or by a click. */
import type { Interaction } from '#model/interaction';
import type { Delivery } from '#workbench/smarthole/deliveries';
import type { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import type { Headless } from './driver';

/** A user who gets no result repeats the words after this time, a few times. */
const PATIENCE_MS = 10_000;
const MAX_TRIES = 3;

/** A person needs at least this long to hear a notification and to say something. */
const MIN_REACTION_MS = 1_700;

interface Plan {
  readonly interaction: Interaction;
  readonly how: 'voice' | 'at once' | 'later';
  /** When the user acts; by voice only once it was heard. */
  due: number;
  /** How often the user has spoken. */
  tries: number;
  isDone: boolean;
}

export class SoakUser {
  readonly #smartHole: FakeSmartHole;
  readonly #random: () => number;
  readonly #met: Headless[] = [];
  readonly #plans = new Map<string, Plan>();
  readonly #said = new Map<string, number>();
  /** The approvals that spoken decisions were meant for, by the id of the message. */
  readonly #meant = new Map<string, string>();
  readonly #notices: { readonly text: string; readonly at: number }[] = [];
  readonly #counts = new Map<string, number>();

  constructor(smartHole: FakeSmartHole, random: () => number, headless: Headless) {
    this.#smartHole = smartHole;
    this.#random = random;
    this.meets(headless);
  }

  /** The process that runs now. */
  get headless(): Headless {
    return this.#met.at(-1)!;
  }

  meets(headless: Headless): void {
    this.#met.push(headless);
    headless.onLine((line) => {
      if ('notice' in line) this.#notices.push({ text: line.notice, at: Date.now() });
      else if ('event' in line && line.event.type === 'interaction-start') {
        this.#plan(line.event.interaction);
      } else if ('event' in line && line.event.type === 'interaction-end') {
        const plan = this.#plans.get(line.event.interaction);
        if (plan) plan.isDone = true;
      }
    });
  }

  /** What Obsidian showed. */
  get notices(): readonly string[] {
    return this.#notices.map(({ text }) => text);
  }

  /** Titles of everything that was shown. */
  titles(): string[] {
    const here = this.notices.map((text) => text.split('\n')[0] ?? '');
    return [...this.#smartHole.shown.map(({ title }) => title), ...here];
  }

  /** When the announcement was shown; null if it was not. */
  heardAt(interaction: Interaction): number | null {
    const words = interaction.kind === 'question' ? interaction.text : interaction.title;
    const shown = this.#smartHole.shown.find(({ body }) => body.startsWith(words));
    const noticed = this.#notices.find(({ text }) => text.split('\n')[1]?.startsWith(words));
    const times = [shown, noticed].flatMap((each) => each?.at ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Speaks. Null if SmartHole has no client, and the words are lost. */
  says(text: string): Delivery | null {
    const delivery = this.#smartHole.say(text);
    if (delivery) this.#said.set(delivery.text, Date.now());
    return delivery;
  }

  saidAt(text: string): number {
    return this.#said.get(text) ?? Infinity;
  }

  /** The approval that a spoken decision was meant for. */
  meantBy(messageId: string): string | undefined {
    return this.#meant.get(messageId);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** Does what is due. */
  async acts(): Promise<void> {
    const now = Date.now();
    for (const plan of this.#plans.values()) {
      if (plan.isDone || now < plan.due) continue;
      if (plan.how !== 'voice') await this.settles(plan.interaction);
      else this.#speaks(plan);
    }
  }

  /** Answers or decides by typing or by a click. */
  async settles(interaction: Interaction): Promise<void> {
    const plan = this.#plans.get(interaction.id);
    if (plan) plan.isDone = true;
    const { ok } =
      interaction.kind === 'question'
        ? await this.headless.send('answer', { text: 'The usual.', question: interaction.id })
        : await this.headless.send('approve', {
            approval: interaction.id,
            choice: this.#random() < 0.5 ? 'delete' : 'keep',
          });
    if (ok) this.#count('answered in the chat');
  }

  #plan(interaction: Interaction): void {
    if (this.#plans.has(interaction.id)) return;
    const chance = this.#random();
    const how = chance < 0.5 ? 'voice' : chance < 0.75 ? 'at once' : 'later';
    const due = how === 'later' ? Date.now() + 20_000 * this.#random() : 0;
    this.#plans.set(interaction.id, { interaction, how, due, tries: 0, isDone: false });
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
      if (this.says(`The usual list, as for ${interaction.id}`)) this.#count('answers by voice');
      return;
    }
    const phrases = this.#phrasesFor(interaction.title);
    const delivery = phrases && this.says(phrases[this.#random() < 0.5 ? 0 : 1]);
    plan.tries += 1;
    plan.due = Date.now() + PATIENCE_MS;
    plan.isDone = plan.tries === MAX_TRIES;
    if (!delivery) return;
    this.#meant.set(delivery.id, interaction.id);
    this.#count('decisions by voice');
  }

  /** The words that the last notification about it named; null if it named none. */
  #phrasesFor(title: string): readonly [string, string] | null {
    const shown = this.#smartHole.shown.map(({ body, at }) => ({ text: body, at }));
    const all = [...shown, ...this.#notices].sort((a, b) => a.at - b.at);
    const last = all.findLast(({ text }) => text.includes(title))?.text ?? '';
    const [, first, second] = /Say “(.+)” or “(.+)”$/.exec(last) ?? [];
    return first !== undefined && second !== undefined ? [first, second] : null;
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}
