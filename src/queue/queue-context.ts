/** What the parts of the queue share. */
import type { Conversations } from '#conversations/repository';
import type { DeviceId, MintId, RequestId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { TurnReplies } from '#voice/turn-replies';
import type { Inbox } from './inbox';
import type { TurnRunner } from './turn-runner';

export interface QueueContext {
  readonly inbox: Inbox;
  readonly conversations: Conversations;
  readonly turns: TurnRunner;
  readonly replies: TurnReplies;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  settings(): Settings;
  /** Adds a line to the user's instructions. Rejects if it cannot be saved. */
  remember(line: string): Promise<void>;
  /** Reports a problem that belongs to no turn. */
  report(problem: string): void;
  /** Checks whether there is anything to run. */
  wakeRunner(): void;
  /**
   * Resolves when no claim is pending or due: a claimed request has a turn by then. False if there
   * was nothing to wait for.
   */
  waitForClaim(): Promise<boolean>;
  /**
   * Resolves when the turns that were open at the last unload or crash are found again, or are left
   * to another process that runs the requests of this vault.
   */
  waitForOpenTurns(): Promise<void>;
  /** Keeps the request in the inbox and skips it until it is retried. */
  skip(id: RequestId, error: unknown): void;
}
