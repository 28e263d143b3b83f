/**
 * The open approvals, and which of them spoken words decide. "Delete it" decides only while one is
 * open; of several, the words must name one.
 */
import { namedChoice, namesApart, namesSubject, type NamedChoice } from './approval-names';
import {
  openInteractions,
  resolvedInteractions,
  type ResolvedInteraction,
  type Turn,
} from '#model/conversation';
import { spokenChoice } from './yes-no-words';
import type { ConversationId, InteractionId, TurnId } from '#model/ids';
import {
  isDeletionOfSeveral,
  isLong,
  type Approval,
  type ApprovalChoice,
  type Question,
} from '#model/interaction';
import type { UserRequest } from '#model/request';
import { spokenWords, type AssistantNames, type SpokenWords } from './spoken-words';
import type { Clock } from '#ports/clock';

export interface OpenApprovalsDeps {
  readonly clock: Clock;
  /** The names by which the user addresses the agent. */
  names(): AssistantNames;
  /** Whether words that were said at this time may decide approvals. */
  allowsDecision(time: number): boolean;
  /** When an announcement about this was first shown, in milliseconds since 1970, or null. */
  shownAt(about: string): number | null;
  /** The last announcement shown or saved whose subject begins with this, or null. */
  lastAbout(prefix: string): string | null;
}

/**
 * Time after an announcement was shown in which the user cannot have heard it yet: earlier words
 * mean something else.
 */
export const REACTION_MS = 1_500;
/** The same after something else was decided or answered, because words for that may still arrive. */
const SUCCESSOR_DELAY_MS = 8_000;
/** An announcement so soon after the end of something else may be mistaken for it. */
const SUCCESSOR_MS = 60_000;

export interface OpenApproval {
  readonly approval: Approval;
  readonly turn: Turn;
  readonly conversation: ConversationId;
}

/** How an approval is announced. */
export interface Phrases {
  /** Permanent name of this form of the announcement. */
  readonly about: string;
  readonly byVoice: boolean;
  /** What the phrases call its subject; by default, "it". */
  readonly name?: string;
}

interface Resolved extends ResolvedInteraction {
  /** Whether its turn replies by voice. */
  readonly isSpoken: boolean;
}

export class OpenApprovals {
  readonly #deps: OpenApprovalsDeps;
  /** Those of spoken turns, oldest first. */
  #spoken: readonly OpenApproval[] = [];
  /** Those of other turns, which only the screen shows. */
  #onScreen: readonly Approval[] = [];
  /** Open questions of turns that reply by voice. */
  #questions: readonly Question[] = [];
  /** What was decided or answered. */
  readonly #resolved = new Map<InteractionId, Resolved>();
  /** The approvals announced with "it", by the name of the announcement. */
  readonly #offers = new Map<InteractionId, string>();

  constructor(deps: OpenApprovalsDeps) {
    this.#deps = deps;
  }

  /** Those of spoken turns, oldest first. */
  get all(): readonly OpenApproval[] {
    return this.#spoken;
  }

