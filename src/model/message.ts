/** The pieces of a message as every provider's wire format is brought to, and the numbers that come with it. */
import type { ChangeId, ProposalId } from './ids';
import type { ViewableFile } from './attachment';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/**
 * The model's thinking. `raw` is the provider's own block with its signature: it goes back exactly as it came, to the
 * same model only, and is empty of meaning to everybody else.
 */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  readonly raw: unknown;
}

/**
 * A tool call. `wireId` is the provider's id. `malformed` holds the text of an input that was no JSON object, or was
 * cut; such a call is answered as failed and never runs. `said` is how the model called the tool, where that was by
 * another name than its own.
 */
export interface CallPart {
  readonly type: 'call';
  readonly wireId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly malformed?: string;
  readonly calledAs?: CalledAs;
}

/** A call of an agent in one of its modes, or by a longer name. */
export interface CalledAs {
  readonly name: string;
  /** Where among the fields of the input its `mode` stood; left out where the name alone says it. */
  readonly mode?: number;
}

/** A block only the provider understands, sent back as it came. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly raw: unknown;
}

export type Part = TextPart | ThinkingPart | CallPart | OpaquePart;

/** Why the model stopped. `cut` is ours: the user stopped it, and the step is shown but not sent back. */
export type StopReason = 'end' | 'calls' | 'length' | 'refused' | 'window' | 'paused' | 'cut';

/** Tokens of one step. The prompt's size is `input + cacheRead + cacheWrite`; thinking is inside `output`. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

/** What a tool has used up of a model by itself. */
export interface Spending {
  readonly usage: Usage;
  /** US dollars beside its tokens. */
  readonly fee: number;
}

/** What counts towards a turn's limit: all that was not read from a cache, and the output. */
export function countedTokens(usage: Usage): number {
  return usage.input + usage.cacheWrite + usage.output;
}

export interface PlanStep {
  readonly text: string;
  readonly state: 'open' | 'doing' | 'done' | 'dropped';
}

export type Outcome = 'done' | 'partly' | 'not_done';

/** One changed note, as a turn's trace shows it. The texts are in the ledger under `change`. */
export interface ChangeNote {
  readonly change: ChangeId;
  readonly kind: 'create' | 'write' | 'hold' | 'delete' | 'move' | 'folder';
  readonly path: string;
  readonly to?: string;
  /** The parts of it that wait for the user, where it only proposes; those of a held one have its own id. */
  readonly proposes?: readonly (ProposalId | ChangeId)[];
  readonly added: number;
  readonly removed: number;
  /** How many links in other notes were rewritten with a move. */
  readonly links?: number;
}

export interface WebSource {
  readonly url: string;
  readonly title: string;
  /** The addresses that were asked before and sent on to it, in their order. */
  readonly via?: readonly string[];
}

/** Why a call failed, for the words that the user reads. */
export type FailureReason =
  | 'invalid-input'
  | 'unknown-tool'
  | 'missing'
  | 'ambiguous'
  | 'not-allowed'
  | 'exists'
  | 'bad-name'
  | 'no-match'
  | 'no-place'
  | 'not-shown'
  | 'changed'
  | 'not-text'
  | 'disk'
  | 'unavailable'
  | 'no-answer'
  | 'limit'
  | 'unfinished'
  | 'other';

/** What a list that a tool returned consists of. */
export type ListedThing = 'file' | 'note' | 'tag';

/** What the screen can show of a call. */
export type CallDetails =
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'search'; readonly matches: number; readonly files: number }
  | { readonly kind: 'list'; readonly thing: ListedThing; readonly count: number }
  | { readonly kind: 'failed'; readonly why: FailureReason }
  | { readonly kind: 'changes'; readonly changes: readonly ChangeNote[] }
  | { readonly kind: 'plan'; readonly steps: readonly PlanStep[] }
  | { readonly kind: 'message'; readonly text: string }
  /** Of the web: what was found, or read. */
  | { readonly kind: 'sources'; readonly sources: readonly WebSource[] }
  /** Notes whose text the user can copy. */
  | { readonly kind: 'copy'; readonly paths: readonly string[] }
  | { readonly kind: 'end-conversation' }
  | { readonly kind: 'done'; readonly outcome: Outcome; readonly summary: string }
  /** Not run: the conversation's mode, or what the user set, is against it. */
  | { readonly kind: 'refused'; readonly by: 'mode' | 'permission' | 'capability' | 'scope' }
  /** Not run: the user decided against it, or said something else instead of deciding. */
  | { readonly kind: 'declined' }
  /** The user stopped the turn before the call had run to its end. */
  | { readonly kind: 'stopped' }
  /** Everything stopped before it had an effect, or before that could be known. */
  | { readonly kind: 'interrupted' };

/**
 * What a call returned. `text` is for the model and never shown to the user, who reads words made from the details, or
 * `userText` where the answer came from outside.
 */
export interface CallResult {
  readonly text: string;
  readonly userText?: string;
  readonly failed: boolean;
  readonly shown?: readonly ViewableFile[];
  readonly details?: CallDetails;
  readonly spent?: Spending;
}

/** A piece of what the model is told beside a user's words. */
export interface ContextPart {
  readonly name: string;
  /** Estimated. */
  readonly tokens: number;
  /** Where it stands in what the model is told. */
  readonly from: number;
  readonly to: number;
}
