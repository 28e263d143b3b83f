/** The running agent as the chat view, commands and the headless program use it. */
import type { Conversations } from '#conversations/repository';
import type { DeviceId } from '#model/ids';
import type { SmartHoleStatus } from '#model/smarthole-status';
import * as t from '#messages/voice-messages';
import type { Agent, AgentState, VoicePort } from '#ports/app/agent';
import type { TurnReplies } from '#voice/turn-replies';
import type { VoicePairing } from '#voice/voice-pairing';
import type { Inbox } from '#queue/inbox';
import type { McpCalls } from '#queue/mcp-calls';
import type { Runner } from '#queue/runner';
import { problemResult } from '#queue/action-result';

/** What `AgentState` is read from. */
export interface AgentParts {
  readonly edits: Agent['edits'];
  readonly mcpCalls: McpCalls;
  readonly bridge: VoiceConnection;
  readonly inbox: Inbox;
  readonly conversations: Conversations;
  readonly runner: Runner;
  readonly device: DeviceId;
  /** Problems to show to the user, collected since load. */
  problems(): readonly string[];
}

/** The SmartHole bridge for the screen. */
export interface VoiceConnection {
  readonly state: SmartHoleStatus;
  subscribe(listener: (state: SmartHoleStatus) => void): () => void;
  retry(): void;
}

export function voicePort(
  bridge: VoiceConnection,
  pairing: Pick<VoicePairing, 'decisions' | 'pair' | 'unpair'>,
  replies: Pick<TurnReplies, 'decisionsChanged'>,
): VoicePort {
  return {
    onStatus: (listener) => bridge.subscribe(listener),
    reconnect: () => bridge.retry(),
    decisions: () => pairing.decisions,
    allowDecisions(allowed) {
      if (!allowed) pairing.unpair();
      else if (!pairing.pair()) return problemResult(t.connectBeforePairing);
      // The outbox reports what cannot be saved.
      void replies.decisionsChanged().catch(() => undefined);
      return { ok: true };
    },
  };
}

export async function agentState(parts: AgentParts): Promise<AgentState> {
  const { conversations, runner, inbox, bridge, device, edits, mcpCalls, problems } = parts;
  const current = await conversations.current();
  const { running } = runner;
  return {
    device,
    conversations: await conversations.list(),
    current: current?.state ?? null,
    running: running.map(({ conversation, turn }) => ({ conversation, turn })),
    busy: runner.busy,
    interactions: [...(await runner.queue.interactions()), ...mcpCalls.interactions()],
    paused: runner.queue.paused,
    edits: edits.pending(),
    inbox: inbox.requests(),
    stuck: runner.stuck,
    connection: bridge.state,
    problems: problems(),
  };
}
