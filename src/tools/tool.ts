/** The interface of a tool. Each tool is one file with schema, description and `run`. */
import type * as z from 'zod/mini';
import type { Attachment, HunkReference } from '#model/attachment';
import { type AgentChange, type Effect, lineCounts } from '#model/change';
import type { ChangeId, ConversationId, ProposalId } from '#model/ids';
import { fileFailure, isFileError } from '#messages/failures';
import { holdsEdits } from '#model/edit/note-edits';
import type {
  CallResult,
  ChangeNote,
  FailureReason,
  FoundItem,
  FoundItems,
  ListedKind,
} from '#model/message';
import type { Permission } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import type { InteractionDraft } from '#model/interaction';
import type { Clock } from '#ports/clock';
import type { ConversationHistory } from '#ports/app/conversations-port';
import type { HostCommands, ShowFile } from '#ports/ui';
import type { NoteText } from '#ports/vault';
import type { Web } from '#ports/web';
import type { MadeChange, VaultApi } from '#policy/vault-api';
import { isNote } from '#text/paths';
import { clip, oneLine } from '#text/shorten';
import type { HunkView } from './hunk-targets';
import type { OwnChanges } from './own-changes';
import type { StepNotes } from './shown-notes';
import type { VaultSearch } from './vault-search';

/**
 * What a call affects; it decides the order of calls and what happens to them after a crash.
 * Effects outside of the vault are unknown, so they can be neither planned nor undone.
 */
export type ToolEffect = 'read' | 'change' | 'talk' | 'outside';

/** What the request of this turn came with, besides its text. */
export interface RequestContext {
  readonly attachments: readonly Attachment[];
  /** The note that was open, by its current path. */
  readonly activeNote: string | null;
}

export interface ToolContext {
  /**
   * The only access to the vault. Changes are planned in a dry run first, so `run` is called twice.
   */
  readonly vault: VaultApi;
  readonly search: VaultSearch;
  /** All conversations, including the current one. */
  readonly history: ConversationHistory;
  /** The agent's own changes, in all conversations. */
  readonly changes: OwnChanges;
  readonly conversation: ConversationId;
  /** What the model was shown of notes in this conversation. */
  readonly notes: StepNotes;
  readonly settings: Settings;
  readonly show: ShowFile;
  readonly commands: HostCommands;
  readonly web: Web;
  readonly request: RequestContext;
  /** The pending edit that a request is about; null if it is not pending any more. */
  hunk(reference: HunkReference): Promise<HunkView | null>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Reports the progress of a slow call to the user, in a few words after a verb: "12 of 40".
   *
   * @param doing the verb, such as "Reading"; by default that of the tool
   */
  reportProgress(words: string, doing?: string): void;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly version: number;
  /** The agent whose mode this tool is; must be registered first. */
  readonly agent: string;
  readonly effect: ToolEffect;
  /**
   * Default permission. It cannot be changed for `fixed` tools, without which a turn could not end.
   */
  readonly permission: Permission;
  readonly fixed?: boolean;
  /**
   * Key of the permission in the settings, for a tool whose name may later belong to another one.
   */
  readonly permissionKey?: string;
  /** The same for the tool's agent. */
  readonly agentKey?: string;
  /** True if the tool opens notes or runs commands. */
  readonly navigates?: boolean;
  /** Whether a call of a tool that makes changes only reads, by its input. */
  reads?(input: Input): boolean;
  /** True for a change that removes nothing. */
  readonly adds?: boolean;
  /** For effects outside of the vault: true if the tool's server claims that it changes nothing. */
  readonly readsOnly?: boolean;
  readonly description: string;
  readonly input: z.ZodMiniType<Input>;
  /** The real schema, if it comes from an MCP server; then `input` accepts any object. */
  readonly externalInput?: DescribedInput;
  /** A valid input, shown to the model after an invalid one. */
  readonly example: Input;
  /** The structured result for MCP clients if the call succeeds; the text by default. */
  readonly output?: ToolOutput;
  /** The question to ask the user instead of running the tool, or null. */
  question?(input: Input): InteractionDraft | null;
  /**
   * URL of the web page to read. Pages that neither the user nor a search has named need approval.
   */
  pageUrl?(input: Input): string;
  /** Path of the note to show. A note that was written in the same turn needs approval. */
  opens?(input: Input): string;
  /**
   * The tool's own approval, or a result if no approval is needed because the call cannot succeed.
   */
  approvalDraft?(input: Input, context: ToolContext): Promise<ApprovalDraft | CallResult>;
  run(input: Input, context: ToolContext): Promise<CallResult>;
}