  /**
   * Must be called whenever the interactions of a turn may have changed.
   *
   * @returns an approval of another turn that is now the only one and must be announced again
   */
  follow(turn: Turn, conversation: ConversationId, isSpoken: boolean): OpenApproval | null {
    const open = openInteractions(turn);
    const approvals = open.flatMap((each) => (each.kind === 'approval' ? [each] : []));
    const asked = open.flatMap((each) => (each.kind === 'question' && isSpoken ? [each] : []));
    const before = this.#spoken;
    const elsewhere = ({ turn: id }: { readonly turn: TurnId }) => id !== turn.id;
    this.#questions = [...this.#questions.filter(elsewhere), ...asked];
    this.#onScreen = [...this.#onScreen.filter(elsewhere), ...(isSpoken ? [] : approvals)];
    const mine = isSpoken ? approvals.map((approval) => ({ approval, turn, conversation })) : [];
    this.#spoken = [...before.filter(({ approval }) => elsewhere(approval)), ...mine].sort(
      (a, b) => a.approval.asked - b.approval.asked,
    );
    for (const each of resolvedInteractions(turn)) {
      this.#resolved.set(each.interaction.id, { ...each, isSpoken });
    }
    const [only, second] = this.#spoken;
    const gone = before.find(
      (each) => !this.#spoken.some(({ approval }) => approval.id === each.approval.id),
    );
    if (!only || second || !gone || before.length < 2) return null;
    // What was said about several does not say that "it" now means this one.
    this.#offers.set(only.approval.id, `${offeredKey(only.approval.id)}:${gone.approval.id}`);
    return only;
  }

  /** Whether voice may decide approvals at the moment. */
  get allowsDecisions(): boolean {
    return this.#deps.allowsDecision(this.#deps.clock.now());
  }

  /** The words that decide the approval now. */
  phrasesFor(approval: Approval): Phrases {
    const isSpoken = this.#spoken.some((each) => each.approval.id === approval.id);
    const isOnScreenOnly = isLong(approval) || isDeletionOfSeveral(approval);
    if (!isSpoken || !this.allowsDecisions || isOnScreenOnly)
      return { about: approval.id, byVoice: false };
    if (!this.#isOneOfMany(approval)) {
      const about = this.#offerOf(approval.id);
      this.#offers.set(approval.id, about);
      return { about, byVoice: true };
    }
    const name = this.#names().get(approval.id);
    if (name === undefined) return { about: approval.id, byVoice: false };
    return { about: namedKey(approval.id), byVoice: true, name };
  }

  /** The announcement of the approval, which keeps its form when another one is announced. */
  announcementOf(approval: Approval): Phrases {
    const { id } = approval;
    if (this.#lastOfferOf(id) === null || !this.allowsDecisions) return this.phrasesFor(approval);
    return { about: this.#offerOf(id), byVoice: true };
  }

  /** Announcements that must not be shown any more: of what is settled, or in a form of before. */
  outdatedFor(turn: Turn): readonly string[] {
    const settled = resolvedInteractions(turn).flatMap(({ interaction: { id } }) =>
      this.#aboutsOf(id),
    );
    const [only, second] = this.#spoken;
    if (!only || second || only.turn.id !== turn.id || !this.allowsDecisions) return settled;
    const now = this.announcementOf(only.approval).about;
    return [...settled, ...this.#aboutsOf(only.approval.id).filter((about) => about !== now)];
  }

  /** The approval that a message decides: its words must be clear, and spoken after it was heard. */
  decides(request: UserRequest): NamedChoice | null {
    const { time } = request;
    if (!this.#deps.allowsDecision(time)) return null;
    const named = this.#namedBy(request);
    if (named) return named;
    const [only] = this.#spoken;
    if (!only || this.#isOneOfMany(only.approval) || this.#wasOneOfMany(only.approval, time))
      return null;
    const at = this.#deps.shownAt(this.#offerOf(only.approval.id));
    if (at === null || time < this.#heardFrom(at, time)) return null;
    if (this.#isForQuestion(at, time) || this.#namesAnother(request, only.approval)) return null;
    const choice = spokenChoice(this.#spokenIn(request), only.approval);
    return choice === null ? null : { approval: only.approval, choice };
  }

  #namedBy(request: UserRequest): NamedChoice | null {
    const named = this.#nameIn(request, this.#open());
    if (!named || !this.#names().has(named.approval.id)) return null;
    if (!this.#spoken.some(({ approval }) => approval === named.approval)) return null;
    const at = this.#deps.shownAt(namedKey(named.approval.id));
    if (at === null || request.time < at + REACTION_MS) return null;
    return this.#isForQuestion(at, request.time) ? null : named;
  }

  /** Whether the words name one that is on screen only, or is decided, instead of this one. */
  #namesAnother(request: UserRequest, approval: Approval): boolean {
    const decided = [...this.#resolved.values()].flatMap(({ interaction }) => {
      return interaction.kind === 'approval' ? [interaction] : [];
    });
    const spoken = this.#spokenIn(request);
    const isNamed = (each: Approval) => namesSubject(spoken, each, this.#deps.names());
    return !isNamed(approval) && [...this.#onScreen, ...decided].some(isNamed);
  }

  #nameIn(request: UserRequest, approvals: readonly Approval[]): NamedChoice | null {
    return namedChoice(this.#spokenIn(request), approvals, this.#deps.names());
  }

  /** The choice that these words make on an approval they are known to refer to. */
  choiceOf(request: UserRequest, approval: Approval): ApprovalChoice | null {
    const choice = spokenChoice(this.#spokenIn(request), approval);
    return choice ?? this.#nameIn(request, [approval])?.choice ?? null;
  }

  /** When an announcement of the approval was first shown, in whatever form, or null. */
  shownAt({ id }: Approval): number | null {
    const times = this.#aboutsOf(id).flatMap((about) => this.#deps.shownAt(about) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** All forms in which the approval may have been announced. */
  #aboutsOf(id: InteractionId): readonly string[] {
    return [id, offeredKey(id), namedKey(id), this.#offerOf(id)];
  }

  /** Words of this time rather answer a question that was open then and heard after the approval. */
  #isForQuestion(at: number, time: number): boolean {
    const then = this.#openAt(time).map(({ interaction }) => interaction);
    return [...this.#questions, ...then.filter(({ kind }) => kind === 'question')].some(
      ({ id }) => (this.#deps.shownAt(id) ?? 0) > at,
    );
  }

  /** What was open at this time and is not any more. */
  #openAt(time: number): readonly Resolved[] {
    return [...this.#resolved.values()].filter(
      (each) => each.interaction.asked <= time && time < each.time,
    );
  }

  /** The time from which "it" can mean an approval that was announced at this time. */
  #heardFrom(at: number, time: number): number {
    const before = [...this.#resolved.values()].filter((each) => each.time <= time);
    const last = Math.max(...before.map((each) => each.time));
    const isSuccessor = last > at - SUCCESSOR_MS;
    return isSuccessor ? Math.max(at, last) + SUCCESSOR_DELAY_MS : at + REACTION_MS;
  }

  /** Whether "it" may have meant another one at this time, which is decided now. */
  #wasOneOfMany({ asked }: Approval, time: number): boolean {
    return this.#openAt(time).some(({ interaction, isSpoken }) => {
      return interaction.kind === 'approval' && (isSpoken || interaction.asked > asked);
    });
  }

  /** Whether "it" may mean another one, which may have come up on screen only. */
  #isOneOfMany({ asked }: Approval): boolean {
    return this.#spoken.length > 1 || this.#onScreen.some((other) => other.asked > asked);
  }

  #names(): ReadonlyMap<InteractionId, string> {
    return namesApart(this.#open(), this.#deps.names());
  }

  #open(): readonly Approval[] {
    return [...this.#spoken.map(({ approval }) => approval), ...this.#onScreen];
  }

  #offerOf(id: InteractionId): string {
    return this.#lastOfferOf(id) ?? offeredKey(id);
  }

  /** After a restart, only the announcements know the form in which it was offered. */
  #lastOfferOf(id: InteractionId): string | null {
    return this.#offers.get(id) ?? this.#deps.lastAbout(offeredKey(id));
  }

  #spokenIn({ text, routing }: UserRequest): SpokenWords {
    const spoken = spokenWords(text, this.#deps.names());
    return { ...spoken, isAddressed: spoken.isAddressed || routing?.['directRouted'] === true };
  }
}

/** Key of the announcement that "it" decides the approval. */
export function offeredKey(approval: InteractionId): string {
  return `${approval}:offered`;
}

/** Key of the announcement that its name decides the approval. */
function namedKey(approval: InteractionId): string {
  return `${approval}:named`;
}
