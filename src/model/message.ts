/** Provider-neutral parts of a message, token usage, and the results of tool calls. */
import type { ChangeId, ProposalId } from './ids';
import type { ViewableFile } from './attachment';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/**
 * The model's thinking. `raw` is the provider's own signed block: it is sent back unchanged to the
 * same model only, and is opaque to everything else.
 */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  readonly raw: unknown;
  /** How long it took, in milliseconds; omitted if it was not streamed. */
  readonly took?: number;
}

/**
 * A tool call. `wireId` is the provider's id. `malformed` is the text of an input that was no JSON
 * object, was nested too deeply or was cut off; such a call fails and never runs. `calledAs` is set
 * if the model used another name.
 */
export interface CallPart {
  readonly type: 'call';
  readonly wireId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly malformed?: string;
  readonly calledAs?: CalledAs;
}

/** The name that the model used: an agent with a mode, or a longer tool name. */
export interface CalledAs {
  readonly name: string;
  /** Index of `mode` among the input's fields; omitted if the name alone identifies the tool. */
  readonly mode?: number;
}

/** The call exactly as the model made it, byte for byte. */
export function asCalled(part: CallPart): CallPart {
  if (!part.calledAs) return part;
  const { calledAs, ...meant } = part;
  if (calledAs.mode === undefined) return { ...meant, name: calledAs.name };
  const fields = Object.entries(part.input).toSpliced(calledAs.mode, 0, ['mode', part.name]);
  return { ...meant, name: calledAs.name, input: Object.fromEntries(fields) };
}

/** A block only the provider understands, sent back unchanged. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly raw: unknown;
}

export type Part = TextPart | ThinkingPart | CallPart | OpaquePart;

/**
 * Why the model stopped. `cut` is set by Parley: the user stopped it, and the step is shown but not
 * sent back.
 */
export type StopReason = 'end' | 'calls' | 'length' | 'refused' | 'window' | 'paused' | 'cut';

/**
 * Tokens of one step. The prompt size is `input + cacheRead + cacheWrite`; `output` includes
 * thinking.
 */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that the cache keeps for an hour; omitted if there is none. */
  readonly cacheWriteHour?: number;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const hour = (a.cacheWriteHour ?? 0) + (b.cacheWriteHour ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(hour > 0 ? { cacheWriteHour: hour } : {}),
  };
}

/** Model usage caused by a tool itself. */
export interface Spending {
  readonly usage: Usage;
  /** US dollars charged in addition to the tokens. */
  readonly fee: number;
}

/** Tokens that count toward a turn's limit: output, and input that was not read from the cache. */
export function countedTokens(usage: Usage): number {
  return usage.input + usage.cacheWrite + usage.output;
}

export interface PlanStep {
  readonly text: string;
  readonly state: 'open' | 'doing' | 'done' | 'dropped';
}

export type Outcome = 'done' | 'partly' | 'not_done';

/** A changed note in a turn's trace. Its texts are in the change log under `change`. */
export interface ChangeNote {
  readonly change: ChangeId;
  readonly kind: 'create' | 'write' | 'hold' | 'delete' | 'move' | 'folder';
  readonly path: string;
  readonly to?: string;
  /**
   * Ids of the hunks that wait for review, if the change only proposes; a detached change has its own
   * id here.
   */
  readonly proposes?: readonly (ProposalId | ChangeId)[];
  readonly added: number;
  readonly removed: number;
  /** Set for an undo of the agent's earlier changes. */
  readonly undoes?: true;
  /** Number of links in other notes that a move rewrote. */
  readonly links?: number;
}

export interface WebSource {
  readonly url: string;
  readonly title: string;
  /** URLs that redirected to it, in order. */
  readonly via?: readonly string[];
}

/** Why a call failed; determines the text for the user. */
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

/** The kind of items in a list that a tool returned. */
export type ListedKind =
  'file' | 'note' | 'tag' | 'link' | 'broken-link' | 'chat' | 'message' | 'match' | 'change';

