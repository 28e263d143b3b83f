/** Tool execution as the agent loop needs it. */
import type { ResolvedInteraction, ToolCall, Turn } from '#model/conversation';
import type { InteractionDraft } from '#model/interaction';
import type { CallPart, CallResult } from '#model/message';
import type { Passage } from '#model/passage';
import type { SourceLines } from '#text/source-marks';

/** What a call needs before it can have a result. */
export type Readiness =
  /** The call has a result already because it is unknown, disabled, invalid or refused. */
  | {
      readonly kind: 'answered';
      readonly result: CallResult;
      /**
       * To be called when the model gets the result: the lines in it then count as shown. Returns
       * them, to be recorded with the result.
       */
      readonly delivered?: () => Pick<CallResult, 'lines'>;
    }
  /** The user has to answer or approve first. */
  | { readonly kind: 'asks'; readonly draft: InteractionDraft; readonly touches?: TouchedPaths }
  | {
      readonly kind: 'runs';
      readonly touches?: TouchedPaths;
      /** @param tell reports progress */
      readonly run: (signal: AbortSignal, tell: ReportProgress) => Promise<CallResult>;
    };

/** The notes, files and folders that a call would change, before and after it. */
export type TouchedPaths = readonly string[];

export type ReportProgress = (progress: string) => void;

/** Never throws for errors of the model or the outside world; failures are results. */
export interface ToolCaller {
  /** The call with the name and input of the tool it means; unchanged if there is no such tool. */
  resolve(part: CallPart): CallPart;
  /** Reads may run in parallel; all other calls keep the model's order. */
  effect(name: string): 'read' | 'change' | 'talk' | 'outside';
  /** False for tools whose result would need another step. */
  runsInLastStep(name: string): boolean;
  ready(call: ToolCall, turn: Turn): Promise<Readiness>;
  /**
   * The lines that a mark in the text of a step names; null if the model was not shown them before
   * that step.
   */
  passage(mark: SourceLines, turn: Turn, step: number): Promise<Passage | null>;
  /** Continues a call after the user has resolved its interaction. */
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
  /** Whether servers are in use, so that `start` may bring tools. */
  readonly areInUse: boolean;
  /** Whether this tool is missing only because its server has not started yet. */
  mayCome(tool: string): boolean;
  /** Problems with servers that the user should know about, each reported once. */
  announcements(): readonly string[];
}
