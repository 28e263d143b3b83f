/**
 * The open questions and approvals, what the user can have heard of them, and which approval spoken
 * words decide. "Delete it" decides only while one is open; of several, the words must name one.
 */
import { namedChoice, namesApart, namesSubject, type NamedChoice } from './approval-names';
import {
  openInteractions,
  type ResolvedInteraction,
  resolvedInteractions,
  type Turn,
} from '#model/conversation';
import * as t from '#messages/voice-messages';
import { saidName } from '#text/speech';
import { isAboutDecision, spokenChoice } from './yes-no-words';
import type { ConversationId, InteractionId } from '#model/ids';
import {
  isDeletionOfSeveral,
  isLong,
  type Approval,
  type ApprovalChoice,
  type Interaction,
} from '#model/interaction';
import type { HeardInteraction, Hearing, UserRequest } from '#model/request';
import { spokenWords, type AssistantNames, type SpokenWords } from './spoken-words';
import type { Clock } from '#ports/clock';

export interface OpenApprovalsDeps {
  readonly clock: Clock;
  /** The names by which the user addresses the agent. */
  names(): AssistantNames;
  /** Whether voice may decide approvals at the moment. */
  allowsDecisions(): boolean;
  /** For how many milliseconds an announcement about this has been shown; null if it was not. */
  shownFor(about: string): number | null;
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

interface OpenInteraction<Kind extends Interaction = Interaction> {
  readonly interaction: Kind;
  readonly turn: Turn;
  readonly conversation: ConversationId;
  /** Whether its turn replies by voice; otherwise only the screen shows it. */
  readonly isSpoken: boolean;
  /** Since when it is open, by the clock's `elapsed`. */
  readonly since: number;
}

export type OpenApproval = OpenInteraction<Approval>;

/** How an approval is announced. */
export interface Phrases {
  readonly byVoice: boolean;
  /** Whether voice may decide nothing at the moment. */
  readonly isVoiceOff?: boolean;
  /** What the phrases call its subject; by default, "it". */
  readonly name?: string;
}

export interface ApprovalAnnouncement extends Phrases {
  /** Its permanent name. */
  readonly key: string;
  /** How another one was decided. */
  readonly decided?: string;
}

export class OpenApprovals {
  readonly #deps: OpenApprovalsDeps;
  readonly #open = new Map<InteractionId, OpenInteraction>();
  /** What was decided or answered. */
  readonly #resolved = new Map<InteractionId, ResolvedInteraction>();
  /** When the last of them was, by the clock's `elapsed`. */
  #lastResolved = -Infinity;
  /** For an approval that was left when another one was decided: the latter. */
  readonly #leftBy = new Map<InteractionId, Approval>();

  constructor(deps: OpenApprovalsDeps) {
    this.#deps = deps;
  }

  /** Those of spoken turns, oldest first. */
  get spoken(): readonly OpenApproval[] {
    return this.all.filter(({ isSpoken }) => isSpoken);
  }

