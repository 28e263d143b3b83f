/** The silhouette every tool has. One tool is one file: schema, description, run. */
import type * as z from 'zod/mini';
import type { Attachment } from '#model/attachment';
import { type AppliedChange, type Effect, lineCounts } from '#model/change';
import type { ChangeId, ConversationId, ProposalId } from '#model/ids';
import { holdsProposal } from '#model/proposal/format';
import type { CallResult, ChangeNote, FailureReason, ListedThing } from '#model/message';
import type { Permission, Settings } from '#model/settings';
import type { InteractionDraft } from '#model/interaction';
import type { Clock } from '#ports/clock';
import type { ConversationHistory } from '#ports/history';
import type { HostCommands, ShowFile } from '#ports/ui';
import type { Web } from '#ports/web';
import type { VaultApi } from '#policy/vault-api';
import type { StepNotes } from './shown-notes';
import type { VaultSearch } from './vault-search';

/**
 * What a call does to the world: decides its order, and what happens to it after a crash. What is done outside of the
 * vault can be neither planned nor undone, and may be anything.
 */
export type ToolEffect = 'read' | 'change' | 'talk' | 'outside';

/** What the user put beside the words of the turn that calls. */
export interface ResultNote {
  readonly attachments: readonly Attachment[];
  /** The note that was open, by the path it has now. */
  readonly activeNote: string | null;
}

export interface ToolContext {
  /** All that a tool can reach of the vault. What changes anything is planned before it is done: `run` runs twice. */
  readonly vault: VaultApi;
  readonly search: VaultSearch;
  /** All conversations, the one of this call among them. */
  readonly history: ConversationHistory;
  readonly conversation: ConversationId;
  /** What the model was shown of notes in this conversation. */
  readonly notes: StepNotes;
  readonly settings: Settings;
  readonly show: ShowFile;
  readonly commands: HostCommands;
  readonly web: Web;
  readonly beside: ResultNote;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Says how far a call is that takes its time, to the user. */
  tell(progress: string): void;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly version: number;
  /** The one whose mode it is; registered before it. */
  readonly agent: string;
  readonly effect: ToolEffect;
  /** Unless the user set another. `fixed` ones can't be changed: without them no turn could end. */
  readonly permission: Permission;
  readonly fixed?: boolean;
  /** Under which the settings keep that, where the name may come to be another's. */
  readonly permissionKey?: string;
  /** The same of its agent. */
  readonly agentKey?: string;
  /** It opens notes or runs commands. */
  readonly navigates?: boolean;
  /** A change that leaves all that was there. */
  readonly adds?: boolean;
  /** Of what is done outside: whoever does it says that it changes nothing. */
  readonly readsOnly?: boolean;
  readonly description: string;
  readonly input: z.ZodMiniType<Input>;
  /** Where the input is described by somebody else, and `input` takes any object. */
  readonly described?: DescribedInput;
  /** A valid input, shown to a model that gave a bad one. */
  readonly example: Input;
  /** What a program is told of a result that has not failed, beside that; left out: its text. */
  readonly output?: ToolOutput;
  /** What the tool asks instead of running, where asking is what it is for. */
  question?(input: Input): InteractionDraft | null;
  /** The page of the web that it asks for: the user is asked about any that neither they nor a search have named. */
  page?(input: Input): string;
  /** What the user decides when the tool is set to ask; a result where there is nothing to decide. */
  card?(input: Input, context: ToolContext): Promise<CardDraft | CallResult>;
  run(input: Input, context: ToolContext): Promise<CallResult>;
}

export interface DescribedInput {
  /** A JSON Schema as the model's API takes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What of an input is not as the schema has it; none where it may be tried. */
  faults(input: unknown): readonly string[];
}

export interface ToolOutput {
  /** An object, whose fields come beside `success` and `error`. */
  readonly schema: z.ZodMiniType;
  of(result: CallResult): Readonly<Record<string, unknown>>;
}

export type CardDraft = Extract<InteractionDraft, { kind: 'approval' }>;

/** A tool whose input is known only to itself, as the registry keeps them. */
export type AnyTool = Tool<never>;

/** Keeps the input's type inside the tool. */
export function defineTool<Input>(tool: Tool<Input>): AnyTool {
  return tool as unknown as AnyTool;
}

export function text(text: string, details?: CallResult['details']): CallResult {
  return { text, failed: false, ...(details ? { details } : {}) };
}

/** A failure with the reason that the user reads; the text is for the model. */
export interface ToolProblem {
  readonly problem: string;
  readonly why?: FailureReason;
}

export function problem(told: string | ToolProblem, why: FailureReason = 'other'): CallResult {
  const text = typeof told === 'string' ? told : told.problem;
  const reason = typeof told === 'string' ? why : (told.why ?? why);
  return { text, failed: true, details: { kind: 'failed', why: reason } };
}

/** A result that lists things, of which the user reads how many there are. */
export function listed(text: string, thing: ListedThing, count: number): CallResult {
  return { text, failed: false, details: { kind: 'list', thing, count } };
}

/** The result of a call that changed the vault. */
export function changed(text: string, ...changes: ChangeNote[]): CallResult {
  return { text, failed: false, details: { kind: 'changes', changes } };
}

/** A change as the trace shows it. */
export function changeNote({ id, effect }: AppliedChange): ChangeNote {
  const { added, removed } = lineCounts(effect);
  const to = effect.kind === 'move' ? { to: effect.to } : {};
  const waiting = proposedBy(id, effect);
  const proposes = waiting.length > 0 ? { proposes: waiting } : {};
  return { change: id, kind: effect.kind, path: effect.path, ...to, ...proposes, added, removed };
}

function proposedBy(id: ChangeId, effect: Effect): readonly (ProposalId | ChangeId)[] {
  if (effect.kind === 'hold') return [id];
  return effect.kind === 'write' || effect.kind === 'create' ? (effect.proposes ?? []) : [];
}

/** What became of a change of text, in words for the model: as it was made, or that it waits. */
export function standingWords({ status: standing, effect }: AppliedChange, made: string): string {
  const { path } = effect;
  switch (standing) {
    case undefined:
      return made;
    case 'proposed':
      return effect.kind === 'hold' && effect.before === null
        ? `Proposed: ${made} The file is there once the user accepts it.`
        : `Proposed: ${made} It waits for the user. Continue as if it were accepted: until then, ${path} has this text for you.`;
    case 'around':
      return `${made} Edits that were proposed in ${path} still wait for the user: what you changed in one of them waits with it, everything else is made.`;
  }
}

/** Why a text of the model's can't be written; null where it can. */
export function proposalInText(path: string, after: string): string | null {
  if (!path.toLowerCase().endsWith('.md') || !holdsProposal(after)) return null;
  return `Nothing was written to ${path}: the text holds a complete ai-edit block, which would be taken for a proposed edit. Change notes in plain words; Parley makes the blocks. To show one as an example, indent it by four spaces.`;
}

/** What a note reads after a change, where that was to be `wanted`. */
export function textMade({ effect }: AppliedChange, wanted: string): string {
  return effect.kind === 'write' || effect.kind === 'create' ? effect.after : wanted;
}

export { linesOf } from '#model/change';
