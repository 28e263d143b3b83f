/** The tools as the agent loop calls them. */
import type { ResolvedInteraction, ToolCall, Turn } from '#model/conversation';
import type { InteractionDraft } from '#model/interaction';
import type { CallResult } from '#model/message';

/** What a call needs before it can have a result. */
export type Readiness =
  /** The call is unknown, off, invalid or refused, so it has a result already. */
  | { readonly kind: 'answered'; readonly result: CallResult }
  /** The user has to answer or decide first. */
  | { readonly kind: 'asks'; readonly draft: InteractionDraft }
  | {
      readonly kind: 'runs';
      /** @param tell reports progress */
      readonly run: (signal: AbortSignal, tell: ReportProgress) => Promise<CallResult>;
    };

export type ReportProgress = (progress: string) => void;

/** Nothing here throws for what the model or the world does; failures are results. */
export interface ToolCaller {
  /** Reads may run in parallel; the rest keeps the model's order. */
  effect(name: string): 'read' | 'change' | 'talk' | 'outside';
  /** False for tools whose result would need another step. */
  runsInLastStep(name: string): boolean;
  ready(call: ToolCall, turn: Turn): Promise<Readiness>;
  /** What the user's decision makes of a call that asked. */
  decided(
    call: ToolCall,
    turn: Turn,
    settled: Omit<ResolvedInteraction, 'time'>,
  ): Promise<Readiness>;
}

/** The MCP servers whose tools a turn may use. */
export interface ToolServers {
  /** Starts the servers in use and registers their tools; gives up after a while or when the signal aborts. */
  start(signal: AbortSignal): Promise<void>;
  /** Whether this tool is missing only because its server has not started yet. */
  mayCome(tool: string): boolean;
  /** Problems with servers that the user has to know, each once. */
  news(): readonly string[];
}