/** Something that a call found, as the user can open it. */
export type FoundItem =
  | {
      /** Of a file, or of a folder with a slash at the end. */
      readonly path: string;
      /** From 1. */
      readonly line?: number;
      /** The line, or what else was found about the file; cut if it is long. */
      readonly text?: string;
    }
  | {
      /** With `#`. */
      readonly tag: string;
      readonly text?: string;
    };

export interface FoundItems {
  readonly items: readonly FoundItem[];
  /** Whether there are more than these. */
  readonly isCut: boolean;
}

/** What the UI can show of a call. */
export type CallDetails =
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | {
      readonly kind: 'search';
      readonly matches: number;
      readonly files: number;
      readonly found?: FoundItems;
      /** Number of notes that were left out because they are not indexed yet. */
      readonly unsearched?: number;
    }
  | {
      readonly kind: 'list';
      readonly thing: ListedKind;
      readonly count: number;
      readonly found?: FoundItems;
    }
  | { readonly kind: 'failed'; readonly why: FailureReason }
  | {
      readonly kind: 'changes';
      readonly changes: readonly ChangeNote[];
      /** Set if something else that the call was to do was not done. */
      readonly isPartial?: true;
      /** The paths among that, as they were given. */
      readonly failed?: readonly string[];
    }
  /** A change was asked for, but everything is already as wanted. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'plan'; readonly steps: readonly PlanStep[] }
  | { readonly kind: 'message'; readonly text: string }
  /** Web pages that were found or read. */
  | { readonly kind: 'sources'; readonly sources: readonly WebSource[] }
  /** Notes whose text the user can copy. */
  | { readonly kind: 'copy'; readonly paths: readonly string[] }
  | { readonly kind: 'end-conversation' }
  /** `spoken` is what a listener hears instead of the summary. */
  | {
      readonly kind: 'done';
      readonly outcome: Outcome;
      readonly summary: string;
      readonly spoken?: string;
    }
  /** Not run: the conversation's mode or a setting forbids it. */
  | {
      readonly kind: 'refused';
      readonly by: 'mode' | 'permission' | 'capability' | 'scope' | 'hunk';
    }
  /** Not run: the user denied it, or sent another message instead of deciding. */
  | { readonly kind: 'declined' }
  /** The user stopped the turn before the call ended. */
  | { readonly kind: 'stopped' }
  /** Parley stopped before the call had an effect, or before the effect was known. */
  | { readonly kind: 'interrupted' };

/**
 * The result of a call. `text` is for the model and never shown. The user reads text derived from
 * `details`, or `userText` if the result came from outside.
 */
export interface CallResult {
  readonly text: string;
  readonly userText?: string;
  readonly failed: boolean;
  /** Set if Parley was interrupted, and what the call did is not fully known. */
  readonly isUnknown?: true;
  readonly shown?: readonly ViewableFile[];
  /** Lines of notes that the text holds with their numbers; these count after a restart, too. */
  readonly lines?: readonly PrintedLines[];
  /** Paragraphs of a text from outside that an answer can name. */
  readonly quotable?: QuotableText;
  readonly details?: CallDetails;
  readonly spent?: Spending;
}

/** Numbered paragraphs in the text of a result. */
export interface QuotableText {
  /** What marks call it. */
  readonly name: string;
  readonly from:
    | { readonly kind: 'page'; readonly url: string; readonly title: string }
    | { readonly kind: 'result'; readonly server: string; readonly tool: string };
  /** Offsets of each paragraph in the text of the result, without its number. */
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** Lines of one text of a note that a result printed with their numbers. */
export interface PrintedLines {
  readonly path: string;
  /** Of the text; null if no line number of the note counts any more. */
  readonly digest: string | null;
  /** Lines printed in full. */
  readonly whole?: readonly LineSpan[];
  /** Lines of which a part was printed. */
  readonly cut?: readonly LineSpan[];
  /** Lines of which only the number was printed. */
  readonly named?: readonly LineSpan[];
}

/** From 1, inclusive. */
export type LineSpan = readonly [first: number, last: number];

/** A labeled range of the context. */
export interface ContextPart {
  readonly name: string;
  /** Estimate. */
  readonly tokens: number;
  /** Offsets in the text of the context. */
  readonly from: number;
  readonly to: number;
}