export interface DescribedInput {
  /** A JSON Schema that the model's API accepts. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** How an input violates the schema; empty if it does not. */
  faults(input: unknown): readonly string[];
}

export interface ToolOutput {
  /** An object schema, whose fields are added to `success` and `error`. */
  readonly schema: z.ZodMiniType;
  of(result: CallResult): Readonly<Record<string, unknown>>;
}

export type ApprovalDraft = Extract<InteractionDraft, { kind: 'approval' }>;

/** A tool as the registry stores it, without its input type. */
export type AnyTool = Tool<never>;

/** Checks the tool's input type, then hides it. */
export function defineTool<Input>(tool: Tool<Input>): AnyTool {
  return tool as unknown as AnyTool;
}

export function text(text: string, details?: CallResult['details']): CallResult {
  return { text, failed: false, ...(details ? { details } : {}) };
}

/** A failure: the text is for the model, the reason for the user. */
export interface ToolProblem {
  readonly reason: string;
  readonly kind?: FailureReason;
}

export function problem(message: string | ToolProblem, kind: FailureReason = 'other'): CallResult {
  const text = typeof message === 'string' ? message : message.reason;
  const why = typeof message === 'string' ? kind : (message.kind ?? kind);
  return { text, failed: true, details: { kind: 'failed', why } };
}

/**
 * Turns file system errors into results. Other errors are bugs and are rethrown.
 *
 * @param isOneOfMany whether the call changes other notes, too
 */
