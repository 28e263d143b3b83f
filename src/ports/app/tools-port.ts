/** Tools for the settings page, and single tool calls without a model. */
import type { Approval } from '#model/interaction';
import type { CallResult } from '#model/message';
import type { Permission } from '#model/settings';
import type { ActionResult } from './agent';

/** A group of tools as the settings show it. */
export interface ListedAgent {
  readonly name: string;
  /** The name under which the settings store that it is disabled. */
  readonly key: string;
  readonly description: string;
  readonly tools: readonly ListedTool[];
}

/** A tool as the settings show it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** The name of its permission in the settings. */
  readonly key: string;
  /** The default permission. */
  readonly permission: Permission;
  /** Whether the permission cannot be changed. */
  readonly fixed: boolean;
}

/** A note that defines a custom tool, or the problem with it as a sentence for the user. */
export type CustomToolNote =
  | { readonly path: string; readonly tool: string }
  | { readonly path: string; readonly problem: string };

export type ToolAnswer =
  | { readonly ok: true; readonly result: CallResult }
  | { readonly ok: false; readonly needs: 'approval'; readonly approval: Approval }
  | { readonly ok: false; readonly problem: string; readonly result?: CallResult };

export interface ToolsPort {
  /** All agents with their tools. Tools of MCP servers are included once these are connected. */
  agents(): Promise<readonly ListedAgent[]>;
  /** The notes in the folder for custom tools. */
  customTools(): Promise<readonly CustomToolNote[]>;
  /** Runs one tool through validation, policy and change log, without a model. */
  call(name: string, input: unknown): Promise<ToolAnswer>;
  /** The joined texts of these notes, as far as the agent may read them. */
  textOf(paths: readonly string[]): Promise<ActionResult<{ text: string }>>;
}
