/** The silhouette every tool has. One tool is one file: schema, description, run. */
import type { z } from 'zod';
import type { ChangeId, ConversationId } from '#model/ids';
import type { CallResult, ChangeNote } from '#model/message';
import type { Effect } from '#model/change';
import type { Permission, Settings } from '#model/settings';
import type { WaitingDraft } from '#model/waiting';
import type { Clock } from '#ports/clock';
import type { History } from '#ports/history';
import type { VaultAccess } from '#policy/vault-access';
import type { ReadMemory } from './read-memory';
import type { VaultSearch } from './vault-search';

/** A group of tools; each tool is one of its modes. */
export type AgentName =
  'note_reader' | 'note_editor' | 'vault_librarian' | 'vault_manager' | 'conversation';

/** What a call does to the world: decides its order, and what happens to it after a crash. */
export type ToolEffect = 'read' | 'change' | 'talk';

export interface ToolContext {
  /** All that a tool can reach of the vault. What changes anything is planned before it is done: `run` runs twice. */
  readonly vault: VaultAccess;
  readonly search: VaultSearch;
  /** All conversations, the one of this call among them. */
  readonly history: History;
  readonly conversation: ConversationId;
  /** What the agent has read in this conversation. */
  readonly reads: ReadMemory;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  readonly version: number;
  readonly agent: AgentName;
  readonly effect: ToolEffect;
  /** Unless the person set another. `fixed` ones can't be changed: without them no turn could end. */
  readonly permission: Permission;
  readonly fixed?: boolean;
  /** It opens notes or runs commands. */
  readonly navigates?: boolean;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** A valid input, shown to a model that gave a bad one. */
  readonly example: Input;
  /** What the tool asks instead of running, where asking is what it is for. */
  question?(input: Input): WaitingDraft | null;
  /** What the person decides when the tool is set to ask; a result where there is nothing to decide. */
  card?(input: Input, context: ToolContext): Promise<CardDraft | CallResult>;
  run(input: Input, context: ToolContext): Promise<CallResult>;
}

export type CardDraft = Extract<WaitingDraft, { kind: 'card' }>;

/** A tool whose input is known only to itself, as the registry keeps them. */
export type AnyTool = Tool<never>;

/** Keeps the input's type inside the tool. */
export function defineTool<Input>(tool: Tool<Input>): AnyTool {
  return tool as unknown as AnyTool;
}

export function text(text: string, details?: CallResult['details']): CallResult {
  return { text, failed: false, ...(details ? { details } : {}) };
}

export function problem(text: string): CallResult {
  return { text, failed: true };
}

/** The result of a call that changed the vault. */
export function changed(text: string, ...changes: ChangeNote[]): CallResult {
  return { text, failed: false, details: { kind: 'changes', changes } };
}

/** A change as the trace shows it; lines are counted by whole lines that differ. */
export function changeNote(id: ChangeId, effect: Effect): ChangeNote {
  const { added, removed } = lineCounts(effect);
  const to = effect.kind === 'move' ? { to: effect.to } : {};
  return { change: id, kind: effect.kind, path: effect.path, ...to, added, removed };
}

function lineCounts(effect: Effect): { added: number; removed: number } {
  switch (effect.kind) {
    case 'create':
      return { added: linesOf(effect.after).length, removed: 0 };
    case 'delete':
      return { added: 0, removed: effect.before === null ? 0 : linesOf(effect.before).length };
    case 'write':
    case 'hold': {
      const counts = new Map<string, number>();
      for (const line of linesOf(effect.before ?? ''))
        counts.set(line, (counts.get(line) ?? 0) - 1);
      for (const line of linesOf(effect.after)) counts.set(line, (counts.get(line) ?? 0) + 1);
      let added = 0;
      let removed = 0;
      for (const count of counts.values()) {
        if (count > 0) added += count;
        else removed -= count;
      }
      return { added, removed };
    }
    default:
      return { added: 0, removed: 0 };
  }
}

/** Lines without their ends; a final line break begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