export async function fileErrorsAsResults<Value>(
  work: () => Promise<Value>,
  isOneOfMany = false,
): Promise<Value | CallResult> {
  try {
    return await work();
  } catch (error) {
    if (!isFileError(error)) throw error;
    const { sentence, next, detail: cause } = fileFailure(error);
    // Node appends the absolute path (", open '/home/…'"), which must not be sent to the model.
    const detail = cause?.replace(/, \w+ '.*$/s, '');
    const end = isOneOfMany ? 'It was not changed.' : 'Nothing was changed by this call.';
    return problem(`${sentence} ${next}${detail ? ` (${detail})` : ''} ${end}`, 'disk');
  }
}

/** A result that lists things. The UI shows how many there are, and the first of them. */
export function listResult(
  text: string,
  thing: ListedKind,
  count: number,
  items: readonly FoundItem[] = [],
): CallResult {
  const found = items.length > 0 ? { found: firstFound(items, count > items.length) } : {};
  return { text, failed: false, details: { kind: 'list', thing, count, ...found } };
}

const MAX_FOUND = 50;
export const MAX_FOUND_CHARS = 120;

/** The items that the UI shows. @param isCut whether more was found than these */
export function firstFound(items: readonly FoundItem[], isCut: boolean): FoundItems {
  const first = items.slice(0, MAX_FOUND).map((item): FoundItem => {
    const { text: words, ...place } = item;
    return words === undefined ? place : { ...place, text: clip(oneLine(words), MAX_FOUND_CHARS) };
  });
  return { items: first, isCut: isCut || items.length > first.length };
}

/** The result of a change that was not necessary. */
export function unchanged(text: string): CallResult {
  return { text, failed: false, details: { kind: 'unchanged' } };
}

/**
 * Adds to a sentence about what a note has already that it is only proposed.
 *
 * @param isIn whether a text of the note has it
 */
export function alreadyText(
  text: string,
  { accepted }: NoteText,
  isIn: (text: string) => boolean,
): string {
  if (accepted === undefined || isIn(accepted)) return text;
  return `${text}\nIt is only in an edit that still waits for the user: report it as proposed.`;
}

/** The result of a call that changed the vault. */
export function changed(text: string, ...changes: ChangeNote[]): CallResult {
  return { text, failed: false, details: { kind: 'changes', changes } };
}

/** A change as the UI shows it in the trace. */
export function changeNote({ id, effect, status }: AgentChange): ChangeNote {
  const { added, removed } = lineCounts(effect);
  const to = effect.kind === 'move' ? { to: effect.to } : {};
  // An edit whose lines have changed around its words is written again, and proposes the same.
  const pending = status === 'around' ? [] : proposedBy(id, effect);
  const proposes = pending.length > 0 ? { proposes: pending } : {};
  return { change: id, kind: effect.kind, path: effect.path, ...to, ...proposes, added, removed };
}

function proposedBy(id: ChangeId, effect: Effect): readonly (ProposalId | ChangeId)[] {
  if (effect.kind === 'hold') return [id];
  return effect.kind === 'write' || effect.kind === 'create' ? (effect.proposes ?? []) : [];
}

const VERBS = {
  Added: 'add',
  Changed: 'change',
  Created: 'create',
  Replaced: 'replace',
  Tagged: 'tag',
} as const;

/** What was done, as the first word of a result. */
export type ChangeVerb = keyof typeof VERBS;

/**
 * Tells the model whether a change was made or is only proposed, and what it did beside what was
 * asked for.
 *
 * @param verb of the change that was made
 * @param what the rest of the sentence, such as "Lists/Shopping.md."
 */
export function changeStatusText(made: MadeChange, verb: ChangeVerb, what: string): string {
  return withRemarks(statusText(made, verb, what), made);
}

/** Adds what a change did beside what was asked for. */
export function withRemarks(text: string, { remarks, lost }: MadeChange): string {
  return [text, ...[...remarks, ...lost].map((each) => `Note: ${each}`)].join('\n');
}

function statusText({ status, effect }: AgentChange, verb: ChangeVerb, what: string): string {
  const { path } = effect;
  switch (status) {
    case undefined:
      return `${verb} ${what}`;
    case 'proposed': {
      const proposed = `Proposed to ${VERBS[verb]} ${what}${what.includes('\n') ? '\n' : ' '}`;
      return effect.kind === 'hold' && effect.before === null
        ? `${proposed}The file will exist once the user accepts it.`
        : `${proposed}The user has not decided yet; until then you read ${path} as if it were accepted.`;
    }
    case 'joined':
      return `Proposed to ${VERBS[verb]} ${what}\nIt is not made, even in Apply: it touches an earlier edit of ${path} that still waits for the user, and waits with it. Report it as proposed. Until the user decides you read ${path} as if it were accepted.`;
    case 'partly':
      return `${verb} ${what}\nOnly a part of it is made: the rest touches an earlier edit of ${path} that still waits for the user, and waits with it. Report that part as proposed.`;
    case 'around':
      return `${verb} ${what}\nAll of it is made. Earlier edits of ${path} still wait for the user.`;
    case 'withdrawn':
      return `${verb} ${what}\nThis takes back an earlier edit of yours, which waited for the user. Nothing of this change waits.`;
  }
}

/** Why a text of the model cannot be written; null if it can. */
export function proposalProblem(path: string, after: string): string | null {
  if (!isNote(path) || !holdsEdits(after)) return null;
  return `Nothing was written to ${path}: the text holds an ai-edit block, which would be taken for an edit to review. Change notes in plain words; Parley makes the blocks. To show one as an example, indent it by four spaces.`;
}

/** The text of a note that a change of its text asked for. */
export function askedText({ asked }: MadeChange): string {
  return asked.kind === 'write' || asked.kind === 'create' ? asked.after : '';
}

/** The text of a note after such a change; it may include what the user typed. */
export function textAfter(made: MadeChange): string {
  const { effect } = made;
  return effect.kind === 'write' || effect.kind === 'create' ? effect.after : askedText(made);
}