  /** Oldest first. */
  get all(): readonly OpenApproval[] {
    const isApproval = (each: OpenInteraction): each is OpenApproval =>
      each.interaction.kind === 'approval';
    const approvals = [...this.#open.values()].filter(isApproval);
    return approvals.sort((a, b) => a.interaction.asked - b.interaction.asked);
  }

  /**
   * Must be called whenever the interactions of a turn may have changed.
   *
   * @returns an approval that is now the only one and must be announced again
   */
  follow(turn: Turn, conversation: ConversationId, isSpoken: boolean): OpenApproval | null {
    const { clock } = this.#deps;
    const now = clock.elapsed();
    const before = this.spoken;
    const open = openInteractions(turn);
    for (const [id, each] of this.#open) {
      const isOpen = each.turn.id !== turn.id || open.some((other) => other.id === id);
      if (!isOpen) this.#open.delete(id);
    }
    for (const interaction of open) {
      const since = this.#open.get(interaction.id)?.since ?? now;
      this.#open.set(interaction.id, { interaction, turn, conversation, isSpoken, since });
    }
    for (const resolved of resolvedInteractions(turn)) {
      const { id } = resolved.interaction;
      if (this.#resolved.has(id)) continue;
      this.#resolved.set(id, resolved);
      const ago = Math.max(0, clock.now() - resolved.time);
      this.#lastResolved = Math.max(this.#lastResolved, now - ago);
    }
    const [only, second] = this.spoken;
    const gone = before.find(({ interaction }) => !this.#open.has(interaction.id));
    if (!only || second || !gone || before.length < 2) return null;
    this.#leftBy.set(only.interaction.id, gone.interaction);
    return only;
  }

  get allowsDecisions(): boolean {
    return this.#deps.allowsDecisions();
  }

  /** The words that decide the approval now. */
  phrasesFor(approval: Approval): Phrases {
    const isSpoken = this.#open.get(approval.id)?.isSpoken === true;
    const isOnScreenOnly = isLong(approval) || isDeletionOfSeveral(approval);
    if (!this.allowsDecisions) return { byVoice: false, isVoiceOff: true };
    if (!isSpoken || isOnScreenOnly) return { byVoice: false };
    if (this.#it()?.interaction.id === approval.id) return { byVoice: true };
    const name = this.#names().get(approval.id);
    return name === undefined ? { byVoice: false } : { byVoice: true, name };
  }

  /** How the approval is announced now. If only it is left, it is announced again. */
  announcementOf(approval: Approval): ApprovalAnnouncement {
    const gone = this.#leftBy.get(approval.id);
    const phrases = this.phrasesFor(approval);
    // It is announced again after voice was allowed to decide, or forbidden.
    const off = phrases.isVoiceOff ? ':off' : '';
    if (!gone) return { key: `${approval.id}${off}`, ...phrases };
    const decided = this.#decisionText(gone);
    const key = `${approval.id}:after:${gone.id}${off}`;
    return { key, ...phrases, ...(decided === null ? {} : { decided }) };
  }

  /** Null unless it was a deletion of one file or folder. */
  #decisionText({ id, subject }: Approval): string | null {
    const resolution = this.#resolved.get(id)?.resolution;
    if (subject === undefined || resolution?.kind !== 'choice') return null;
    if (resolution.choice === 'delete') return t.willBeDeleted(saidName(subject));
    return resolution.choice === 'keep' ? t.isKept(saidName(subject)) : null;
  }

  /** What the user can know at the moment. */
  hearing(): Hearing {
    const announced = this.#announced();
    const it = this.#it();
    const only = announced.find(({ id }) => id === it?.interaction.id);
    return {
      heard: announced.filter(({ ago }) => ago >= REACTION_MS),
      it: only && this.#wasUnderstood(only, announced) ? only.id : null,
      mayDecide: this.allowsDecisions,
    };
  }

  /** The approval that a message decides: its words must be clear, and spoken after it was heard. */
  decides(request: UserRequest): NamedChoice | null {
    const { hearing } = request;
    if (!hearing?.mayDecide || !this.allowsDecisions) return null;
    const spoken = this.#wordsOf(request);
    const named = this.#named(spoken, this.all);
    if (named) return this.#isHeard(named.approval, hearing) ? named : null;
    const only = hearing.it && this.#open.get(hearing.it)?.interaction;
    if (only?.kind !== 'approval' || this.#namesAnother(spoken, only)) return null;
    const choice = spokenChoice(spoken, only);
    return choice === null ? null : { approval: only, choice };
  }

  /** Whether the words would decide an approval if they had come later. */
  isTooSoon(request: UserRequest): boolean {
    const heard = this.spoken.map(({ interaction: { id, kind } }) => {
      return { id, kind, isSpoken: true, ago: REACTION_MS };
    });
    const hearing = { heard, it: this.#it()?.interaction.id ?? null, mayDecide: true };
    const decided = this.decides({ ...request, hearing });
    return decided !== null && this.phrasesFor(decided.approval).byVoice;
  }

  /** The approval that was decided since the words for it arrived. */
  decidedSince({ hearing, text }: UserRequest): ResolvedInteraction | null {
    const spoken = this.#wordsOf({ text });
    const isAbout = ({ interaction: each }: ResolvedInteraction) => {
      if (each.kind !== 'approval') return false;
      const isIt = each.id === hearing?.it && isAboutDecision(spoken);
      return isIt || namesSubject(spoken, each, this.#deps.names());
    };
    const heard = hearing?.heard.flatMap(({ id }) => this.#resolved.get(id) ?? []) ?? [];
    return heard.find(isAbout) ?? null;
  }

  /** The choice that these words make on an approval they are known to refer to. */
  choiceOf(request: Pick<UserRequest, 'text'>, approval: Approval): ApprovalChoice | null {
    const spoken = this.#wordsOf(request);
    return (
      spokenChoice(spoken, approval) ??
      this.#named(spoken, [{ interaction: approval }])?.choice ??
      null
    );
  }

  /** Whether its name decides this approval. After a question, words rather answer it. */
  #isHeard({ id }: Approval, { heard }: Hearing): boolean {
    const last = heard.find(
      (each) => each.isSpoken && (each.kind === 'question' || each.id === id),
    );
    return last?.id === id && (this.all.length === 1 || this.#names().has(id));
  }

  /** What was announced or is on screen, the latest first. */
  #announced(): readonly HeardInteraction[] {
    const now = this.#deps.clock.elapsed();
    const all = [...this.#open.values()].flatMap(
      ({ interaction: { id, kind }, isSpoken, since }) => {
        const ago = isSpoken ? this.#deps.shownFor(id) : now - since;
        return ago === null ? [] : [{ id, kind, isSpoken, ago }];
      },
    );
    return all.sort((a, b) => a.ago - b.ago);
  }

  /** The approval that "it" can mean. A later one may have come up on screen only. */
  #it(): OpenApproval | null {
    const [only, second] = this.spoken;
    if (!only || second) return null;
    const isLater = (each: OpenApproval) => !each.isSpoken && each.since > only.since;
    return this.all.some(isLater) ? null : only;
  }

  /** Whether "it" can mean no other thing that was heard: a later question, or what was resolved. */
  #wasUnderstood({ ago }: HeardInteraction, announced: readonly HeardInteraction[]): boolean {
    if (announced.some((each) => each.kind === 'question' && each.isSpoken && each.ago < ago))
      return false;
    const resolved = this.#deps.clock.elapsed() - this.#lastResolved;
    return resolved < ago + SUCCESSOR_MS
      ? Math.min(ago, resolved) >= SUCCESSOR_DELAY_MS
      : ago >= REACTION_MS;
  }

  /** Whether the words name one that is on screen only, or is decided, instead of this one. */
  #namesAnother(spoken: SpokenWords, approval: Approval): boolean {
    const isNamed = (each: Approval) => namesSubject(spoken, each, this.#deps.names());
    const others = [...this.all, ...this.#resolved.values()].map(({ interaction }) => interaction);
    return !isNamed(approval) && others.some((each) => each.kind === 'approval' && isNamed(each));
  }

  #named(
    spoken: SpokenWords,
    open: readonly Pick<OpenApproval, 'interaction'>[],
  ): NamedChoice | null {
    const approvals = open.map(({ interaction }) => interaction);
    return namedChoice(spoken, approvals, this.#deps.names());
  }

  #names(): ReadonlyMap<InteractionId, string> {
    const approvals = this.all.map(({ interaction }) => interaction);
    return namesApart(approvals, this.#deps.names());
  }

  #wordsOf({ text }: Pick<UserRequest, 'text'>): SpokenWords {
    return spokenWords(text, this.#deps.names());
  }
}
